package hocket.rl.settings;

import hocket.rl.actors.Exploration;
import hocket.rl.actors.Policy;
import hocket.rl.actors.TrainingEnvironments;
import hocket.rl.envs.Environment;
import hocket.rl.replay.Replay;
import hocket.rl.replay.ReplayCollector;
import hocket.rl.replay.StepRecorder;
import hocket.rl.replay.Transitions;
import hocket.rl.sampling.Sampler;
import hocket.schedulers.settings.Setting;
import java.util.function.Supplier;

/** The replay buffer of an off-policy algorithm, and the steps and rows of its collections and updates. */
public record ReplaySettings(
        @Setting(usually = "1000000", least = 1, most = 1e9, help = "capacity of the replay buffer in transitions")
        int replay,

        @Setting(usually = "100", least = 1, most = 1e9, help = "random steps before the first update")
        int learningStarts,

        @Setting(usually = "256", least = 1, most = 1e6, help = "transitions of an update")
        int batch,

        @Setting(usually = "1", least = 1, most = 1e6, help = "steps in each environment between updates")
        int collect)
        implements ReplaySettingsCopies {

    /**
     * Returns the steps of a run that are learnt from.
     *
     * @throws IllegalArgumentException if none remain, or the buffer is smaller than a batch
     */
    public long learning(TaskSettings task) {
        requireNoLess("batch", batch);
        return StepBudgets.learning(task.totalSteps(), learningStarts);
    }

    /** Returns the environment steps of a collection. */
    public long collected(TaskSettings task) {
        return (long) collect * task.environments().count();
    }

    /**
     * Opens the environments at their start; notes say where whole rounds take more steps than a setting says.
     *
     * @param world makes one
     * @param gamma discount of a step, for the normalisation of rewards
     * @param learning the steps of all rounds
     */
    public TrainingEnvironments open(
            TaskSettings task, Supplier<? extends Environment> world, double gamma, long learning) {
        return task.environments()
                .open(world, gamma)
                .withNotes(StepBudgets.notes(
                        task.totalSteps(), learningStarts, task.environments().count(), learning));
    }

    /** Makes an empty buffer for transitions of these environments, drawn uniformly. */
    public Replay buffer(TaskSettings task, TrainingEnvironments all) {
        return buffer(task, all, Sampler.uniform());
    }

    /** Makes an empty buffer for transitions of these environments. */
    public Replay buffer(TaskSettings task, TrainingEnvironments all, Sampler sampler) {
        Replay buffer =
                Transitions.replay(all.observationSpace(), all.actionSpace(), replay, batch, all.isMasked(), sampler);
        buffer.expect(task.totalSteps());
        return buffer;
    }

    /**
     * Makes the action that collects transitions.
     *
     * @param nSteps steps of a return; a transition leads over as many
     * @param gamma discount of a step
     */
    public ReplayCollector collector(
            TrainingEnvironments all, Policy policy, Exploration exploration, Replay buffer, int nSteps, double gamma) {
        return collector(all, policy, exploration, new Transitions(all, buffer, nSteps, gamma));
    }

    /** Makes the action that collects rows. */
    public ReplayCollector collector(
            TrainingEnvironments all, Policy policy, Exploration exploration, StepRecorder recorder) {
        return new ReplayCollector(all, policy, exploration, recorder, learningStarts, collect);
    }

    /**
     * @throws IllegalArgumentException if the buffer keeps fewer transitions than an n-step return has, or none need be there at the
     *     first update
     */
    public void requireSteps(int nSteps, TaskSettings task) {
        requireNoLess("n_steps", nSteps);
        long first = firstSteps(task.environments().count());
        if (first < nSteps) {
            throw new IllegalArgumentException("learning_starts must let each of the "
                    + task.environments().count() + " environments take n_steps " + nSteps
                    + " before the first update, it takes " + first + ": learning_starts of "
                    + (long) (nSteps - collect) * task.environments().count() + " does");
        }
    }

    /** Returns the steps that each of some environments takes before the first update. */
    long firstSteps(int environments) {
        return StepBudgets.rounds(learningStarts, environments) + collect;
    }

    private void requireNoLess(String name, int value) {
        if (replay < value) {
            throw new IllegalArgumentException(
                    "replay must be at least " + name + ", were " + replay + " and " + value);
        }
    }
}
