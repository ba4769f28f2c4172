package hocket.rl.text;

import hocket.programs.Program;
import hocket.programs.Session.Feeds;
import hocket.rl.replay.Minibatches;
import hocket.rl.replay.Table;
import hocket.rl.returns.AdvantageEstimator;
import hocket.rl.returns.ExplainedVariance;
import hocket.rl.returns.RolloutLayout;
import hocket.schedulers.Run;
import hocket.schedulers.Source;
import hocket.schedulers.Source.Column;
import hocket.schedulers.Turn;
import hocket.schedulers.state.State;
import hocket.schedulers.state.Stateful;
import hocket.schedulers.text.Text;
import hocket.scopes.ElementType;
import hocket.scopes.Shape;
import hocket.scopes.Streams;
import hocket.scopes.Tensor;
import java.util.List;

/**
 * A turn of Java that writes continuations by the policy and rewards them: each character costs {@code kl·(log π - log
 * reference)}, and the last earns the reward model's score (Ziegler et al. 2019, equation 2). The rows are the
 * continuations, with log-probabilities, advantages and returns of each character.
 *
 * <p>It reports {@code reward}, the mean of the scores as {@link RewardScale} scales them; {@code rule}, the mean score
 * by the rule; {@code kl}, the mean of {@code log π - log reference} in nats a character; and {@code
 * explained_variance} of the returns by the critic.
 */
public final class TextRollout implements Turn.Action, Stateful {
    private static final String WRITTEN = "written";

    private final LanguageModels models;
    private final Program reads;
    private final LetterRule rule;
    private final RewardScale scale;
    private final AdvantageEstimator estimate;
    private final double kl;
    private final Prompts prompts;
    private final Table rows;

    /**
     * Makes a rollout.
     *
     * @param reads an EVAL program of {@code written}: log-probabilities (C), {@code log π - log reference} (C), values
     *     (C) and the score ()
     * @param kl coefficient of the penalty
     * @param episodes number of continuations
     */
    public TextRollout(
            LanguageModels models,
            ContinuationWriter writer,
            Program reads,
            Text text,
            LetterRule rule,
            RewardScale scale,
            AdvantageEstimator estimate,
            double kl,
            int episodes) {
        this.models = models;
        this.reads = reads;
        this.rule = rule;
        this.scale = scale;
        this.estimate = estimate;
        this.kl = kl;
        prompts = new Prompts("rollout", text, models.prompt(), episodes, writer);
        Shape each = Shape.of(models.continuation());
        rows = new Table(
                "rollout",
                episodes,
                new Column(WRITTEN, Shape.of(models.window()), ElementType.INT64),
                new Column("log_probability", each, ElementType.FLOAT32),
                new Column("advantage", each, ElementType.FLOAT32),
                new Column("return", each, ElementType.FLOAT32));
    }

    /** Returns minibatches for the policy: {@code written}, {@code log_probability} and {@code advantage}. */
    public Source forPolicy(int batch) {
        return new Minibatches("rollout", rows, batch, WRITTEN, "log_probability", "advantage");
    }

    /** Returns minibatches for the critic: {@code valued}, the same characters, and {@code return}. */
    public Source forValue(int batch) {
        return new Minibatches("returns", rows, batch, WRITTEN, "return")
                .feeding("returns", List.of("valued", "return"));
    }

    @Override
    public void act(Run run) {
        Forward forward = Forward.of(run);
        Streams streams = run.parameters().streams();
        long[] written = prompts.continued(forward, streams, prompts.next(streams));
        Tensor text = Tensor.of(Shape.of(rows.rows(), models.window()), written);
        List<Tensor> read = forward.run(reads, Feeds.of(WRITTEN, text));
        float[] apart = read.get(1).floats();
        float[] values = read.get(2).floats();
        float[] scores = read.get(3).floats();
        int length = models.continuation();
        int count = rows.rows();
        float[] rewards = new float[count * length];
        boolean[] ends = new boolean[rewards.length];
        double penalised = 0;
        double rewarded = 0;
        for (int i = 0; i < rewards.length; i++) {
            rewards[i] = (float) (-kl * apart[i]);
            penalised += apart[i];
        }
        for (int row = 0; row < count; row++) {
            int last = row * length + length - 1;
            double reward = scale.reward(scores[row]);
            rewards[last] += (float) reward;
            rewarded += reward;
            ends[last] = true;
        }
        float[] advantages = new float[rewards.length];
        float[] returns = new float[rewards.length];
        estimate.advantages(
                new RolloutLayout(length, count, 1, length),
                rewards,
                values,
                ends,
                new boolean[rewards.length],
                values,
                new float[count],
                advantages,
                returns);
        rows.set(WRITTEN, written);
        rows.set("log_probability", read.get(0).floats());
        rows.set("advantage", advantages);
        rows.set("return", returns);
        rows.collected();
        run.report("reward", rewarded / count);
        run.report("rule", rule.mean(written));
        run.report("kl", penalised / apart.length);
        ExplainedVariance.report(run, values, returns);
    }

    @Override
    public State save() {
        return State.empty().with("rows", rows.save()).with("prompts", prompts.save());
    }

    @Override
    public void restore(State state) {
        rows.restore(state.state("rows"));
        prompts.restore(state.state("prompts"));
    }
}
