package hocket.workbench;

import hocket.schedulers.DivergedException;
import hocket.scopes.Nearest;
import hocket.workbench.experiment.ExperimentFile;
import hocket.workbench.experiment.Refused;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * The {@code hocket} command. Exit status 0 on success, 1 when something failed, 2 when what was asked for is refused;
 * errors are one line on standard error.
 */
@Command(
        name = "hocket",
        header = "Trains several networks against, beside or after one another.",
        synopsisSubcommandLabel = "COMMAND",
        versionProvider = Version.class,
        sortOptions = false,
        usageHelpWidth = Terminal.COLUMNS,
        commandListHeading = "%nCommands:%n",
        footer = {"", "For example:", "  hocket run digits-gan", "  hocket run -h"},
        subcommands = {
            RunCommand.class,
            ListCommand.class,
            PlanCommand.class,
            ExplainCommand.class,
            SampleCommand.class,
            EvalCommand.class,
            RecordCommand.class,
            DigestCommand.class,
            BenchCommand.class,
            DoctorCommand.class,
            NewCommand.class,
            PlotCommand.class,
            SchemaCommand.class,
            ClasspathCommand.class,
            CompletionCommand.class
        })
public final class Hocket implements Runnable {
    private static final int FAILED = 1;
    private static final int REFUSED = 2;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli fills it in
    private CommandSpec spec;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            scope = ScopeType.INHERIT,
            description = "show this")
    @SuppressWarnings("unused") // picocli acts on it
    private boolean help;

    @Option(
            names = {"-V", "--version"},
            versionHelp = true,
            description = "say which version this is")
    @SuppressWarnings("unused") // picocli acts on it
    private boolean version;

    @Option(
            names = "--trace",
            scope = ScopeType.INHERIT,
            description = "with an error, print where in the program it came from")
    private boolean trace;

    private final Terminal terminal;
    private final Path here;

    /** @param here what relative paths and the usual run folders are relative to */
    Hocket(Terminal terminal, Path here) {
        this.terminal = terminal;
        this.here = here;
    }

    public static void main(String[] args) {
        System.setProperty("java.awt.headless", "true"); // pictures are written, never shown
        System.exit(new Hocket(Terminal.ofProcess(), Path.of("")).execute(args));
    }

    /** What a person types to start this program. */
    static String command() {
        return System.getProperty("hocket.command", "hocket");
    }

    /** Does what the arguments say. Gives the exit status. */
    int execute(String... args) {
        CommandLine line = new CommandLine(this)
                .setOut(terminal.out())
                .setErr(terminal.err())
                .setParameterExceptionHandler((e, given) -> wrongUsage(e))
                .setExecutionExceptionHandler((e, command, parsed) -> failed(e));
        try {
            return line.execute(args);
        } catch (StackOverflowError | LinkageError e) {
            return failed(new IllegalStateException(e.toString(), e));
        }
    }

    /** Where files are read. */
    ExperimentFile.Surroundings surroundings(List<String> jars) {
        return new ExperimentFile.Surroundings(
                here, jars.stream().map(this::path).toList(), System.getenv());
    }

    Terminal terminal() {
        return terminal;
    }

    /** A path as a person gave it. */
    Path path(String given) {
        return here.resolve(given);
    }

    @Override
    public void run() {
        throw new MissingParameterException(spec.commandLine(), List.of(), "a command is missing");
    }

    private int wrongUsage(ParameterException e) {
        CommandLine command = e.getCommandLine();
        String message = String.valueOf(e.getMessage());
        if (e instanceof UnmatchedArgumentException unmatched) {
            String argument = unmatched.getUnmatched().get(0);
            if (argument.startsWith("-")) {
                message = "there is no option " + argument
                        + Nearest.among(
                                argument, command.getCommandSpec().optionsMap().keySet());
            } else if (!command.getSubcommands().isEmpty()) {
                message = "there is no command " + argument
                        + Nearest.among(argument, command.getSubcommands().keySet());
            }
        }
        complain(message + " (" + command.getCommandSpec().qualifiedName() + " -h shows how)");
        return REFUSED;
    }

    private int failed(Exception e) {
        if (e instanceof Refused refused) {
            refused.lines().forEach(line -> terminal.remark("hocket: " + line));
            trace(e);
            return REFUSED;
        }
        if (e instanceof DivergedException diverged) {
            // With a table of what was found, if it was looked for.
            ("hocket: " + diverged.getMessage()).lines().forEach(terminal::remark);
            trace(e);
            return FAILED;
        }
        boolean meant = e instanceof Refusal || (e.getMessage() != null && !(e instanceof NullPointerException));
        complain(meant ? String.valueOf(e.getMessage()) : "this should not have happened: " + e + "; see --trace");
        trace(e);
        return e instanceof Refusal ? REFUSED : FAILED;
    }

    private void trace(Exception e) {
        if (trace) {
            PrintWriter err = terminal.err();
            e.printStackTrace(err);
            err.flush();
        }
    }

    private void complain(String message) {
        terminal.remark("hocket: " + message.strip().replaceAll("\\s*\\R\\s*", "; "));
    }
}
