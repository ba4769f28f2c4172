package hocket.workbench.commands;

import hocket.workbench.processes.Parent;
import hocket.workbench.processes.SideBySide;
import hocket.workbench.runs.CommandContext;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.ToIntBiFunction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Trains what another process gives it, a run after the other: what {@link SideBySide} starts. */
@Command(name = Parent.COMMAND, header = "Trains what another process gives it.", hidden = true)
public final class SlotCommand implements Callable<Integer> {
    private final CommandContext commandContext;
    private final ToIntBiFunction<Parent, String[]> command;

    /** @param command does what the arguments say, for a parent; gives the exit status */
    public SlotCommand(CommandContext commandContext, ToIntBiFunction<Parent, String[]> command) {
        this.commandContext = commandContext;
        this.command = command;
    }

    @Parameters(paramLabel = "COLUMNS", description = "how wide the lines are in which it says how far it is")
    private int columns;

    @Override
    public Integer call() {
        PrintStream toParent = System.out;
        System.setOut(new PrintStream(OutputStream.nullOutputStream())); // a run's own classes may print its very words
        Parent parent = new Parent(System.in, toParent, columns);
        return parent.serve(
                commandContext.terminal()::remark, arguments -> command.applyAsInt(parent, words(arguments)));
    }

    private static String[] words(List<String> arguments) {
        List<String> words = new ArrayList<>(List.of("run", "--quiet"));
        words.addAll(arguments);
        return words.toArray(String[]::new);
    }
}
