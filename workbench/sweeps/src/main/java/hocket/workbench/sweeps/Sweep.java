package hocket.workbench.sweeps;

import hocket.workbench.files.UserError;
import hocket.workbench.files.experiment.ExperimentFile;
import hocket.workbench.runs.CommandContext;
import hocket.workbench.runs.CommandFailure;
import hocket.workbench.runs.RunFolder;
import hocket.workbench.runs.RunLock;
import hocket.workbench.runs.SelectedExperiment;
import hocket.workbench.terminal.NumberFormats;
import hocket.workbench.training.StopRequest;
import hocket.workbench.training.processes.SideBySide;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Runs the trials of a sweep in parallel, each seed of each in a folder of its own, and reports their results. Its next
 * step depends only on the results on the disk, so it can resume at any time.
 *
 * @param jars added jars and folders of classes, as they were given
 * @param atOnce number of runs that train in parallel
 */
public record Sweep(
        CommandContext workplace,
        SweepFile file,
        SweepFolder folder,
        List<String> jars,
        int atOnce,
        StopRequest stop,
        boolean quiet) {
    static final int FAILED = 1;

    /** The threads of each run if the experiment sets none. */
    public int threads() {
        return SideBySide.threads(file.base(), atOnce);
    }

    /** Returns what the sweep would do, for people. */
    public List<String> plan() {
        requireOne();
        return new SweepPlan(file, SweepTrial.of(file.spec()), atOnce, threads()).lines();
    }

    /** Rejects settings with which no trial could begin; one trial that can begin is enough. */
    private void requireOne() {
        SweepTrial one = one();
        if (isPopulation()) {
            new ExplorableSettings(file, one).require();
        }
    }

    private SweepTrial one() {
        UserError first = null;
        for (SweepTrial sweepTrial : SweepTrial.of(file.spec())) {
            try {
                require(file.base(sweepTrial.changes()));
                return sweepTrial;
            } catch (UserError userError) {
                first = first == null ? userError : first;
            }
        }
        throw Objects.requireNonNull(first);
    }

    private void require(ExperimentFile first) {
        SelectedExperiment selectedExperiment = SelectedExperiment.of(first);
        first.checkStartup(selectedExperiment.setup());
        String dividing = Rungs.of(file.spec().strategy()).count() > 1
                ? "successive_halving"
                : isPopulation() ? "population" : "";
        if (!dividing.isEmpty() && selectedExperiment.setup().phases().size() > 1) {
            throw new UserError("strategy: " + dividing + " divides the budget, and " + first.name()
                    + " has several phases, each with a budget of its own");
        }
    }

    private boolean isPopulation() {
        return file.spec().strategy() instanceof StrategySpec.PopulationSpec;
    }

    /**
     * Runs the trials that are not done.
     *
     * @param resume whether an existing sweep is resumed
     * @return the exit status: 0, that of the signal which stopped it, or 1 if no trial has a result
     * @throws UserError if the folder holds another sweep, or the experiment is invalid
     * @throws CommandFailure if the first run to end lacks the score that decides
     */
    public int run(boolean resume) {
        stop.atRest(SideBySide.AT_REST);
        requireOne();
        if (!resume || !folder.isBegun()) {
            String base = file.base(file.base().spec().threads() > 0 ? List.of() : List.of("threads=" + threads()))
                    .text();
            try (RunLock lock = folder.begin(file, base)) {
                return run(lock);
            }
        }
        try (RunLock lock = folder.resume(file, workplace.surroundings(jars))) {
            return run(lock);
        }
    }

    private int run(RunLock held) {
        ExperimentFile base = ExperimentFile.read(folder.base().toString(), List.of(), workplace.surroundings(jars));
        say("into     " + held.folder());
        try (Results results = CommandFailure.unless(() -> new Results(folder.results()))) {
            if (isPopulation()) {
                return new PopulationSweep(
                                this,
                                base,
                                Population.of(file.spec(), base.spec().seed(), results))
                        .run();
            }
            TrialRanking trialRanking = new TrialRanking(
                    file.spec(), SweepTrial.of(file.spec()), base.spec().seed(), results);
            Rungs rungs = Rungs.of(file.spec().strategy());
            try (SideBySide beside = new SideBySide(workplace, atOnce, stop, quiet)) {
                beside.announce(base.spec().threads());
                for (int rung = 0; rung < rungs.count() && !stop.isRequested(); rung++) {
                    train(trialRanking, rungs, rung, beside);
                }
                if (stop.isRequested()) {
                    return beside.stopped();
                }
            }
            return end(trialRanking, base.name());
        }
    }

    /** Trains all runs of a rung that are not done. */
    private void train(TrialRanking trialRanking, Rungs rungs, int rung, SideBySide beside) {
        Map<SideBySide.Job, Results.Run> jobs = new LinkedHashMap<>();
        for (SweepTrial sweepTrial : trialRanking.of(rung)) {
            for (long seed : trialRanking.seeds()) {
                Results.Run run = new Results.Run(sweepTrial.number(), rung, seed);
                if (trialRanking.results().of(run).isEmpty()) {
                    jobs.put(job(sweepTrial, seed, rungs.part(rung)), run);
                }
            }
        }
        if (jobs.isEmpty()) {
            return;
        }
        String of = rungs.count() > 1 ? " of rung " + (rung + 1) + " of " + rungs.count() : "";
        boolean isLast = rung == rungs.count() - 1;
        train("runs" + of, jobs, !isLast, trialRanking.results(), beside);
    }

    /** Trains runs and adds the result of each. */
    void train(
            String nouns, Map<SideBySide.Job, Results.Run> jobs, boolean moreCome, Results results, SideBySide beside) {
        beside.run(nouns, List.copyOf(jobs.keySet()), moreCome, ended -> {
            Results.Result result = result(Objects.requireNonNull(jobs.get(ended.job())), ended, results.anyHasValue());
            results.put(result);
            return result.value() != null
                    ? new SideBySide.Outcome(
                            true, file.spec().objective().name() + " " + NumberFormats.score(result.value()))
                    : new SideBySide.Outcome(false, String.valueOf(result.failed()));
        });
    }

    private SideBySide.Job job(SweepTrial sweepTrial, long seed, double part) {
        boolean isOnly = file.spec().seeds() == 1;
        RunFolder run = folder.run(sweepTrial, seed, isOnly);
        String name = "trial " + sweepTrial.number() + (isOnly ? "" : " seed " + seed);
        List<String> changes = new ArrayList<>(sweepTrial.changes());
        changes.add("seed=" + seed);
        List<String> options = part < 1 ? List.of("--until", Double.toString(part)) : List.of();
        return SideBySide.Job.of(name, run, folder.base().toString(), changes, List.of(), jars, options);
    }

    /**
     * Returns the result of a run. One that did not record the metric has failed, as has one without the score if others have it; else
     * the score is no score of this experiment.
     */
    private Results.Result result(Results.Run run, SideBySide.Ended ended, boolean anyHasValue) {
        if (ended.status() != 0) {
            return result(run, null, ended.reason(), ended.seconds());
        }
        double value;
        try {
            value = file.spec().objective().of(ended.job().folder());
        } catch (IllegalArgumentException e) {
            if (anyHasValue || file.spec().objective().isMetric()) {
                return result(run, null, e.getMessage(), ended.seconds());
            }
            throw new CommandFailure(CommandFailure.words(e), e);
        }
        return Double.isFinite(value)
                ? result(run, value, null, ended.seconds())
                : result(run, null, file.spec().objective().name() + " is " + value, ended.seconds());
    }

    static Results.Result result(Results.Run run, @Nullable Double value, @Nullable String failed, double seconds) {
        return new Results.Result(run.trial(), run.rung(), run.seed(), value, failed, seconds);
    }

    private int end(TrialRanking trialRanking, String experiment) {
        List<TrialProgress> all = trialRanking.all();
        if (!report(experiment, all)) {
            return FAILED;
        }
        TrialProgress best = all.get(0);
        RunFolder run =
                folder.run(best.trial(), trialRanking.firstSeed(), file.spec().seeds() == 1);
        say("best     " + run);
        say("next     " + CommandContext.command("run", run.experiment(), "--out", "best"));
        return 0;
    }

    /**
     * Prints the trials and writes them as table, document and picture.
     *
     * @param all the best first
     * @return whether one of them has a result
     */
    boolean report(String experiment, List<TrialProgress> all) {
        SweepFacts facts = SweepFacts.of(file.name(), experiment, file.spec(), all);
        SweepFolder.write(folder.table(), facts.csv());
        SweepFolder.write(folder.facts(), facts.json());
        facts.lines().forEach(workplace.terminal()::say);
        say("wrote    " + folder.table());
        say("wrote    " + folder.facts());
        if (all.get(0).value().isEmpty()) {
            workplace.terminal().remark("hocket: no trial has finished");
            return false;
        }
        CommandFailure.unless(() -> new SweepPicture(file, all).write(folder.path()))
                .forEach(picture -> say("wrote    " + picture));
        return true;
    }

    void say(String line) {
        if (!quiet) {
            workplace.terminal().remark(line);
        }
    }
}
