package hocket.rl.text;

import hocket.programs.Program;
import hocket.programs.Session;
import hocket.programs.Session.Feeds;
import hocket.schedulers.evaluation.ProgramEvaluation;
import hocket.schedulers.stats.Summary;
import hocket.schedulers.text.Text;
import hocket.scopes.Shape;
import hocket.scopes.Streams;
import hocket.scopes.Tensor;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Scores of a policy over prompts of a text, beside those of the reference, which are the floor: {@code rule}, {@code
 * rule_of_reference} and {@code rule_of_random_characters}; {@code reward}, the reward model's mean score in the
 * reference's deviations from its mean; and {@code kl}, the mean of {@code log π - log reference} in nats a character.
 */
public final class TextScores implements ProgramEvaluation {
    private static final String REWARD = "reward";
    private static final int DRAWS = 8;

    private final LanguageModels models;
    private final ContinuationWriter policy;
    private final ContinuationWriter reference;
    private final Program reads;
    private final Text text;
    private final LetterRule rule;
    private final int rows;

    /**
     * Makes an evaluation.
     *
     * @param policy writes by the policy
     * @param reference writes by the reference
     * @param reads as a {@link TextRollout} needs it
     * @param text whose prompts are continued
     * @param rows continuations of a draw
     */
    public TextScores(
            LanguageModels models,
            ContinuationWriter policy,
            ContinuationWriter reference,
            Program reads,
            Text text,
            LetterRule rule,
            int rows) {
        this.models = models;
        this.policy = policy;
        this.reference = reference;
        this.reads = reads;
        this.text = text;
        this.rule = rule;
        this.rows = rows;
    }

    @Override
    public Optional<Merit> merit() {
        return Optional.of(new Merit(REWARD, true));
    }

    @Override
    public Map<String, Range> ranges() {
        return Map.of(
                "rule", Range.FROM_ZERO,
                "rule_of_reference", Range.FROM_ZERO,
                "rule_of_random_characters", Range.FROM_ZERO);
    }

    @Override
    public SortedMap<String, Double> scores(Session session) {
        Streams streams = session.parameters().streams();
        Written ofPolicy = written(session, streams, policy);
        Written ofReference = written(session, streams, reference);
        Summary before = Summary.of(ofReference.scores);
        SortedMap<String, Double> scores = new TreeMap<>();
        scores.put("rule", ofPolicy.rule);
        scores.put("rule_of_reference", ofReference.rule);
        scores.put("rule_of_random_characters", rule.ofRandomCharacters());
        scores.put(REWARD, (Summary.of(ofPolicy.scores).mean() - before.mean()) / Math.max(before.deviation(), 1e-9));
        scores.put("kl", ofPolicy.kl);
        return scores;
    }

    /** Scores of continuations by the reward model, and means by the rule and of the divergence. */
    private record Written(double[] scores, double rule, double kl) {}

    private Written written(Session session, Streams streams, ContinuationWriter writer) {
        Prompts prompts = new Prompts("scores", text, models.prompt(), rows, writer);
        double[] scores = new double[DRAWS * rows];
        double letters = 0;
        double apart = 0;
        for (int draw = 0; draw < DRAWS; draw++) {
            long[] written = prompts.continued(Forward.of(session), streams, prompts.next(streams));
            Tensor tensor = Tensor.of(Shape.of(rows, models.window()), written);
            var read = session.run(reads, Feeds.of("written", tensor));
            for (double each : read.get(1).doubles()) {
                apart += each;
            }
            System.arraycopy(read.get(3).doubles(), 0, scores, draw * rows, rows);
            letters += rule.mean(written);
        }
        return new Written(scores, letters / DRAWS, apart / ((double) DRAWS * rows * models.continuation()));
    }
}
