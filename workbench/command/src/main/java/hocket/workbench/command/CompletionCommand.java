package hocket.workbench.command;

import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Prints a script for shell completion. */
@Command(
        name = "completion",
        header = "Prints a script by which bash and zsh complete commands, options and names.",
        footer = {"", "For example:", "  source <(./hocket completion)"})
public final class CompletionCommand extends WorkplaceCommand implements Runnable {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli fills it in
    private CommandSpec spec;

    @Override
    public void run() {
        workplace
                .terminal()
                .say(AutoComplete.bash("hocket", spec.root().commandLine()).stripTrailing());
    }
}
