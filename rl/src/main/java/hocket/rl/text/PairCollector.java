package hocket.rl.text;

import hocket.rl.replay.Minibatches;
import hocket.rl.replay.Table;
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

/**
 * A turn of Java that writes two continuations of each prompt and asks a rule which one it prefers: rows {@code first}
 * and {@code second} (T) and {@code preference} (), 1 for the first, 0 for the second and 0.5 for neither. It reports
 * {@code rule}, the mean score of a continuation, and {@code ties}, a share.
 */
public final class PairCollector implements Turn.Action, Stateful {
    private static final String FIRST = "first";
    private static final String SECOND = "second";
    private static final String PREFERENCE = "preference";

    private final LetterRule rule;
    private final Prompts prompts;
    private final Table rows;

    /** Makes a collector of a number of pairs. */
    public PairCollector(LanguageModels models, ContinuationWriter writer, Text text, LetterRule rule, int pairs) {
        this.rule = rule;
        prompts = new Prompts("pairs", text, models.prompt(), pairs, writer);
        Shape window = Shape.of(models.window());
        rows = new Table(
                "pairs",
                pairs,
                new Column(FIRST, window, ElementType.INT64),
                new Column(SECOND, window, ElementType.INT64),
                new Column(PREFERENCE, Shape.of(), ElementType.FLOAT32));
    }

    /** Returns minibatches of the pairs. */
    public Source batches(int batch) {
        return new Minibatches("pairs", rows, batch);
    }

    @Override
    public void act(Run run) {
        Forward forward = Forward.of(run);
        Streams streams = run.parameters().streams();
        long[] begun = prompts.next(streams);
        long[] first = prompts.continued(forward, streams, begun);
        long[] second = prompts.continued(forward, streams, begun);
        int[] ofFirst = rule.scores(first);
        int[] ofSecond = rule.scores(second);
        float[] preference = new float[rows.rows()];
        double sum = 0;
        double ties = 0;
        for (int i = 0; i < preference.length; i++) {
            int compared = Integer.compare(ofFirst[i], ofSecond[i]);
            preference[i] = 0.5f + 0.5f * compared;
            ties += compared == 0 ? 1 : 0;
            sum += ofFirst[i] + ofSecond[i];
        }
        rows.set(FIRST, first);
        rows.set(SECOND, second);
        rows.set(PREFERENCE, preference);
        rows.collected();
        run.report("rule", sum / (2 * preference.length));
        run.report("ties", ties / preference.length);
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
