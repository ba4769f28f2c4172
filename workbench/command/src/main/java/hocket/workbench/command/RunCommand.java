package hocket.workbench.command;

import hocket.workbench.command.options.ExperimentArguments;
import hocket.workbench.command.options.SeedOptions;
import hocket.workbench.command.options.ServeOptions;
import hocket.workbench.command.options.WrittenFile;
import hocket.workbench.files.UserError;
import hocket.workbench.files.experiment.ExperimentFile;
import hocket.workbench.live.LiveListener;
import hocket.workbench.runs.CommandContext;
import hocket.workbench.runs.Journal;
import hocket.workbench.runs.RunFolder;
import hocket.workbench.sweeps.SeedSweep;
import hocket.workbench.sweeps.SweepFolder;
import hocket.workbench.terminal.Terminal;
import hocket.workbench.training.ProcessRole;
import hocket.workbench.training.RunRequest;
import hocket.workbench.training.RunRequest.Beginning;
import hocket.workbench.training.RunRequest.Flags;
import hocket.workbench.training.RunRequest.Replayed;
import hocket.workbench.training.RunRing;
import hocket.workbench.training.StopRequest;
import hocket.workbench.training.Training;
import hocket.workbench.training.processes.ParentProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedSet;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** Trains an experiment. */
@Command(
        name = "run",
        header = "Trains an experiment.",
        description = {
            "",
            "Writes a folder with checkpoints, samples, metrics and a log. Ctrl-C ends the turn, saves and stops;"
                    + " --resume continues bit-equal to an uninterrupted run.",
            ""
        },
        sortOptions = false,
        usageHelpWidth = Terminal.COLUMNS,
        footer = {
            "",
            "For example:",
            "  hocket run digits-gan --set epochs=50 --set seed=3",
            "  hocket run digits-gan --resume --out runs/digits-gan",
            "  hocket run digits-gan --resume --out runs/digits-gan --detect-anomaly",
            "  hocket run digits-gan --write my.yaml",
            "  hocket run my.yaml --classpath my.jar",
            "  hocket run my.yaml --seeds 5            # then --resume, if it was stopped",
            "  hocket run runs/my-seeds --seeds 5 --resume",
            "  hocket run my.yaml --seeds 10 --at-once 4",
            "  hocket run digits-gan --serve 0",
            "  hocket run cartpole-impala --actors 2",
            "  hocket run digits-gan --tensorboard     # tensorboard --logdir runs shows it",
            "  hocket run runs/digits-gan/experiment.yaml --replay --out runs/again",
            "",
            "hocket list names the experiments, hocket plan NAME their settings."
        })
public final class RunCommand implements Callable<Integer> {
    private final CommandContext commandContext;
    private final @Nullable ParentProcess parentProcess;

    /** @param parentProcess the process that trains this run in parallel with others; null without */
    public RunCommand(CommandContext commandContext, @Nullable ParentProcess parentProcess) {
        this.commandContext = commandContext;
        this.parentProcess = parentProcess;
    }

    @Mixin
    private final ExperimentArguments selection = new ExperimentArguments();

    @Option(names = "--out", paramLabel = "DIR", description = "the run folder; default: runs/NAME, runs/NAME-2, ...")
    private @Nullable String out;

    @Option(
            names = "--resume",
            description = "resume the run in the folder; only its budget and the paths of its data may change")
    private boolean resume;

    @Option(
            names = "--force",
            description = "with --resume: continue even if threads, kernels, engine or data have changed; results"
                    + " then differ from those of an uninterrupted run")
    private boolean force;

    @Mixin
    private final SeedOptions seeds = new SeedOptions();

    @Option(names = "--runner", paramLabel = "R", description = "one of the file's runners; default: train")
    private @Nullable String runner;

    @Option(
            names = "--from",
            paramLabel = "RUN",
            description = "start from the parameters of this run folder or safetensors file")
    private @Nullable String from;

    @Option(
            names = "--threads",
            paramLabel = "N",
            description = "compute threads; default: all cores. Results may depend on it")
    private @Nullable Integer threads;

    @Option(
            names = "--write",
            paramLabel = "FILE",
            description = "write the experiment as a file to edit, without training")
    private @Nullable String write;

    @Option(
            names = "--detect-anomaly",
            description = "stop at the first number that is not finite and name its operator and inputs. Checking"
                    + " each turn's results and weights takes a few percent of the time; the failing turn is repeated"
                    + " in slow plain arithmetic")
    private boolean detectAnomaly;

    @Option(
            names = "--audit",
            paramLabel = "N",
            arity = "0..1",
            fallbackValue = "1",
            description = "check by digests of all arrays, in the first of every N rounds (default: every round), that"
                    + " each turn changes only what the plan says; otherwise stop and name path, turn and"
                    + " program")
    private @Nullable Long audit;

    @Option(
            names = "--serve",
            paramLabel = "PORT",
            description = "show the run on a page and accept commands, at this port; 0 chooses a free one. Prints the"
                    + " address to open")
    private @Nullable Integer serve;

    @Mixin
    private final ServeOptions serving = new ServeOptions();

    private final List<ProcessRole> roles = ProcessRole.all();

    @Mixin
    private final CommandSpec roleOptions = options(roles);

    @Option(
            names = "--tensorboard",
            description = "also write metrics, samples and, at every checkpoint, histograms of parameters for"
                    + " TensorBoard into RUN/tensorboard. A resumed run continues to do so; hocket tensorboard does"
                    + " it afterwards")
    private boolean tensorBoard;

    @Option(
            names = "--replay",
            description = "repeat, at the same turns, the commands that users gave the run of this experiment.yaml,"
                    + " from the journal.jsonl in its folder")
    private boolean replay;

    @Option(
            names = "--until",
            paramLabel = "PART",
            description = "end after this part of the budget, such as 0.25; the run is saved and evaluated, and"
                    + " --resume continues it")
    private @Nullable Double until;

    @Option(names = "--quiet", description = "print errors and logged warnings only")
    private boolean quiet;

    @Override
    public Integer call() {
        ProcessRole.Order order = new Asked();
        for (ProcessRole role : roles) {
            OptionalInt status = role.run(order);
            if (status.isPresent()) {
                return status.getAsInt();
            }
        }
        check();
        if (write != null) {
            new WrittenFile(commandContext, selection, settings()).to(commandContext.path(write));
            return 0;
        }
        SweepFolder given = new SweepFolder(commandContext.path(selection.name()));
        SortedSet<Long> begun = given.seeds();
        if (!begun.isEmpty() && (resume || !selection.isBuiltIn(commandContext))) {
            seeds.requireResumed(commandContext, given.path(), begun, out, resume);
            return bySeeds(given.seed(begun.first()).toString(), given.path());
        }
        if (!resume && !replay && out == null) {
            selection.requireNoRun(commandContext, "run", selection.name(), "--resume");
        }
        if (seeds.areWanted()) {
            return bySeeds(selection.name(), out == null ? null : commandContext.path(out));
        }
        try (StopRequest stopRequest = StopRequest.onSignals(commandContext.terminal(), quiet)) {
            Training training = new Training(request(stopRequest), stopRequest);
            if (parentProcess != null) {
                parentProcess.stops(stopRequest);
                training.shownOn(parentProcess.display(part()));
            }
            return observed(training, order, stopRequest);
        }
    }

    private static CommandSpec options(List<ProcessRole> roles) {
        CommandSpec spec = CommandSpec.create();
        roles.forEach(
                role -> CommandSpec.forAnnotatedObjectLenient(role).options().forEach(spec::addOption));
        return spec;
    }

    private void check() {
        if (threads != null && threads < 1) {
            throw new UserError("--threads must be at least 1, was " + threads);
        }
        if (out != null && out.isBlank()) {
            throw new UserError("--out must name a folder, was empty");
        }
        seeds.check();
        if (until != null && !(until > 0 && until <= 1)) {
            throw new UserError("--until must be a fraction of the budget, above 0 and at most 1, was " + until);
        }
        refuseWriting(seeds.areWanted(), "--seeds");
        refuseWriting(resume, "--resume");
        refuseWriting(replay, "--replay");
        refuseWriting(out != null, "--out");
        refuseWriting(serve != null, "--serve");
        refuseWriting(until != null, "--until");
        refuseWriting(audit != null, "--audit");
        refuseWriting(detectAnomaly, "--detect-anomaly");
        refuseWriting(tensorBoard, "--tensorboard");
        refuseWriting(runner != null, "--runner");
        roles.forEach(role -> role.option().ifPresent(option -> refuseWriting(true, option)));
        if (serve == null) {
            serving.given().ifPresent(option -> {
                throw new UserError(option + " is of a server: add --serve PORT");
            });
        }
        if (force && !resume) {
            throw new UserError("--force: applies to resumed runs only; it needs --resume");
        }
        seeds.refuse(until != null, "--until: is");
        seeds.refuse(replay, "--replay: is");
        seeds.refuse(serve != null, "--serve: is");
        seeds.refuse(force, "--force: is");
        seeds.refuse(audit != null, "--audit: is");
        roles.forEach(role -> role.option().ifPresent(option -> seeds.refuse(true, option + ": are")));
    }

    private void refuseWriting(boolean isGiven, String option) {
        if (write != null && isGiven) {
            throw new UserError("--write writes a file, " + option + " trains: give only one of them");
        }
    }

    /** The command line, for a role of this process in a multi-process run. */
    private final class Asked implements ProcessRole.Order {
        @Override
        public CommandContext workplace() {
            return commandContext;
        }

        @Override
        public Map<String, String> environment() {
            return selection.surroundings(commandContext).environment();
        }

        @Override
        public List<String> jars() {
            return selection.jars();
        }

        @Override
        public boolean quiet() {
            return quiet;
        }

        @Override
        public void check() {
            RunCommand.this.check();
        }

        @Override
        public void checkPartOf(String who) {
            Optional<String> option = seeds.areWanted()
                    ? Optional.of("--seeds")
                    : replay
                            ? Optional.of("--replay")
                            : write != null
                                    ? Optional.of("--write")
                                    : roles.stream()
                                            .flatMap(role -> role.option().stream())
                                            .findFirst();
            option.ifPresent(each -> {
                throw new UserError(each + ": is not for " + who + " of a run of several processes");
            });
            if (until != null) {
                throw new UserError("--until: is not for a run of several processes");
            }
        }

        @Override
        public ExperimentFile named() {
            return selection.read(commandContext);
        }

        @Override
        public ExperimentFile file() {
            return resumed()
                    .map(folder -> folder.file(settings(), selection.surroundings(commandContext)))
                    .orElseGet(() ->
                            ExperimentFile.read(selection.name(), settings(), selection.surroundings(commandContext)));
        }

        @Override
        public Optional<RunFolder> resumed() {
            return resume ? Optional.of(resumedFolder()) : Optional.empty();
        }

        @Override
        public String runner(ExperimentFile file) {
            return RunCommand.this.runner(file);
        }

        @Override
        public int train(StopRequest stopRequest, RunRing ring, String host) {
            return watched(new Training(request(stopRequest), stopRequest).around(ring), host);
        }
    }

    private RunFolder resumedFolder() {
        if (out != null && isRun() && !path(out).equals(path(selection.name()))) {
            throw new UserError("--out " + out + ": " + selection.name()
                    + " is resumed in its own folder; --from " + selection.name()
                    + " without --resume begins another run with its weights");
        }
        return out != null
                ? new RunFolder(commandContext.path(out))
                : isRun()
                        ? new RunFolder(commandContext.path(selection.name()))
                        : RunFolder.last(commandContext.path("runs"), name());
    }

    private Path path(String given) {
        return commandContext.path(given).toAbsolutePath().normalize();
    }

    private int observed(Training training, ProcessRole.Order order, StopRequest stopRequest) {
        try (ProcessRole.@Nullable Observer observer = roles.stream()
                .flatMap(role -> role.observer(order, stopRequest).stream())
                .findFirst()
                .orElse(null)) {
            return watched(observer == null ? training : training.observedBy(observer), "");
        }
    }

    private int watched(Training training, String host) {
        if (serve == null) {
            return training.run();
        }
        try (LiveListener liveListener = serving.at(serve).listen()) {
            return training.observedBy(liveListener.attending(commandContext.terminal(), host))
                    .run();
        }
    }

    private double part() {
        return until == null ? 1 : until;
    }

    /** Returns the commands that a run in a folder repeats. */
    private Optional<Replayed> replayed(RunFolder folder) {
        if (!replay) {
            return Optional.empty();
        }
        RunFolder of = replayedRun();
        if (path(of.toString()).equals(path(folder.toString()))) {
            throw new UserError(
                    "--replay: " + of + " is the run that is resumed; name the experiment.yaml of the run whose"
                            + " commands it repeats, with --out " + folder + " --resume");
        }
        return Optional.of(
                new Replayed(of.experiment().toString(), UserError.unless(() -> Journal.read(of.journal()))));
    }

    private RunFolder replayedRun() {
        Path named = commandContext.path(selection.name());
        Path beside = Files.isDirectory(named) ? named : named.toAbsolutePath().getParent();
        RunFolder run = new RunFolder(beside == null ? named : beside);
        if (!Files.exists(run.experiment()) || !Files.exists(run.journal())) {
            throw new UserError(
                    "--replay: needs the experiment.yaml of a run with commands; there is no " + run.journal());
        }
        return run;
    }

    /** Runs an experiment with several seeds, in a folder; null means the default one. */
    private int bySeeds(String experiment, @Nullable Path into) {
        SeedSweep sweep = new SeedSweep(
                commandContext,
                new SeedSweep.Configuration(experiment, selection.changes(), beginning(), selection.jars()),
                seeds.count(),
                seeds.atOnce(),
                new SeedSweep.Options(runner, detectAnomaly, tensorBoard),
                resume,
                quiet);
        try (StopRequest stopRequest = StopRequest.onSignals(commandContext.terminal(), quiet)) {
            return sweep.into(into, stopRequest);
        }
    }

    /** Returns the settings that options of a new run stand for. */
    private List<String> beginning() {
        List<String> more = new ArrayList<>();
        if (from != null) {
            more.add("startup.from=" + from);
        }
        if (threads != null) {
            more.add("threads=" + threads);
        }
        return more;
    }

    private List<String> settings() {
        return selection.changes(beginning());
    }

    /** Runs the request. Reports meanwhile what a request to stop does. */
    private RunRequest request(StopRequest stopRequest) {
        Path runs = commandContext.path("runs");
        if (resume) {
            requireSomething();
            String name = name();
            RunFolder folder = resumedFolder();
            if (from != null) {
                throw new UserError("a resumed run keeps its starting parameters");
            }
            return resumed(name, folder, stopRequest);
        }
        ExperimentFile file = ExperimentFile.read(selection.name(), settings(), selection.surroundings(commandContext));
        Supplier<RunFolder> free = () -> RunFolder.free(runs, file.name());
        RunFolder folder = out == null ? free.get() : new RunFolder(commandContext.path(out));
        folder.requireFree();
        return request(
                file,
                folder,
                new Beginning(
                        false,
                        false,
                        out == null ? Optional.of(free) : Optional.empty(),
                        Optional.empty(),
                        replayed(folder)));
    }

    private RunRequest request(ExperimentFile file, RunFolder folder, Beginning beginning) {
        Flags flags = new Flags(quiet, detectAnomaly, audit(), tensorBoard, part());
        List<String> changes = settings();
        String trainedBy = runner(file);
        file.requireBudgetIsRead(changes, trainedBy);
        roles.forEach(role -> changes.addAll(role.asked()));
        return new RunRequest(commandContext, file, trainedBy, folder, changes, flags, beginning);
    }

    /** A name that is neither a file nor built in was meant for a folder. */
    private void requireSomething() {
        if (!selection.isBuiltIn(commandContext) && !Files.exists(commandContext.path(selection.name()))) {
            throw new UserError("there is no run folder " + selection.name()
                    + " to resume: a run that was stopped before it began leaves none");
        }
    }

    private long audit() {
        if (audit != null && audit < 1) {
            throw new UserError("--audit: must be at least 1 round, was " + audit);
        }
        return audit == null ? 0 : audit;
    }

    private String runner(ExperimentFile file) {
        return runner == null ? file.usualRunner() : runner;
    }

    private boolean isRun() {
        return Files.isRegularFile(new RunFolder(commandContext.path(selection.name())).experiment());
    }

    /** Checks the name of the resumed run; a file may have been changed since, so only its name counts. */
    private String name() {
        return ExperimentFile.read(selection.name(), List.of(), selection.surroundings(commandContext))
                .name();
    }

    /** Removes a difference that is allowed by force only. */
    private void keep(String setting, int before, int now, List<String> differences) {
        if (differences.remove(setting) && !force) {
            throw new UserError(setting + ": a resumed run keeps " + before + ", was " + now
                    + "; --force allows it, with other results");
        }
    }

    private RunRequest resumed(String name, RunFolder folder, StopRequest stopRequest) {
        stopRequest.atRest("ended immediately: nothing is lost"); // also while its checkpoint is read
        ExperimentFile before = folder.file(List.of(), selection.surroundings(commandContext));
        if (!before.name().equals(name)) {
            throw new UserError(folder + " is a run of " + before.name() + ", not of " + name);
        }
        ExperimentFile file = folder.file(settings(), selection.surroundings(commandContext));
        List<String> differences = new ArrayList<>(file.differences(before));
        keep("threads", before.threads(), file.threads(), differences);
        keep("workers", before.spec().workers(), file.spec().workers(), differences);
        if (!differences.isEmpty()) {
            throw new UserError("a resumed run keeps its settings; "
                    + (file.spec().algorithm().isPresent() ? "none" : "only its budget")
                    + " can be changed, not " + String.join(", ", differences)
                    + "; --from " + folder + " begins another run with its parameters");
        }
        return request(file, folder, new Beginning(true, force, Optional.empty(), Optional.empty(), replayed(folder)));
    }
}
