package hocket.rl.replay;

import hocket.programs.Program;
import hocket.rl.actors.Tally;
import hocket.rl.actors.Worlds;
import hocket.rl.returns.Layout;
import hocket.rl.returns.Truncation;
import hocket.rl.returns.VTrace;
import hocket.schedulers.Limits;
import hocket.schedulers.Run;
import hocket.schedulers.State;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A turn of Java that takes trajectories, made by policies of some updates ago, and judges them by the networks as they are
 * now: the returns are the targets of V-trace, the advantages its own (Espeholt et al. 2018, section 4). To be trained on by
 * {@link Minibatches} before the next; a row's log-probability is that of the policy that acted.
 *
 * <p>It reports {@code steps}, {@code episode_return} and {@code episode_length} of the trajectories that it took;
 * {@code lag} and {@code lag_max}, how many updates the policies that acted were behind, in the mean and at most; and
 * {@code ratio}, the mean of {@code min(rho_bar, ρ)}: 1 where nothing was off. Its state are its own worlds, and what was
 * collected; others that give trajectories begin anew.
 */
public final class TrajectoryBatch extends Collector {
    private final Worlds worlds;
    private final Acting acting;
    private final Program judge;
    private final int trajectories;
    private final double gamma;
    private final Truncation truncation;
    private final VTrace vTrace;
    private final Layout layout;
    private final Tally tally = new Tally();
    private final List<Trajectory> batch = new ArrayList<>();
    private Trajectories from;
    private boolean isOfOthers;
    private final float[] rewards;
    private final boolean[] terminated;
    private final boolean[] truncated;
    private final float[] finalValues;
    private final float[] nextValues;
    private final float[] discounts;
    private final float[] ratios;

    /**
     * Batches of so many trajectories.
     *
     * @param worlds that are stepped, unless others give trajectories
     * @param acting how they are made, by the policy that is trained
     * @param own gives trajectories of these worlds
     * @param judge an EVAL program whose targets are the value of each row's {@code observation}, and the log-probability of
     *     its {@code action}
     * @param trajectories of one environment each, in a batch: a multiple of how many step together
     * @param gamma discount of a step
     * @param truncation what a time limit does to a return
     */
    public TrajectoryBatch(
            Worlds worlds,
            Acting acting,
            Trajectories own,
            Program judge,
            int trajectories,
            double gamma,
            Truncation truncation,
            VTrace vTrace) {
        super(
                worlds.observationSpace(),
                worlds.actionSpace(),
                room(acting.steps(), trajectories, worlds.observationSpace().width()),
                room(acting.steps(), trajectories, worlds.actionSpace().width()));
        this.worlds = worlds;
        this.acting = acting;
        this.judge = judge;
        this.trajectories = trajectories;
        this.gamma = gamma;
        this.truncation = truncation;
        this.vTrace = vTrace;
        from = own;
        layout = Layout.timeMajor(acting.steps(), trajectories);
        rewards = new float[rows()];
        terminated = new boolean[rows()];
        truncated = new boolean[rows()];
        finalValues = new float[rows()];
        nextValues = new float[rows()];
        discounts = new float[rows()];
        ratios = new float[rows()];
    }

    private static float[] room(int steps, int trajectories, int width) {
        return new float[Limits.elements("batch of trajectories", steps, trajectories, width)];
    }

    /** How actors elsewhere make what it takes. */
    public Acting acting() {
        return acting;
    }

    /** What they step: worlds of their own like these. */
    public Worlds worlds() {
        return worlds;
    }

    /** Takes trajectories from others, in place of its own worlds; before the first turn. */
    public void takeFrom(Trajectories others) {
        from = others;
        isOfOthers = true;
    }

    @Override
    public State save() {
        return super.save().with("worlds", worlds.save()).with("tally", tally.save());
    }

    @Override
    public void restore(State state) {
        restore(state, () -> {
            batch.clear();
            worlds.restore(state.state("worlds"));
            tally.restore(state.state("tally"));
        });
    }

    @Override
    List<String> notes() {
        List<String> notes = new ArrayList<>(worlds.notes());
        notes.add(
                isOfOthers
                        ? "trajectories come from actors elsewhere, as they arrive: the run does not repeat to the bit"
                        : "trajectories of its own worlds; with --actors as they arrive, and not repeatable to the bit");
        return notes;
    }

    @Override
    void collect(Run run) {
        while (batch.size() * worlds.count() < trajectories) {
            batch.add(from.next(run, collected())); // who is asked to end here may go on, with those that have come
        }
        Judge judging = new Judge(run.bind(judge), observationWidth, actionWidth);
        float[] behind = new float[trajectories * observationWidth];
        Arrays.fill(finalValues, 0);
        for (int i = 0; i < batch.size(); i++) {
            place(batch.get(i), i * worlds.count(), behind);
            judgeCutOff(judging, batch.get(i), i * worlds.count());
        }
        judgeAll(judging, behind);
        correct();
        report(run);
        batch.clear();
    }

    /** Puts a trajectory beside the others, from a column on. */
    private void place(Trajectory trajectory, int column, float[] behind) {
        int environments = trajectory.environments();
        for (int t = 0; t < trajectory.steps(); t++) {
            int from = t * environments;
            int to = layout.at(t, column);
            copy(trajectory.observations(), from, observations, to, environments, observationWidth);
            copy(trajectory.actions(), from, actions, to, environments, actionWidth);
            copy(trajectory.logProbabilities(), from, logProbabilities, to, environments, 1);
            copy(trajectory.rewards(), from, rewards, to, environments, 1);
            System.arraycopy(trajectory.terminated(), from, terminated, to, environments);
            System.arraycopy(trajectory.truncated(), from, truncated, to, environments);
        }
        copy(trajectory.observations(), trajectory.rows(), behind, column, environments, observationWidth);
    }

    private static void copy(float[] source, int from, float[] target, int to, int rows, int width) {
        System.arraycopy(source, from * width, target, to * width, rows * width);
    }

    /** Values of what was observed last in episodes that a limit of time cut off. */
    private void judgeCutOff(Judge judging, Trajectory trajectory, int column) {
        int environments = trajectory.environments();
        float[] ofCutOff = judging.values(trajectory.cutOff(), trajectory.actions(), trajectory.cuts(), environments);
        int next = 0;
        for (int row = 0; next < ofCutOff.length; row++) {
            if (trajectory.truncated()[row]) {
                finalValues[layout.at(row / environments, column + row % environments)] = ofCutOff[next++];
            }
        }
    }

    /** Values of all rows and of those behind them, and by how much more probable their actions have become. */
    private void judgeAll(Judge judging, float[] behind) {
        float[] last = new float[trajectories];
        judging.judge(behind, actions, trajectories, last);
        judging.judge(observations, actions, rows(), values);
        judging.more(rows(), ratios);
        for (int row = 0; row < ratios.length; row++) {
            ratios[row] = (float) StrictMath.exp(ratios[row] - logProbabilities[row]);
        }
        System.arraycopy(values, trajectories, nextValues, 0, rows() - trajectories);
        System.arraycopy(last, 0, nextValues, rows() - trajectories, trajectories);
    }

    private void correct() {
        truncation.fold(layout, gamma, rewards, terminated, truncated, finalValues, rewards, discounts);
        vTrace.targets(layout, rewards, discounts, values, nextValues, ratios, returns);
        vTrace.actionValues(layout, rewards, discounts, values, nextValues, returns, advantages);
        vTrace.advantages(layout, values, ratios, advantages, advantages);
    }

    private void report(Run run) {
        double lag = 0;
        long most = 0;
        for (Trajectory trajectory : batch) {
            tally.stepped(trajectory.rows());
            trajectory.episodes().forEach(episode -> tally.ended(episode.ret(), episode.length()));
            lag += collected() - trajectory.version();
            most = Math.max(most, collected() - trajectory.version());
        }
        double ratio = 0;
        for (float each : ratios) {
            ratio += Math.min(vTrace.clipRho(), each);
        }
        tally.report(run);
        run.report("lag", lag / batch.size());
        run.report("lag_max", most);
        run.report("ratio", ratio / ratios.length);
        from.report(run);
    }
}
