package hocket.rl.replay;

import hocket.programs.BoundProgram;
import hocket.programs.Program;
import hocket.programs.Value;
import hocket.rl.actors.Policy;
import hocket.rl.actors.Worlds;
import hocket.rl.envs.Space;
import hocket.rl.returns.Advantages;
import hocket.rl.returns.Layout;
import hocket.schedulers.Inheriting;
import hocket.schedulers.Run;
import hocket.schedulers.State;
import hocket.schedulers.Turn;
import hocket.scopes.Shape;
import hocket.scopes.Tensor;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;

/**
 * A turn of Java that steps environments for a number of steps by the policy as it is now, and what it collected, to be
 * trained on by {@link Minibatches} before the next. The networks see each observation once while acting; values and
 * log-probabilities of all rows are computed together at the end.
 *
 * <p>It reports {@code steps}, {@code episode_return} and {@code episode_length}. Its state are the environments, and what was
 * collected.
 */
public final class Rollout implements Turn.Action, Inheriting {
    private static final String[] TRAINED = {
        "observations", "actions", "log_probabilities", "values", "advantages", "returns"
    };

    private final Worlds worlds;
    private final Policy policy;
    private final Optional<Program> judge;
    private final Advantages estimate;
    private final Layout layout;
    private final int observationWidth;
    private final int actionWidth;
    private final int environments;
    private final int rows;

    final float[] observations;
    final float[] actions;
    final float[] logProbabilities;
    final float[] values;
    final float[] advantages;
    final float[] returns;
    private final float[] rewards;
    private final boolean[] terminated;
    private final boolean[] truncated;
    private final float[] finalValues;
    private final float[] lastValues;
    private final float[] chosen;
    private Optional<Program> rewarded = Optional.empty();
    private long collected;

    /**
     * A rollout of so many steps in each environment.
     *
     * @param worlds that are stepped; they begin the next episode at once
     * @param policy that acts
     * @param judge an EVAL program whose targets are the value of each row's {@code observation}, and, if there is a
     *     second one, the log-probability of its {@code action}
     * @param steps in each environment, at least 1
     * @param estimate of advantages
     */
    public Rollout(Worlds worlds, Policy policy, Program judge, int steps, Advantages estimate) {
        this(worlds, policy, Optional.of(judge), steps, estimate);
    }

    /** The same without anything that judges: all values are 0, and there are no log-probabilities. */
    public Rollout(Worlds worlds, Policy policy, int steps, Advantages estimate) {
        this(worlds, policy, Optional.empty(), steps, estimate);
    }

    private Rollout(Worlds worlds, Policy policy, Optional<Program> judge, int steps, Advantages estimate) {
        this.worlds = worlds;
        this.policy = policy;
        this.judge = judge;
        this.estimate = estimate;
        environments = worlds.count();
        layout = Layout.timeMajor(steps, environments);
        observationWidth = worlds.observationSpace().width();
        actionWidth = worlds.actionSpace().width();
        rows = Math.multiplyExact(steps, environments);
        observations = new float[Math.multiplyExact(rows, observationWidth)];
        actions = new float[Math.multiplyExact(rows, actionWidth)];
        logProbabilities = new float[rows];
        values = new float[rows];
        advantages = new float[rows];
        returns = new float[rows];
        rewards = new float[rows];
        terminated = new boolean[rows];
        truncated = new boolean[rows];
        finalValues = new float[rows];
        lastValues = new float[environments];
        chosen = new float[environments * actionWidth];
    }

    /**
     * This rollout, its steps rewarded by a program in place of the environments: what imitates rewards itself.
     *
     * @param program an EVAL program whose first target is the reward of each row's {@code observation} and {@code action}
     */
    public Rollout rewardedBy(Program program) {
        rewarded = Optional.of(program);
        return this;
    }

    /** How many rows it collects: steps times environments. */
    public int rows() {
        return rows;
    }

    Space observationSpace() {
        return worlds.observationSpace();
    }

    Space actionSpace() {
        return worlds.actionSpace();
    }

    /** How often it collected. */
    long collected() {
        return collected;
    }

    @Override
    public void act(Run run) {
        worlds.begin(run);
        BoundProgram acting = run.bind(policy.program());
        Optional<BoundProgram> judging = judge.map(run::bind);
        for (int t = 0; t < layout.steps(); t++) {
            int row = t * environments;
            System.arraycopy(
                    worlds.observations(), 0, observations, row * observationWidth, environments * observationWidth);
            policy.act(acting, worlds.observations(), environments, worlds.steps(), worlds.random(), chosen);
            System.arraycopy(chosen, 0, actions, row * actionWidth, chosen.length);
            policy.fit().into(worlds.actionSpace(), chosen, worlds.actions(), environments);
            worlds.step();
            for (int e = 0; e < environments; e++) {
                rewards[row + e] = (float) worlds.rewards()[e];
                terminated[row + e] = worlds.terminated()[e];
                truncated[row + e] = worlds.truncated()[e] && !worlds.terminated()[e];
            }
            if (judging.isPresent()) {
                judgeCutOff(judging.get(), row);
            }
        }
        judging.ifPresent(this::judgeAll);
        rewarded.ifPresent(program -> judge(run.bind(program), observations, actions, rows, rewards));
        estimate.advantages(
                layout, rewards, values, terminated, truncated, finalValues, lastValues, advantages, returns);
        collected++;
        worlds.report(run);
    }

    private void judgeAll(BoundProgram judging) {
        judge(judging, worlds.observations(), actions, environments, lastValues);
        judge(judging, observations, actions, rows, values);
        if (judging.program().targets().size() > 1) {
            copy(judging.result(1), rows, logProbabilities);
        }
    }

    /** Values of what was observed last in episodes that a limit of time cut off. */
    private void judgeCutOff(BoundProgram judging, int row) {
        boolean any = false;
        for (int e = 0; e < environments; e++) {
            any |= truncated[row + e];
        }
        if (any) {
            judge(judging, worlds.finalObservations(), actions, environments, lastValues);
            for (int e = 0; e < environments; e++) {
                finalValues[row + e] = truncated[row + e] ? lastValues[e] : 0;
            }
        }
    }

    private void judge(BoundProgram judging, float[] seen, float[] done, int count, float[] into) {
        List<Value> inputs = judging.program().inputs();
        for (int i = 0; i < inputs.size(); i++) {
            boolean isObservation = inputs.get(i).path().text().equals(Policy.OBSERVATION);
            Rows.put(
                    isObservation ? seen : done,
                    0,
                    count * (isObservation ? observationWidth : actionWidth),
                    inputs.get(i).type(),
                    judging.feed(i, count),
                    0);
        }
        judging.run(count, 0, 0);
        copy(judging.result(0), count, into);
    }

    private static void copy(ByteBuffer from, int count, float[] into) {
        for (int i = 0; i < count; i++) {
            into[i] = from.getFloat(i * Float.BYTES);
        }
    }

    @Override
    public State save() {
        State state = State.empty().with("worlds", worlds.save()).with("collected", collected);
        float[][] all = trained();
        for (int i = 0; collected > 0 && i < all.length; i++) {
            state = state.with(TRAINED[i], Tensor.of(Shape.of(all[i].length), all[i]));
        }
        return state;
    }

    /** What acts: it knows only observations that are normalised as in its training. */
    @Override
    public Program program() {
        return policy.program();
    }

    /** Takes over the statistics by which the other's environments were normalised. */
    @Override
    public void inherit(State saved) {
        worlds.inherit(saved.state("worlds"));
    }

    @Override
    public void restore(State state) {
        long saved = state.whole("collected");
        float[][] all = trained();
        float[][] values = new float[all.length][];
        for (int i = 0; i < all.length; i++) {
            values[i] = saved > 0 ? state.tensor(TRAINED[i]).floats() : new float[all[i].length];
            if (values[i].length != all[i].length) {
                throw new IllegalArgumentException("rollout: " + TRAINED[i] + " was saved with " + values[i].length
                        + " numbers, here it has " + all[i].length);
            }
        }
        worlds.restore(state.state("worlds"));
        for (int i = 0; i < all.length; i++) {
            System.arraycopy(values[i], 0, all[i], 0, all[i].length);
        }
        collected = saved;
    }

    /** What is trained on, by the names of {@link #TRAINED}. */
    private float[][] trained() {
        return new float[][] {observations, actions, logProbabilities, values, advantages, returns};
    }
}
