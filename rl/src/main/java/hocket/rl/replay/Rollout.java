package hocket.rl.replay;

import hocket.programs.Program;
import hocket.rl.actors.Policy;
import hocket.rl.actors.Worlds;
import hocket.rl.returns.Advantages;
import hocket.schedulers.Inheriting;
import hocket.schedulers.Run;
import hocket.schedulers.State;
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
public final class Rollout extends Collector implements Inheriting {
    private final Worlds worlds;
    private final Policy policy;
    private final Optional<Program> judge;
    private final Advantages estimate;
    private final Unroll unroll;
    private final int environments;
    private final float[] finalValues;
    private final float[] lastValues;
    private Optional<Program> rewarded = Optional.empty();

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
        this(worlds, policy, Optional.of(judge), new Unroll(worlds, policy, steps), estimate);
    }

    /** The same without anything that judges: all values are 0, and there are no log-probabilities. */
    public Rollout(Worlds worlds, Policy policy, int steps, Advantages estimate) {
        this(worlds, policy, Optional.empty(), new Unroll(worlds, policy, steps), estimate);
    }

    private Rollout(Worlds worlds, Policy policy, Optional<Program> judge, Unroll unroll, Advantages estimate) {
        super(worlds.observationSpace(), worlds.actionSpace(), unroll.observations, unroll.actions);
        this.worlds = worlds;
        this.policy = policy;
        this.judge = judge;
        this.estimate = estimate;
        this.unroll = unroll;
        environments = worlds.count();
        finalValues = new float[rows()];
        lastValues = new float[environments];
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

    @Override
    void collect(Run run) {
        worlds.begin(run);
        estimate.begins(worlds.began());
        unroll.step(run.bind(policy.program()));
        judge.ifPresent(program -> judgeAll(judge(run, program)));
        rewarded.ifPresent(program -> judge(run, program).judge(observations, actions, rows(), unroll.rewards));
        estimate.advantages(
                unroll.layout,
                unroll.rewards,
                values,
                unroll.terminated,
                unroll.truncated,
                finalValues,
                lastValues,
                advantages,
                returns);
        worlds.report(run);
    }

    @Override
    List<String> notes() {
        return worlds.notes();
    }

    private Judge judge(Run run, Program program) {
        return new Judge(run.bind(program), observationWidth, actionWidth);
    }

    private void judgeAll(Judge judging) {
        judgeCutOff(judging);
        judging.judge(worlds.observations(), actions, environments, lastValues);
        judging.judge(observations, actions, rows(), values);
        if (judging.givesMore()) {
            judging.more(rows(), logProbabilities);
        }
    }

    /** Values of what was observed last in episodes that a limit of time cut off. */
    private void judgeCutOff(Judge judging) {
        float[] ofCutOff = judging.values(unroll.cutOff, actions, unroll.cuts(), environments);
        int next = 0;
        for (int row = 0; row < finalValues.length; row++) {
            finalValues[row] = unroll.truncated[row] ? ofCutOff[next++] : 0;
        }
    }

    @Override
    public State save() {
        return super.save().with("worlds", worlds.save());
    }

    @Override
    public void restore(State state) {
        restore(state, () -> worlds.restore(state.state("worlds")));
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
}
