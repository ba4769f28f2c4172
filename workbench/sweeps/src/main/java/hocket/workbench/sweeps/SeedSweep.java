package hocket.workbench.sweeps;

import hocket.schedulers.evaluation.Evaluation;
import hocket.workbench.files.UserError;
import hocket.workbench.files.experiment.ExperimentFile;
import hocket.workbench.pictures.plot.SeedCurves;
import hocket.workbench.runs.CommandContext;
import hocket.workbench.runs.CommandFailure;
import hocket.workbench.runs.RunFailure;
import hocket.workbench.runs.RunFolder;
import hocket.workbench.runs.SelectedExperiment;
import hocket.workbench.training.RunRequest;
import hocket.workbench.training.RunRequest.Beginning;
import hocket.workbench.training.RunRequest.Flags;
import hocket.workbench.training.StopRequest;
import hocket.workbench.training.Training;
import hocket.workbench.training.processes.SideBySide;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import org.jspecify.annotations.Nullable;

/**
 * A sweep over the seed alone: one experiment with several seeds, each in a folder of its own, in sequence in this
 * process or in parallel in others, followed by statistics of their scores. The folders record which seeds are done.
 *
 * @param count number of seeds, from the experiment's own
 * @param atOnce number of processes that train in parallel; 0 for a sequence in this process
 * @param resume whether a seed that was stopped is resumed
 * @param quiet whether only the table and errors are printed
 */
public record SeedSweep(
        CommandContext workplace,
        Configuration configuration,
        int count,
        int atOnce,
        Options options,
        boolean resume,
        boolean quiet) {
    private static final int MOST = 100;

    /**
     * The experiment of all seeds.
     *
     * @param name name of a built-in one, or a file
     * @param changes overrides of all runs, each {@code key=value}
     * @param beginning further overrides of runs that begin
     * @param jars added jars and folders of classes, as they were given
     */
    public record Configuration(String name, List<String> changes, List<String> beginning, List<String> jars) {
        private List<String> settings() {
            return joined(changes, beginning);
        }
    }

    /**
     * The options of all runs.
     *
     * @param runner one of the experiment's runners; null for the default
     * @param detectAnomaly whether the first number that is not finite stops a run
     * @param tensorBoard whether runs write event files for TensorBoard as well
     */
    public record Options(@Nullable String runner, boolean detectAnomaly, boolean tensorBoard) {
        public static final Options NONE = new Options(null, false, false);

        private List<String> arguments() {
            List<String> arguments = new ArrayList<>();
            if (runner != null) {
                arguments.addAll(List.of("--runner", runner));
            }
            if (detectAnomaly) {
                arguments.add("--detect-anomaly");
            }
            if (tensorBoard) {
                arguments.add("--tensorboard");
            }
            return arguments;
        }

        private String runner(ExperimentFile file) {
            return runner == null ? file.usualRunner() : runner;
        }
    }

    /**
     * The run of one seed.
     *
     * @param file its experiment, with the changes
     * @param isBegun whether its folder holds it already
     * @param isDone whether it is done, according to its folder
     */
    private record Member(
            long seed, ExperimentFile file, List<String> changes, RunFolder folder, boolean isBegun, boolean isDone) {
        private String name() {
            return "seed " + seed;
        }
    }

    /** @throws UserError if there are too few or too many seeds, or the experiment comes through a pipe */
    public SeedSweep {
        if (count < 2 || count > MOST) {
            throw new UserError("--seeds must be 2 to " + MOST + ", was " + count);
        }
        Path file = workplace.path(configuration.name());
        if (Files.exists(file) && !Files.isRegularFile(file) && !Files.isDirectory(file)) {
            throw new UserError("--seeds reads the experiment once for each seed, and " + configuration.name()
                    + " is a pipe, which can be read only once: write the experiment into a file");
        }
    }

    /**
     * Runs the seeds that are not done. All folders are checked before the first run begins. A seed whose evaluation
     * fails does not stop the others; nor does one that fails in parallel with others. All use the same number of
     * threads: the configured one, or that of an existing seed; else, in parallel, an equal part of this machine's
     * cores.
     *
     * @param out output folder; null for the default
     * @return the exit status: 0, that of the signal which stopped it, or 1 if a seed or its evaluation failed
     * @throws RunFailure if a seed fails while training in sequence, saying how to resume all of them
     */
    public int into(@Nullable Path out, StopRequest stopRequest) {
        if (resume) {
            stopRequest.atRest(SideBySide.AT_REST);
        }
        ExperimentFile first = file(configuration.settings());
        first.requireBudgetIsRead(configuration.settings(), options.runner(first));
        Evaluation evaluation = SelectedExperiment.of(first, options.runner(first))
                .setup()
                .evaluation()
                .orElseThrow(() -> new UserError("--seeds: experiment " + first.name()
                        + " has no evaluation, so there are no scores to compare"));
        SweepFolder folder =
                new SweepFolder(out != null ? out : workplace.path("runs").resolve(first.name() + "-seeds"));
        if (Files.isRegularFile(folder.path())) {
            throw new UserError(folder + " is a file: choose another --out");
        }
        List<String> shared = joined(configuration.settings(), threads(first, folder));
        List<Member> members = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            members.add(member(first.spec().seed() + i, shared, first.spec().threads() > 0, folder));
        }
        Map<String, String> failures = new HashMap<>();
        int status = atOnce > 0 ? beside(members, failures, stopRequest) : inTurn(members, folder, stopRequest);
        stopRequest.atRest(SideBySide.AT_REST);
        if (status != 0) {
            return status;
        }
        List<Member> judged =
                members.stream().filter(member -> member.folder().isJudged()).toList();
        if (judged.size() > 1) {
            summarise(first.name(), judged, folder, evaluation.ranges());
        }
        for (Member member : members) {
            if (!judged.contains(member)) {
                workplace
                        .terminal()
                        .remark("hocket: " + member.name() + " has no scores: "
                                + failures.getOrDefault(
                                        member.name(), member.folder().log() + " may say why"));
            }
        }
        return judged.size() == members.size() ? 0 : Training.UNJUDGED;
    }

    private static List<String> joined(List<String> settings, List<String> more) {
        List<String> all = new ArrayList<>(settings);
        all.addAll(more);
        return all;
    }

    /**
     * Returns the setting of the number of threads if the experiment has none; empty for all of the machine's cores.
     */
    private List<String> threads(ExperimentFile file, SweepFolder folder) {
        SortedSet<Long> begun = folder.seeds();
        if (file.spec().threads() > 0 || (begun.isEmpty() && atOnce == 0)) {
            return List.of();
        }
        int threads = begun.isEmpty()
                ? SideBySide.threads(file, atOnce)
                : folder.seed(begun.first()).file(List.of(), at()).spec().threads();
        return List.of("threads=" + threads);
    }

    private ExperimentFile.Surroundings at() {
        return workplace.surroundings(configuration.jars());
    }

    private ExperimentFile file(List<String> changes) {
        return ExperimentFile.read(configuration.name(), changes, at());
    }

    private Member member(long seed, List<String> shared, boolean isThreadsSaid, SweepFolder folder) {
        List<String> changes = joined(shared, List.of("seed=" + seed));
        ExperimentFile file = file(changes);
        RunFolder run = folder.seed(seed);
        boolean isBegun = Files.isRegularFile(run.experiment());
        if (!isBegun) {
            run.requireFree();
        }
        return new Member(seed, file, changes, run, isBegun, isBegun && isDone(run, file, isThreadsSaid));
    }

    /** Returns whether a folder holds a complete run; throws if it holds another run. */
    private boolean isDone(RunFolder run, ExperimentFile file, boolean isThreadsSaid) {
        ExperimentFile before = ExperimentFile.read(run.experiment().toString(), List.of(), at());
        List<String> differences = new ArrayList<>(file.differences(before));
        if (!isThreadsSaid) {
            differences.remove("threads"); // unset in the one, recorded in the other
        }
        if (!before.name().equals(file.name()) || !differences.isEmpty()) {
            throw new UserError(run + " is a run of " + before.name() + " with other settings"
                    + (differences.isEmpty() ? "" : " (" + String.join(", ", differences) + ")")
                    + ": choose another --out");
        }
        boolean isDone = run.isJudged() && file.hasBudgetOf(before);
        if (!isDone && !resume) {
            throw new UserError(
                    run + (run.isJudged() ? " has another budget" : " is not finished") + ": --resume continues it");
        }
        return isDone;
    }

    private String place(Member member, List<Member> members) {
        return member.name() + ", " + (members.indexOf(member) + 1) + " of " + count
                + (member.isDone() ? ": is there already" : "");
    }

    /** Trains the seeds in sequence. Returns the status if one was stopped, else 0. */
    private int inTurn(List<Member> members, SweepFolder folder, StopRequest stopRequest) {
        for (Member member : members) {
            say(place(member, members));
            int status = member.isDone() ? 0 : run(member, folder, stopRequest);
            stopRequest.atRest(SideBySide.AT_REST);
            if (status != 0 && status != Training.UNJUDGED) {
                say("next     the same command with --resume continues with this seed, and then the others");
                return status;
            }
        }
        return 0;
    }

    private int run(Member member, SweepFolder folder, StopRequest stopRequest) {
        ExperimentFile file = member.isBegun() ? member.folder().file(resumed(member), at()) : member.file();
        String resumedBy = CommandContext.command("run", folder, "--seeds", count, "--resume");
        RunRequest request = new RunRequest(
                workplace,
                file,
                options.runner(file),
                member.folder(),
                member.changes(),
                new Flags(quiet, options.detectAnomaly(), 0, options.tensorBoard(), 1),
                new Beginning(member.isBegun(), false, Optional.empty(), Optional.of(resumedBy), Optional.empty()));
        return new Training(request, stopRequest).run();
    }

    /** Returns the settings of a resumed seed: those with which runs begin are in its folder. */
    private List<String> resumed(Member member) {
        return joined(configuration.changes(), List.of("seed=" + member.seed()));
    }

    /** Trains several seeds in parallel. Returns the status if they were stopped, else 0. */
    private int beside(List<Member> members, Map<String, String> failures, StopRequest stopRequest) {
        members.stream().filter(Member::isDone).forEach(member -> say(place(member, members)));
        List<Member> open = members.stream().filter(member -> !member.isDone()).toList();
        try (SideBySide beside = new SideBySide(workplace, atOnce, stopRequest, quiet)) {
            if (!open.isEmpty()) {
                beside.announce(open.get(0).file().threads());
            }
            beside.run("seeds", open.stream().map(this::job).toList(), false, ended -> {
                boolean isFine = ended.status() == 0;
                if (!isFine) {
                    failures.put(ended.job().name(), ended.reason());
                }
                return new SideBySide.Outcome(isFine, "");
            });
            return stopRequest.isRequested() ? beside.stopped() : 0;
        }
    }

    private SideBySide.Job job(Member member) {
        return SideBySide.Job.of(
                member.name(),
                member.folder(),
                configuration.name(),
                member.changes(),
                resumed(member),
                configuration.jars(),
                options.arguments());
    }

    private void say(String line) {
        if (!quiet) {
            workplace.terminal().remark(line);
        }
    }

    private void summarise(
            String name, List<Member> members, SweepFolder folder, Map<String, Evaluation.Range> ranges) {
        SeedFacts facts = CommandFailure.unless(() -> SeedFacts.of(
                name,
                members.stream().map(Member::seed).toList(),
                members.stream().map(member -> member.folder().scores()).toList(),
                ranges));
        SweepFolder.write(folder.seedFacts(), facts.json());
        facts.lines().forEach(workplace.terminal()::say);
        say("wrote    " + folder.seedFacts());
        CommandFailure.unless(() -> SeedCurves.write(
                        name,
                        members.stream().map(member -> member.folder().path()).toList(),
                        folder.path()))
                .forEach(file -> say("wrote    " + file));
    }
}
