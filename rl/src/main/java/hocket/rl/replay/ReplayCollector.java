package hocket.rl.replay;

import hocket.programs.Program;
import hocket.programs.execution.BoundProgram;
import hocket.rl.actors.Exploration;
import hocket.rl.actors.Policy;
import hocket.rl.actors.PolicyMemory;
import hocket.rl.actors.TrainingEnvironments;
import hocket.rl.envs.StateArrays;
import hocket.schedulers.Run;
import hocket.schedulers.state.State;
import hocket.schedulers.turns.Inheriting;
import hocket.schedulers.turns.RetryableAction;

/**
 * A turn of Java that steps environments and adds rows to a replay. The first turn also takes a number of random steps; every
 * turn then takes a few steps by the current policy, with exploration. The replay holds the original numbers and normalises
 * them when they are sampled, by the environments' statistics at that time.
 *
 * <p>It reports {@code steps}, {@code episode_return} and {@code episode_length}. The saved state holds the environments,
 * the steps that are in no row yet and the state of the policy's memory; the replay is saved as a source. Where a step fails,
 * those before it in the same turn stay, and the turn resumes at that step.
 */
public final class ReplayCollector implements RetryableAction, Inheriting, AutoCloseable {
    private static final float[] NONE = {};
    private final TrainingEnvironments environments;
    private final Policy policy;
    private final PolicyMemory memory;
    private final boolean isMasked;
    private final Exploration exploration;
    private final StepRecorder recorder;
    private final int randomSteps;
    private final int stepsPerTurn;
    private final int count;
    private final float[] chosen;
    private final RollbackState rollback;
    private boolean isRoomChecked;

    /** The steps of a turn that a failure ended; else 0. */
    private int taken;

    /**
     * Makes a collector of these environments.
     *
     * @param recorder makes the rows
     * @param randomSteps the number of random environment steps in the first turn, before its others
     * @param stepsPerTurn the number of steps of a turn in each environment, at least 1
     */
    public ReplayCollector(
            TrainingEnvironments environments,
            Policy policy,
            Exploration exploration,
            StepRecorder recorder,
            int randomSteps,
            int stepsPerTurn) {
        if (stepsPerTurn < 1) {
            throw new IllegalArgumentException("experience: steps of a turn must be at least 1, were " + stepsPerTurn);
        }
        this.environments = environments;
        this.policy = policy;
        isMasked = policy.isMasked();
        this.exploration = exploration;
        this.recorder = recorder;
        this.randomSteps = randomSteps;
        this.stepsPerTurn = stepsPerTurn;
        count = environments.count();
        memory = new PolicyMemory(policy, count);
        chosen = new float[count * environments.actionSpace().width()];
        rollback = new RollbackState(environments, this::saveSteps, this::restoreSteps);
        recorder.replay().collectedFrom(environments);
    }

    @Override
    public void act(Run run) {
        if (!isRoomChecked) {
            recorder.replay().requireRoom();
            isRoomChecked = true;
        }
        rollback.collect(() -> collect(run));
    }

    private void collect(Run run) {
        environments.begin(run);
        BoundProgram bound = run.bind(policy.program());
        while (environments.steps() < randomSteps) {
            rollback.keep();
            if (memory.state().length > 0) { // its state belongs to what it saw
                choose(bound);
            }
            Exploration.randomActions(environments.actionSpace(), chosen, masks(), count, environments.random());
            step(bound);
        }
        for (; taken < stepsPerTurn; taken++) {
            rollback.keep();
            choose(bound);
            exploration.explore(
                    environments.actionSpace(), chosen, masks(), count, environments.steps(), environments.random());
            step(bound);
        }
        taken = 0;
        environments.report(run);
    }

    /** The masks of actions, if the policy keeps to any. */
    private float[] masks() {
        return isMasked ? environments.masks() : NONE;
    }

    private void choose(BoundProgram bound) {
        memory.feed(bound, environments.episodeStarts());
        if (isMasked) {
            policy.mask(bound, environments.masks(), count);
        }
        policy.act(bound, environments.observations(), count, environments.steps(), environments.random(), chosen);
    }

    /** Steps all environments by the chosen actions. */
    private void step(BoundProgram bound) {
        recorder.acted(environments, chosen, memory.state());
        memory.take(bound);
        policy.transform().apply(environments.actionSpace(), chosen, environments.actions(), count);
        environments.step();
        recorder.stepped(environments);
    }

    @Override
    public State save() {
        State steps = rollback.toSave();
        State state = recorder.save().with("worlds", steps.state("worlds"));
        State counted = steps.has("taken") ? state.with("taken", steps.whole("taken")) : state;
        return steps.has("memory") ? counted.with("memory", steps.tensor("memory")) : counted;
    }

    /** Saves what a step changes before the recorder takes it. */
    private State saveSteps() {
        State state = State.empty().with("worlds", environments.save());
        State counted = taken == 0 ? state : state.with("taken", taken);
        return memory.state().length == 0 ? counted : counted.with("memory", StateArrays.tensor(memory.state()));
    }

    private void restoreSteps(State state) {
        float[] remembered = memory.state();
        float[] saved = remembered.length == 0 ? NONE : StateArrays.floats(state, "memory", remembered.length);
        environments.restore(state.state("worlds"));
        System.arraycopy(saved, 0, remembered, 0, saved.length);
        taken = state.has("taken") ? (int) state.whole("taken") : 0;
    }

    @Override
    public boolean canRetry() {
        return rollback.hasFailed();
    }

    /** The policy's program, which reads observations normalised as in training. */
    @Override
    public Program program() {
        return policy.program();
    }

    /** Copies the normalisation statistics of the other's environments. */
    @Override
    public void inherit(State saved) {
        environments.inherit(saved.state("worlds"));
    }

    @Override
    public void restore(State state) {
        Runnable restoring = recorder.restoring(state);
        restoreSteps(state);
        restoring.run();
        rollback.forget();
    }

    @Override
    public void close() {
        environments.close();
    }
}
