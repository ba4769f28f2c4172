package hocket.workbench.sweeps;

import hocket.workbench.experiment.ExperimentFile;
import hocket.workbench.processes.SideBySide;
import hocket.workbench.runs.Failure;
import hocket.workbench.runs.RunFolder;
import hocket.workbench.runs.RunLock;
import hocket.workbench.runs.Selected;
import hocket.workbench.runs.Workplace;
import hocket.workbench.terminal.Figures;
import hocket.workbench.terminal.Refusal;
import hocket.workbench.training.Stop;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Runs the trials of a sweep side by side, each seed of each in a folder of its own, and says what they have come
 * to. What it does next depends on what has been written down alone: it goes on from whatever is there.
 *
 * @param jars jars and folders of classes, as they were given
 * @param atOnce how many train at a time
 */
public record Sweep(
        Workplace workplace,
        SweepFile file,
        SweepFolder folder,
        List<String> jars,
        int atOnce,
        Stop stop,
        boolean quiet) {
    private static final int FAILED = 1;

    /** Threads for each run where the experiment says none. */
    public int threads() {
        return SideBySide.threads(file.base(), atOnce);
    }

    /** What it would do, for people. */
    public List<String> plan() {
        requireOne();
        return new SweepPlan(file, Trial.of(file.spec()), atOnce, threads()).lines();
    }

    /** Refuses what no trial could begin with, as the run of the first would; one that can is enough. */
    private void requireOne() {
        Refusal first = null;
        for (Trial trial : Trial.of(file.spec())) {
            try {
                require(file.base(trial.changes()));
                return;
            } catch (Refusal refusal) {
                first = first == null ? refusal : first;
            }
        }
        throw Objects.requireNonNull(first);
    }

    private void require(ExperimentFile first) {
        Selected selected = Selected.of(first);
        first.checkStartup(selected.setup());
        boolean isHalving = Rungs.of(file.spec().strategy()).count() > 1;
        if (isHalving && selected.setup().phases().size() > 1) {
            throw new Refusal("strategy: successive_halving divides the budget, and " + first.name()
                    + " has several phases, each with a budget of its own");
        }
    }

    /**
     * Runs what has not been run.
     *
     * @param resume whether a sweep that is there goes on
     * @return the exit status: 0, that of the signal which stopped it, or 1 where nothing came of any trial
     * @throws Refusal if the folder holds another sweep, or the experiment refuses
     * @throws Failure if no run has what trials are judged by
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
        try (RunLock lock = folder.goOn(file, workplace.surroundings(jars))) {
            return run(lock);
        }
    }

    private int run(RunLock held) {
        ExperimentFile base = ExperimentFile.read(folder.base().toString(), List.of(), workplace.surroundings(jars));
        say("into     " + held.folder());
        try (Results results = Failure.unless(() -> new Results(folder.results()))) {
            Standings standings = new Standings(
                    file.spec(), Trial.of(file.spec()), base.spec().seed(), results);
            Rungs rungs = Rungs.of(file.spec().strategy());
            try (SideBySide beside = new SideBySide(workplace, atOnce, stop, quiet)) {
                beside.announce(base.spec().threads());
                for (int rung = 0; rung < rungs.count() && !stop.isRequested(); rung++) {
                    train(standings, rungs, rung, beside);
                }
                if (stop.isRequested()) {
                    return beside.stopped();
                }
            }
            return end(standings, base.name());
        }
    }

    /** Trains all of a rung that are not there yet. */
    private void train(Standings standings, Rungs rungs, int rung, SideBySide beside) {
        Map<SideBySide.Job, Results.Run> jobs = new LinkedHashMap<>();
        for (Trial trial : standings.of(rung)) {
            for (long seed : standings.seeds()) {
                Results.Run run = new Results.Run(trial.number(), rung, seed);
                if (standings.results().of(run).isEmpty()) {
                    jobs.put(job(trial, seed, rungs.part(rung)), run);
                }
            }
        }
        if (jobs.isEmpty()) {
            return;
        }
        String of = rungs.count() > 1 ? " of rung " + (rung + 1) + " of " + rungs.count() : "";
        boolean isLast = rung == rungs.count() - 1;
        beside.run("runs" + of, List.copyOf(jobs.keySet()), !isLast, ended -> {
            Results.Result result = result(Objects.requireNonNull(jobs.get(ended.job())), ended);
            standings.results().put(result);
            return result.value() != null
                    ? new SideBySide.Outcome(true, file.spec().objective().name() + " " + Figures.score(result.value()))
                    : new SideBySide.Outcome(false, String.valueOf(result.failed()));
        });
    }

    private SideBySide.Job job(Trial trial, long seed, double part) {
        boolean isOnly = file.spec().seeds() == 1;
        RunFolder run = folder.run(trial, seed, isOnly);
        String name = "trial " + trial.number() + (isOnly ? "" : " seed " + seed);
        List<String> changes = new ArrayList<>(trial.changes());
        changes.add("seed=" + seed);
        List<String> options = part < 1 ? List.of("--until", Double.toString(part)) : List.of();
        return SideBySide.Job.of(name, run, folder.base().toString(), changes, List.of(), jars, options);
    }

    private Results.Result result(Results.Run run, SideBySide.Ended ended) {
        if (ended.status() != 0) {
            return result(run, null, ended.reason(), ended.seconds());
        }
        double value =
                Failure.unless(() -> file.spec().objective().of(ended.job().folder()));
        return Double.isFinite(value)
                ? result(run, value, null, ended.seconds())
                : result(run, null, file.spec().objective().name() + " is " + value, ended.seconds());
    }

    private static Results.Result result(
            Results.Run run, @Nullable Double value, @Nullable String failed, double seconds) {
        return new Results.Result(run.trial(), run.rung(), run.seed(), value, failed, seconds);
    }

    private int end(Standings standings, String experiment) {
        List<Standing> all = standings.all();
        SweepFacts facts = SweepFacts.of(file.name(), experiment, file.spec(), all);
        SweepFolder.write(folder.table(), facts.csv());
        SweepFolder.write(folder.facts(), facts.json());
        facts.lines().forEach(workplace.terminal()::say);
        say("wrote    " + folder.table());
        say("wrote    " + folder.facts());
        Standing best = all.get(0);
        if (best.value().isEmpty()) {
            workplace.terminal().remark("hocket: no trial came to its end");
            return FAILED;
        }
        Failure.unless(() -> new SweepPicture(file, all).write(folder.path()))
                .forEach(picture -> say("wrote    " + picture));
        RunFolder run =
                folder.run(best.trial(), standings.firstSeed(), file.spec().seeds() == 1);
        say("best     " + run);
        say("next     " + Workplace.command("run", run.experiment(), "--out", "best"));
        return 0;
    }

    private void say(String line) {
        if (!quiet) {
            workplace.terminal().remark(line);
        }
    }
}
