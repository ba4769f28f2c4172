package hocket.workbench;

import hocket.schedulers.Experiment;
import hocket.schedulers.Scheduler;
import hocket.schedulers.optimizers.Kernels;
import hocket.scopes.Parameters;
import hocket.workbench.json.RunFile;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * A run that has passed every check; nothing is written yet. Close it after use.
 *
 * @param choice what is run
 * @param file what will be written about it
 * @param folder where
 * @param resumedAt turns that had been taken before, where it goes on
 */
record PreparedRun(
        Choice choice,
        RunFile file,
        RunFolder folder,
        Experiment experiment,
        Parameters parameters,
        Scheduler scheduler,
        OptionalLong resumedAt)
        implements AutoCloseable {
    /**
     * A run from the start.
     *
     * @throws Refusal if the folder is taken, or settings, data or plan are refused
     */
    static PreparedRun fresh(Choice choice, RunFolder folder) {
        if (folder.isTaken()) {
            throw new Refusal(folder + " exists and is not empty: take another --out, or go on there with --resume");
        }
        Experiment experiment = checked(choice);
        int threads = Runtime.getRuntime().availableProcessors();
        return scheduled(choice, folder, experiment, threads, OptionalLong.empty());
    }

    /**
     * A run that goes on from its newest checkpoint.
     *
     * @param changes of settings, each {@code key=value}; only epochs may change
     * @throws Refusal if there is no such run or checkpoint, it is another experiment's, or changes are refused
     */
    static PreparedRun resumed(String name, RunFolder folder, List<String> changes) {
        SavedRun saved = SavedRun.open(folder, OptionalLong.empty());
        if (!saved.file().experiment().equals(name)) {
            throw new Refusal(folder + " is a run of " + saved.file().experiment() + ", not of " + name);
        }
        Choice before = saved.choice();
        Choice choice = before.with(changes);
        Map<String, Object> recorded = Choice.values(before.settings());
        Choice.values(choice.settings()).forEach((key, value) -> {
            if (!key.equals("epochs") && !value.equals(recorded.get(key))) {
                throw new Refusal("a resumed run keeps its settings; only epochs can be changed, not " + key);
            }
        });
        Experiment experiment = checked(choice);
        PreparedRun run = scheduled(choice, folder, experiment, saved.file().threads(), OptionalLong.of(saved.step()));
        try {
            run.scheduler().restore(saved.state());
            return run;
        } catch (RuntimeException | Error e) {
            run.close();
            if (!(e instanceof IllegalArgumentException)) {
                throw e;
            }
            throw new Refusal("the checkpoint in " + folder + " does not fit: " + e.getMessage(), e);
        }
    }

    private static Experiment checked(Choice choice) {
        Experiment experiment = choice.build();
        Refusal.unless(experiment::check);
        return experiment;
    }

    private static PreparedRun scheduled(
            Choice choice, RunFolder folder, Experiment experiment, int threads, OptionalLong resumedAt) {
        Parameters parameters = Refusal.unless(() -> experiment.initialise(choice.seed()));
        try {
            RunFile file = new RunFile(
                    choice.name(),
                    Version.number(),
                    Engines.lowering(),
                    Kernels.best().name(),
                    threads,
                    Choice.values(choice.settings()));
            Scheduler scheduler = Refusal.unless(() -> experiment.schedule(parameters, threads));
            return new PreparedRun(choice, file, folder, experiment, parameters, scheduler, resumedAt);
        } catch (RuntimeException | Error e) {
            parameters.close();
            throw e;
        }
    }

    @Override
    public void close() {
        scheduler.close();
        parameters.close();
    }
}
