package hocket.rl.text;

import static hocket.programs.Operators.divide;
import static hocket.programs.Operators.equal;
import static hocket.programs.Operators.greater;
import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.multiply;
import static hocket.programs.Operators.shift;
import static hocket.programs.Operators.sigmoidCrossEntropy;
import static hocket.programs.Operators.slice;
import static hocket.programs.Operators.softmaxCrossEntropy;
import static hocket.programs.Operators.subtract;

import hocket.programs.Graph;
import hocket.programs.Loss;
import hocket.programs.Mode;
import hocket.programs.Program;
import hocket.programs.Value;
import hocket.rl.losses.ClippedSurrogate;
import hocket.rl.losses.KlEstimator;
import hocket.rl.losses.PolicyGradient;
import hocket.rl.losses.ValueLoss;
import hocket.schedulers.settings.Networks;
import hocket.scopes.Shape;
import java.util.ArrayList;
import java.util.List;

/**
 * The programs that train and read four language models.
 *
 * @param models the networks
 * @param pretrain TRAIN: the cross-entropy of each character of {@code text} (T + 1) from those before it, in nats
 * @param reward TRAIN: the cross-entropy of a {@code preference} by {@code sigmoid(score(first) - score(second))}, and
 *     the {@code accuracy} over pairs that are no tie (Bradley and Terry 1952)
 * @param policy TRAIN: PPO's clipped surrogate over the characters of {@code written}, with normalised advantages
 * @param value TRAIN: the squared error of the values of {@code valued}
 * @param read EVAL: log-probabilities of {@code written} by the policy, {@code log policy - log reference} and values,
 *     (C) each, and the score
 * @param score EVAL: the reward model's score of {@code written}
 */
public record LanguagePrograms(
        LanguageModels models,
        Program pretrain,
        Program reward,
        Program policy,
        Program value,
        Program read,
        Program score) {
    private static final double LEAST = 1e-9;

    /**
     * Makes the programs.
     *
     * @param clipRange of probability ratios
     */
    public LanguagePrograms(LanguageModels models, double clipRange) {
        this(
                models,
                pretrain(models),
                reward(models),
                policy(models, clipRange),
                value(models),
                read(models),
                score(models));
    }

    /** Returns the networks with these programs and more. */
    public Networks with(Program... more) {
        List<Program> all = new ArrayList<>(List.of(pretrain, reward, policy, value));
        all.addAll(List.of(more));
        all.addAll(List.of(read, score));
        return Networks.of(models.graph(), all.toArray(Program[]::new));
    }

    private static Program pretrain(LanguageModels models) {
        int window = models.window();
        Value text = models.characters("text", window + 1);
        Value logits = models.policy().apply(slice(text, 0, 0, window));
        Value nats = mean(softmaxCrossEntropy(logits, slice(text, 0, 1, window + 1)));
        return Program.compile("pretrain", Mode.TRAIN, Loss.of(nats));
    }

    private static Program reward(LanguageModels models) {
        Graph graph = models.graph();
        Value preference = graph.input("preference", Shape.of());
        Value more = subtract(
                models.reward().apply(models.characters("first", models.window())),
                models.reward().apply(models.characters("second", models.window())));
        Value half = graph.constant(0.5);
        Value decided = subtract(graph.constant(1), equal(preference, half));
        Value right = equal(greater(preference, half), greater(more, graph.constant(0)));
        Value accuracy = divide(mean(multiply(right, decided)), shift(mean(decided), LEAST));
        Loss loss = Loss.of(mean(sigmoidCrossEntropy(more, preference))).metric("accuracy", accuracy);
        return Program.compile("reward", Mode.TRAIN, loss);
    }

    private static Program policy(LanguageModels models, double clipRange) {
        Shape each = Shape.of(models.continuation());
        Value written = models.characters("written", models.window());
        Value logarithms = models.logarithms(models.policy(), written);
        ClippedSurrogate surrogate = ClippedSurrogate.of(
                models.logProbabilities(logarithms, written),
                models.graph().input("log_probability", each),
                PolicyGradient.normalised(models.graph().input("advantage", each)),
                clipRange);
        return Program.compile(
                "policy",
                Mode.TRAIN,
                Loss.of(surrogate.loss())
                        .metric("entropy", mean(models.entropies(logarithms)))
                        .metric("approximate_kl", surrogate.approximateKl())
                        .metric("clip_fraction", surrogate.clipFraction()));
    }

    private static Program value(LanguageModels models) {
        Value values = models.values(models.characters("valued", models.window()));
        Value target = models.graph().input("return", Shape.of(models.continuation()));
        return Program.compile("value", Mode.TRAIN, Loss.of(ValueLoss.STABLE_BASELINES3.loss(values, target)));
    }

    private static Program read(LanguageModels models) {
        Value written = models.graph().value("written");
        Value policy = models.logProbabilities(models.logarithms(models.policy(), written), written);
        Value reference = models.logProbabilities(models.logarithms(models.reference(), written), written);
        return Program.compile(
                "read",
                Mode.EVAL,
                models.graph().name("log_probabilities", policy),
                models.graph().name("log_ratio", KlEstimator.K1.of(reference, policy)),
                models.graph().name("values", models.values(written)),
                models.graph().name("score", models.reward().apply(written)));
    }

    private static Program score(LanguageModels models) {
        return Program.compile("score", Mode.EVAL, models.graph().value("score"));
    }
}
