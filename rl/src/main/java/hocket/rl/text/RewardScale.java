package hocket.rl.text;

import hocket.programs.Program;
import hocket.programs.Session.Feeds;
import hocket.schedulers.Run;
import hocket.schedulers.Turn;
import hocket.schedulers.state.State;
import hocket.schedulers.state.Stateful;
import hocket.schedulers.text.Text;
import hocket.schedulers.turns.DivergedException;
import hocket.scopes.Shape;
import hocket.scopes.Streams;
import hocket.scopes.Tensor;

/**
 * A turn of Java that measures mean and deviation of the reward model's scores over continuations by the policy before
 * it is rewarded; afterwards rewards are {@code (score - mean)/deviation} (Ziegler et al. 2019, section 2.1), so that a
 * coefficient of the KL penalty means the same whatever scale the comparisons left. It reports both and {@code rule}.
 */
public final class RewardScale implements Turn.Action, Stateful {
    private static final int DRAWS = 8;

    private final LanguageModels models;
    private final Program scores;
    private final LetterRule rule;
    private final Prompts prompts;
    private double mean;
    private double deviation = 1;

    /**
     * Makes a turn.
     *
     * @param scores an EVAL program that gives the score of {@code written}
     * @param rows continuations of a draw, of which there are eight
     */
    public RewardScale(
            LanguageModels models, ContinuationWriter writer, Program scores, Text text, LetterRule rule, int rows) {
        this.models = models;
        this.scores = scores;
        this.rule = rule;
        prompts = new Prompts("scale", text, models.prompt(), rows, writer);
    }

    @Override
    public void act(Run run) {
        Forward forward = Forward.of(run);
        Streams streams = run.parameters().streams();
        double sum = 0;
        double squares = 0;
        double counted = 0;
        long count = 0;
        for (int draw = 0; draw < DRAWS; draw++) {
            long[] written = prompts.continued(forward, streams, prompts.next(streams));
            int rows = written.length / models.window();
            Feeds feeds = Feeds.of("written", Tensor.of(Shape.of(rows, models.window()), written));
            for (double score : forward.run(scores, feeds).get(0).doubles()) {
                if (!Double.isFinite(score)) {
                    throw new DivergedException("program " + scores.name() + " gives a score that is not finite");
                }
                sum += score;
                squares += score * score;
            }
            count += rows;
            counted += rule.mean(written) * rows;
        }
        mean = sum / count;
        double variance = squares / count - mean * mean;
        deviation = variance > 0 ? Math.sqrt(variance) : 1;
        run.report("mean", mean);
        run.report("deviation", deviation);
        run.report("rule", counted / count);
    }

    /** Returns the reward of a score. */
    double reward(double score) {
        return (score - mean) / deviation;
    }

    @Override
    public State save() {
        return State.empty().with("mean", mean).with("deviation", deviation).with("prompts", prompts.save());
    }

    @Override
    public void restore(State state) {
        prompts.restore(state.state("prompts"));
        mean = state.real("mean");
        deviation = state.real("deviation");
    }
}
