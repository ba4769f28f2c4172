package hocket.workbench.command;

import hocket.schedulers.turns.DivergedException;
import hocket.scopes.SimilarNames;
import hocket.workbench.files.UserError;
import hocket.workbench.files.forms.Classes;
import hocket.workbench.runs.CommandContext;
import hocket.workbench.runs.CommandFailure;
import hocket.workbench.runs.OutOfMemoryAdvice;
import hocket.workbench.runs.RunFailure;
import hocket.workbench.runs.Version;
import hocket.workbench.terminal.ReaderGoneException;
import hocket.workbench.terminal.Terminal;
import hocket.workbench.training.ProcessHalt;
import hocket.workbench.training.processes.ParentProcess;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * The {@code hocket} command. Exit status 0 on success, 1 on failure, 2 for a rejected request; errors are one line on
 * standard error.
 */
@Command(
        name = "hocket",
        header = "Trains several networks together: adversarially, in parallel or in sequence.",
        synopsisSubcommandLabel = "COMMAND",
        versionProvider = Hocket.Versions.class,
        sortOptions = false,
        commandListHeading = "%nCommands:%n",
        footer = {"", "For example:", "  hocket run digits-gan", "  hocket run -h"})
public final class Hocket implements Runnable {
    /** Returns the versions of Hocket and Java. */
    static final class Versions implements IVersionProvider {
        @Override
        public String[] getVersion() {
            return new String[] {"hocket " + Version.number() + ", Java " + Runtime.version()};
        }
    }

    private static final int FAILED = 1;
    private static final int REFUSED = 2;
    private static final int READER_GONE = 141; // 128 and SIGPIPE

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli fills it in
    private CommandSpec spec;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            scope = ScopeType.INHERIT,
            description = "show this help")
    @SuppressWarnings("unused") // picocli acts on it
    private boolean help;

    @Option(
            names = {"-V", "--version"},
            versionHelp = true,
            description = "print the version")
    @SuppressWarnings("unused") // picocli acts on it
    private boolean version;

    @Option(names = "--trace", scope = ScopeType.INHERIT, description = "print the stack trace of an error")
    private boolean trace;

    private final CommandContext commandContext;
    private final Terminal terminal;
    private final @Nullable ParentProcess parentProcess;

    /** Returns the commands of one workplace. */
    public Hocket(CommandContext commandContext) {
        this(commandContext, null);
    }

    private Hocket(CommandContext commandContext, @Nullable ParentProcess parentProcess) {
        this.commandContext = commandContext;
        this.terminal = commandContext.terminal();
        this.parentProcess = parentProcess;
    }

    public static void main(String[] args) {
        Terminal terminal = Terminal.ofProcess();
        int status = new Hocket(new CommandContext(terminal, Path.of(""))).execute(args);
        terminal.close();
        if (ProcessHalt.isNeeded()) {
            ProcessHalt.end(status);
        }
        System.exit(status);
    }

    /** The commands in the order of the help. */
    private List<Object> commands() {
        List<Object> commands = new ArrayList<>();
        commands.add(new RunCommand(commandContext, parentProcess));
        commands.add(new WorkerProcessCommand(
                commandContext, (by, arguments) -> new Hocket(commandContext, by).execute(arguments)));
        commands.addAll(MoreCommands.all(commandContext));
        commands.addAll(List.of(
                new SweepCommand().at(commandContext),
                new ListCommand().at(commandContext),
                new PlanCommand().at(commandContext),
                new ExplainCommand().at(commandContext),
                new SampleCommand().at(commandContext),
                new EvalCommand().at(commandContext),
                new ScoreCommand().at(commandContext),
                new AggregateCommand().at(commandContext),
                new RecordCommand().at(commandContext),
                new ExportCommand().at(commandContext),
                new DigestCommand().at(commandContext),
                new DiffCommand().at(commandContext),
                new VerifyCommand().at(commandContext),
                new BenchCommand().at(commandContext),
                new DoctorCommand().at(commandContext),
                new NewCommand().at(commandContext),
                new PlotCommand().at(commandContext),
                new TensorBoardCommand().at(commandContext),
                new ServeCommand().at(commandContext),
                new SendCommand().at(commandContext),
                new SchemaCommand().at(commandContext),
                new ClasspathCommand().at(commandContext),
                new CompletionCommand().at(commandContext)));
        return commands;
    }

    /** Runs the arguments. Returns the exit status. */
    public int execute(String... args) {
        System.setProperty("java.awt.headless", "true"); // pictures are written, never shown
        CommandLine line = new CommandLine(this);
        commands().forEach(line::addSubcommand);
        line.setUsageHelpWidth(Terminal.COLUMNS);
        for (CommandLine each : line.getSubcommands().values()) { // with parameters, options stand as they are declared
            each.getCommandSpec()
                    .usageMessage()
                    .sortOptions(each.getCommandSpec().positionalParameters().isEmpty());
        }
        StringWriter help = new StringWriter(); // printed here, so that a write error is noticed
        line.setOut(new PrintWriter(help, true))
                .setErr(terminal.err())
                .setColorScheme(Help.defaultColorScheme(Help.Ansi.OFF)) // which would be escaped
                .setParameterExceptionHandler((e, given) -> wrongUsage(e))
                .setExecutionExceptionHandler((e, command, parsed) -> failed(e));
        try {
            int status = line.execute(args);
            if (!help.toString().isEmpty()) {
                terminal.say(help.toString().stripTrailing());
            }
            return status;
        } catch (Throwable e) {
            return failed(e);
        }
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
                        + SimilarNames.among(
                                argument, command.getCommandSpec().optionsMap().keySet());
            } else if (!command.getSubcommands().isEmpty()) {
                message = "there is no command " + argument + SimilarNames.among(argument, shown(command));
            }
        }
        complain(message + " (" + command.getCommandSpec().qualifiedName() + " -h shows how)");
        return REFUSED;
    }

    /** The names of the commands in the help. */
    private static List<String> shown(CommandLine command) {
        return command.getSubcommands().entrySet().stream()
                .filter(each -> !each.getValue().getCommandSpec().usageMessage().hidden())
                .map(Map.Entry::getKey)
                .toList();
    }

    private int failed(Throwable e) {
        if (e instanceof ReaderGoneException) {
            return READER_GONE; // as of a Unix command: without a word
        }
        if (e instanceof RunFailure runFailure && runFailure.getCause() != null) {
            int status = failed(runFailure.getCause());
            runFailure.lines().forEach(terminal::remark);
            return status;
        }
        if (e instanceof UserError userError) {
            userError.lines().forEach(this::complain);
        } else if (e instanceof DivergedException) {
            // Returns the report with a table of findings, if there are any.
            ("hocket: " + e.getMessage()).lines().forEach(terminal::remark);
        } else if (e instanceof OutOfMemoryError error) {
            complain(OutOfMemoryAdvice.line(error));
        } else if (e instanceof CommandFailure || e instanceof UncheckedIOException) {
            complain(String.valueOf(e.getMessage()));
        } else {
            complain(Classes.failure(e).orElse("internal error: " + e + "; --trace shows where"));
        }
        if (trace) {
            StringWriter printed = new StringWriter();
            e.printStackTrace(new PrintWriter(printed));
            terminal.remark(printed.toString().stripTrailing());
        }
        return e instanceof UserError ? REFUSED : FAILED;
    }

    private void complain(String message) {
        terminal.remark("hocket: " + message.strip().replaceAll("\\s*\\R\\s*", "; "));
    }
}
