package hocket.rl.replay;

import hocket.programs.Program;
import hocket.rl.actors.EpisodeStatistics;
import hocket.rl.actors.TrainingEnvironments;
import hocket.rl.returns.RolloutLayout;
import hocket.rl.returns.Truncation;
import hocket.rl.returns.VTrace;
import hocket.schedulers.Run;
import hocket.schedulers.settings.Limits;
import hocket.schedulers.state.State;
import hocket.schedulers.turns.RetryableAction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A turn of Java that takes trajectories made by slightly older policies and corrects them by the current networks: the
 * returns are the targets of V-trace, the advantages its own (Espeholt et al. 2018, section 4). {@link Minibatches}
 * trains on the rows before the next batch; a row's log-probability is that of the policy that acted.
 *
 * <p>It reports {@code steps}, {@code episode_return} and {@code episode_length} of the trajectories it took; {@code
 * lag} and {@code lag_max}, the mean and maximum age of the acting policies in updates; and {@code ratio}, the mean of
 * {@code min(rho_bar, ρ)}, which is 1 for on-policy data. The saved state holds the learner's own environments and the
 * collected rows; other sources of trajectories restart.
 */
public final class TrajectoryBatch implements RetryableAction, AutoCloseable {
    private final TrainingEnvironments environments;
    private final ActorSettings actorSettings;
    private final Program evaluator;
    private final int trajectories;
    private final double gamma;
    private final Truncation truncation;
    private final VTrace vTrace;
    private final RolloutLayout layout;
    private final EpisodeStatistics statistics = new EpisodeStatistics();
    private final List<Trajectory> batch = new ArrayList<>();
    private final RollbackState rollback;
    private TrajectorySource from;
    private boolean hasOtherSource;
    private final Table table;
    private final int observationWidth;
    private final int actionWidth;
    private final float[] observations;
    private final float[] actions;
    private final int maskWidth;
    private final float[] masks;
    private final float[] logProbabilities;
    private final float[] values;
    private final float[] advantages;
    private final float[] returns;
    private final float[] rewards;
    private final boolean[] terminated;
    private final boolean[] truncated;
    private final float[] finalValues;
    private final float[] nextValues;
    private final float[] discounts;
    private final float[] ratios;

    /**
     * Makes a turn that takes batches of trajectories.
     *
     * @param environments that are stepped, unless {@link #takeFrom} gives another source
     * @param actorSettings how trajectories are made, by the trained policy
     * @param source the source of trajectories of these environments
     * @param evaluator an EVAL program whose targets are the value of each row's {@code observation} and the
     *     log-probability of its {@code action}, of those that its {@code mask} allows if the policy keeps to masks
     * @param trajectories of one environment each in a batch: a multiple of the number of environments
     * @param gamma the discount of a step
     * @param truncation how a time limit affects a return
     */
    public TrajectoryBatch(
            TrainingEnvironments environments,
            ActorSettings actorSettings,
            TrajectorySource source,
            Program evaluator,
            int trajectories,
            double gamma,
            Truncation truncation,
            VTrace vTrace) {
        this.environments = environments;
        rollback = new RollbackState(environments, this::saveSteps, this::restoreSteps);
        this.actorSettings = actorSettings;
        this.evaluator = evaluator;
        this.trajectories = trajectories;
        this.gamma = gamma;
        this.truncation = truncation;
        this.vTrace = vTrace;
        from = source;
        layout = RolloutLayout.timeMajor(actorSettings.steps(), trajectories);
        observationWidth = environments.observationSpace().width();
        actionWidth = environments.actionSpace().width();
        observations = allocated(actorSettings.steps(), trajectories, observationWidth);
        actions = allocated(actorSettings.steps(), trajectories, actionWidth);
        int rows = actorSettings.steps() * trajectories;
        maskWidth =
                actorSettings.policy().isMasked() ? environments.actionSpace().maskWidth() : 0;
        masks = allocated(actorSettings.steps(), trajectories, maskWidth);
        table = Rollout.table(environments, rows, maskWidth > 0, this::notes);
        logProbabilities = new float[rows];
        values = new float[rows];
        advantages = new float[rows];
        returns = new float[rows];
        rewards = new float[rows];
        terminated = new boolean[rows];
        truncated = new boolean[rows];
        finalValues = new float[rows];
        nextValues = new float[rows];
        discounts = new float[rows];
        ratios = new float[rows];
    }

    private static float[] allocated(int steps, int trajectories, int width) {
        return new float[Limits.elements("batch of trajectories", steps, trajectories, width)];
    }

    /** Returns the rows of the last batch, with the columns of {@link Rollout#table()}. */
    public Table table() {
        return table;
    }

    /**
     * Checks a trajectory that was made elsewhere.
     *
     * @throws IllegalArgumentException if a part does not fit, naming it
     */
    public void require(Trajectory trajectory) {
        trajectory.require(
                actorSettings.steps(),
                environments.count(),
                environments.observationSpace(),
                environments.actionSpace(),
                maskWidth);
    }

    /** The numbers of a mask of actions; 0 if the policy keeps to none. */
    public int maskWidth() {
        return maskWidth;
    }

    /** Returns the settings of actors in other processes. */
    public ActorSettings actorSettings() {
        return actorSettings;
    }

    /** The environments; actors step copies of their own. */
    public TrainingEnvironments environments() {
        return environments;
    }

    /** Replaces its own environments by another source of trajectories. Call this before the first turn. */
    public void takeFrom(TrajectorySource others) {
        from = others;
        hasOtherSource = true;
    }

    @Override
    public State save() {
        return rollback.toSave().with("rows", table.save()).with("tally", statistics.save());
    }

    private State saveSteps() {
        return State.empty().with("worlds", environments.save());
    }

    private void restoreSteps(State state) {
        environments.restore(state.state("worlds"));
        batch.clear();
    }

    @Override
    public boolean canRetry() {
        return rollback.hasFailed();
    }

    @Override
    public void restore(State state) {
        State rows = OnPolicyRollout.rows(state);
        table.require(rows);
        restoreSteps(state);
        rollback.forget();
        statistics.restore(state.state("tally"));
        table.restore(rows);
    }

    private List<String> notes() {
        List<String> notes = new ArrayList<>(environments.notes());
        notes.add(
                hasOtherSource
                        ? "trajectories come from actors as they arrive, so the run is not reproducible bit for bit"
                        : "trajectories come from the environments of the learner; with --actors the run is not reproducible");
        return notes;
    }

    @Override
    public void act(Run run) {
        if (hasOtherSource) {
            collect(run);
        } else {
            rollback.collect(() -> {
                environments.begin(run);
                rollback.keep();
                collect(run);
            });
        }
    }

    private void collect(Run run) {
        while (batch.size() * environments.count() < trajectories) {
            batch.add(from.next(
                    run,
                    table.collections())); // a run that is asked to end while it waits keeps the trajectories so far
        }
        ProgramEvaluator bound = new ProgramEvaluator(run.bind(evaluator));
        float[] lastObservations = new float[trajectories * observationWidth];
        Arrays.fill(finalValues, 0);
        for (int i = 0; i < batch.size(); i++) {
            copyIntoBatch(batch.get(i), i * environments.count(), lastObservations);
            evaluateTruncated(bound, batch.get(i), i * environments.count());
        }
        evaluateAll(bound, lastObservations);
        correct();
        report(run);
        Rollout.collected(table, observations, actions, masks, logProbabilities, values, advantages, returns);
        batch.clear();
    }

    /** Copies a trajectory into the batch, from a column on. */
    private void copyIntoBatch(Trajectory trajectory, int column, float[] lastObservations) {
        int count = trajectory.environments();
        for (int t = 0; t < trajectory.steps(); t++) {
            int from = t * count;
            int to = layout.at(t, column);
            copy(trajectory.observations(), from, observations, to, count, observationWidth);
            copy(trajectory.actions(), from, actions, to, count, actionWidth);
            copy(trajectory.masks(), from, masks, to, count, maskWidth);
            copy(trajectory.logProbabilities(), from, logProbabilities, to, count, 1);
            copy(trajectory.rewards(), from, rewards, to, count, 1);
            System.arraycopy(trajectory.terminated(), from, terminated, to, count);
            System.arraycopy(trajectory.truncated(), from, truncated, to, count);
        }
        copy(trajectory.observations(), trajectory.rows(), lastObservations, column, count, observationWidth);
    }

    private static void copy(float[] source, int from, float[] target, int to, int rows, int width) {
        System.arraycopy(source, from * width, target, to * width, rows * width);
    }

    /** Computes the values of the last observations of episodes that a time limit truncated. */
    private void evaluateTruncated(ProgramEvaluator bound, Trajectory trajectory, int column) {
        int count = trajectory.environments();
        float[] truncatedValues =
                bound.values(trajectory.cutOff(), trajectory.actions(), trajectory.masks(), trajectory.cuts(), count);
        int next = 0;
        for (int row = 0; next < truncatedValues.length; row++) {
            if (trajectory.truncated()[row]) {
                finalValues[layout.at(row / count, column + row % count)] = truncatedValues[next++];
            }
        }
    }

    /** Computes the values of all rows and of the last observations, and the importance ratios of the actions. */
    private void evaluateAll(ProgramEvaluator bound, float[] lastObservations) {
        float[] last = new float[trajectories];
        bound.evaluate(lastObservations, actions, masks, trajectories, last);
        bound.evaluate(observations, actions, masks, values.length, values);
        bound.secondTarget(ratios.length, ratios);
        for (int row = 0; row < ratios.length; row++) {
            ratios[row] = (float) StrictMath.exp(ratios[row] - logProbabilities[row]);
        }
        System.arraycopy(values, trajectories, nextValues, 0, values.length - trajectories);
        System.arraycopy(last, 0, nextValues, values.length - trajectories, trajectories);
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
            statistics.addSteps(trajectory.rows());
            trajectory.episodes().forEach(episode -> statistics.addEpisode(episode.ret(), episode.length()));
            lag += table.collections() - trajectory.version();
            most = Math.max(most, table.collections() - trajectory.version());
        }
        double ratio = 0;
        for (float each : ratios) {
            ratio += Math.min(vTrace.clipRho(), each);
        }
        statistics.report(run);
        run.report("lag", lag / batch.size());
        run.report("lag_max", most);
        run.report("ratio", ratio / ratios.length);
        from.report(run);
    }

    @Override
    public void close() {
        environments.close();
    }
}
