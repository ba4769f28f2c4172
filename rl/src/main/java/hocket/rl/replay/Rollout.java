package hocket.rl.replay;

import hocket.programs.Program;
import hocket.rl.actors.Policy;
import hocket.rl.actors.TrainingEnvironments;
import hocket.rl.networks.ActorCritic;
import hocket.rl.returns.AdvantageEstimator;
import hocket.rl.returns.ExplainedVariance;
import hocket.schedulers.Run;
import hocket.schedulers.Source.Column;
import hocket.scopes.ElementType;
import hocket.scopes.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * A turn of Java that steps environments for a number of steps by the current policy, and keeps the rows for {@link
 * Minibatches} to train on before the next rollout. Acting runs the policy's network once an observation; values and
 * log-probabilities of all rows are computed together at the end.
 *
 * <p>Columns of its {@linkplain #table table}: {@code observation} of the space's shape; {@code action} of the space's action shape
 * and type, as drawn; {@code mask} (n), 1 for each action that was allowed, else 0, if the policy keeps to masks; and, () each,
 * {@code log_probability} in nats and {@code value} (both of the time of collection), {@code advantage} and {@code return}.
 *
 * <p>It reports {@code steps}, {@code episode_return}, {@code episode_length} and, with a critic, the {@code
 * explained_variance} of the returns by its values. The saved state holds the environments and the collected rows.
 */
public final class Rollout extends OnPolicyRollout {
    private final Policy policy;
    private final Optional<Program> evaluator;
    private final Unroll unroll;
    private final int count;
    private final float[] logProbabilities;
    private final float[] values;
    private final float[] advantages;
    private final float[] returns;
    private final float[] finalValues;
    private final float[] lastValues;
    private Optional<Program> rewarded = Optional.empty();
    private Consumer<Run> preparation = run -> {};

    /**
     * Makes a rollout with a critic.
     *
     * @param environments with {@link hocket.rl.envs.Autoreset#SAME_STEP}
     * @param policy the policy that acts
     * @param evaluator an EVAL program whose targets are the value of each row's {@code observation} and, optionally,
     *     the log-probability of its {@code action}
     * @param steps the number of steps in each environment, at least 1
     * @param estimate the advantage estimator
     */
    public Rollout(
            TrainingEnvironments environments,
            Policy policy,
            Program evaluator,
            int steps,
            AdvantageEstimator estimate) {
        this(environments, policy, Optional.of(evaluator), new Unroll(environments, policy, steps), estimate);
    }

    /**
     * Makes a rollout of an agent without a memory, by its policy and its critic.
     *
     * @param environments with {@link hocket.rl.envs.Autoreset#SAME_STEP}
     * @param steps the number of steps in each environment, at least 1
     * @param estimate the advantage estimator
     */
    public Rollout(TrainingEnvironments environments, ActorCritic agent, int steps, AdvantageEstimator estimate) {
        this(environments, agent.acting(), agent.evaluator(), steps, estimate);
    }

    /** Makes a rollout without a critic: all values are 0, and there are no log-probabilities. */
    public Rollout(TrainingEnvironments environments, Policy policy, int steps, AdvantageEstimator estimate) {
        this(environments, policy, Optional.empty(), new Unroll(environments, policy, steps), estimate);
    }

    private Rollout(
            TrainingEnvironments environments,
            Policy policy,
            Optional<Program> evaluator,
            Unroll unroll,
            AdvantageEstimator estimate) {
        super(
                environments,
                estimate,
                table(environments, unroll.rewards.length, unroll.masks.length > 0, environments::notes));
        this.policy = policy;
        this.evaluator = evaluator;
        this.unroll = unroll;
        count = environments.count();
        int rows = unroll.rewards.length;
        logProbabilities = new float[rows];
        values = new float[rows];
        advantages = new float[rows];
        returns = new float[rows];
        finalValues = new float[rows];
        lastValues = new float[count];
    }

    /** Makes a table with the columns of {@link #table()}. */
    static Table table(TrainingEnvironments environments, int rows, boolean hasMasks, Supplier<List<String>> notes) {
        List<Column> columns = new ArrayList<>(List.of(
                SpaceColumns.observation(environments.observationSpace()),
                SpaceColumns.action(environments.actionSpace())));
        if (hasMasks) {
            columns.add(SpaceColumns.mask(environments.actionSpace()));
        }
        for (String number : List.of("log_probability", "value", "advantage", "return")) {
            columns.add(new Column(number, Shape.of(), ElementType.FLOAT32));
        }
        return new Table("rollout", rows, columns, notes);
    }

    /**
     * Sets the columns of such a table, and counts the collection.
     *
     * @param masks of actions; none if the table has no such column
     */
    static void collected(
            Table table,
            float[] observations,
            float[] actions,
            float[] masks,
            float[] logProbabilities,
            float[] values,
            float[] advantages,
            float[] returns) {
        table.set("observation", observations);
        table.set("action", actions);
        if (masks.length > 0) {
            table.set("mask", masks);
        }
        table.set("log_probability", logProbabilities);
        table.set("value", values);
        table.set("advantage", advantages);
        table.set("return", returns);
        table.collected();
    }

    /**
     * Replaces the environments' rewards by the output of a program, as imitation learning does; returns this rollout.
     *
     * @param program an EVAL program whose first target is the reward of each row's {@code observation} and {@code
     *     action}
     */
    public Rollout rewardedBy(Program program) {
        rewarded = Optional.of(program);
        return this;
    }

    /** Calls others with the run before the environments step, such as players in them; returns this rollout. */
    public Rollout preparedBy(Consumer<Run> others) {
        preparation = others;
        return this;
    }

    @Override
    void collect(Run run) {
        preparation.accept(run);
        begin(run);
        unroll.step(run.bind(policy.program()));
        evaluator.ifPresent(program -> evaluateAll(new ProgramEvaluator(run.bind(program))));
        rewarded.ifPresent(program -> new ProgramEvaluator(run.bind(program))
                .evaluate(unroll.observations, unroll.actions, unroll.masks, values.length, unroll.rewards));
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
        collected(
                table,
                unroll.observations,
                unroll.actions,
                unroll.masks,
                logProbabilities,
                values,
                advantages,
                returns);
        if (evaluator.isPresent()) {
            ExplainedVariance.report(run, values, returns);
        }
        environments.report(run);
    }

    private void evaluateAll(ProgramEvaluator bound) {
        evaluateTruncated(bound);
        bound.evaluate(environments.observations(), unroll.actions, unroll.masks, count, lastValues);
        bound.evaluate(unroll.observations, unroll.actions, unroll.masks, values.length, values);
        if (bound.hasSecondTarget()) {
            bound.secondTarget(values.length, logProbabilities);
        }
    }

    /** Computes the values of the last observations of episodes that a time limit truncated. */
    private void evaluateTruncated(ProgramEvaluator bound) {
        float[] truncatedValues = bound.values(unroll.cutOff, unroll.actions, unroll.masks, unroll.cuts(), count);
        int next = 0;
        for (int row = 0; row < finalValues.length; row++) {
            finalValues[row] = unroll.truncated[row] ? truncatedValues[next++] : 0;
        }
    }

    /** The policy's program, which reads observations normalised as in training. */
    @Override
    public Program program() {
        return policy.program();
    }
}
