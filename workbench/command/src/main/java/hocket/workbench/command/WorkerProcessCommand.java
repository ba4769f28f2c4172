package hocket.workbench.command;

import hocket.workbench.runs.CommandContext;
import hocket.workbench.training.processes.ParentProcess;
import hocket.workbench.training.processes.SideBySide;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.ToIntBiFunction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Trains the runs that another process gives it, one after the other; {@link SideBySide} starts it. */
@Command(name = ParentProcess.COMMAND, header = "Trains the runs that another process gives it.", hidden = true)
public final class WorkerProcessCommand implements Callable<Integer> {
    private final CommandContext commandContext;
    private final ToIntBiFunction<ParentProcess, String[]> command;

    /** @param command runs the arguments for a parent and returns the exit status */
    public WorkerProcessCommand(CommandContext commandContext, ToIntBiFunction<ParentProcess, String[]> command) {
        this.commandContext = commandContext;
        this.command = command;
    }

    @Parameters(paramLabel = "COLUMNS", description = "width of progress lines")
    private int columns;

    @Override
    public Integer call() {
        PrintStream toParent = System.out;
        System.setOut(new PrintStream(OutputStream.nullOutputStream())); // a user's class may print the same words
        ParentProcess parentProcess = new ParentProcess(System.in, toParent, columns);
        return parentProcess.serve(
                commandContext.terminal()::remark, arguments -> command.applyAsInt(parentProcess, words(arguments)));
    }

    private static String[] words(List<String> arguments) {
        List<String> words = new ArrayList<>(List.of("run", "--quiet"));
        words.addAll(arguments);
        return words.toArray(String[]::new);
    }
}
