package hocket.workbench;

import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** Lets shells complete what a person begins to type. */
@Command(
        name = "completion",
        header = "Prints a script by which bash and zsh complete commands and options.",
        usageHelpWidth = Terminal.COLUMNS,
        footer = {"", "For example:", "  source <(./hocket completion)"})
final class CompletionCommand implements Runnable {
    @ParentCommand
    @SuppressWarnings("NullAway.Init") // picocli fills it in
    private Hocket hocket;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli fills it in
    private CommandSpec spec;

    @Override
    public void run() {
        hocket.terminal()
                .say(AutoComplete.bash("hocket", spec.root().commandLine()).stripTrailing());
    }
}
