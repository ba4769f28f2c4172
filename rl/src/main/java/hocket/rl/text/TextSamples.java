package hocket.rl.text;

import hocket.schedulers.Event;
import hocket.schedulers.Run;
import hocket.schedulers.text.Text;
import hocket.scopes.Streams;
import java.util.Arrays;
import java.util.function.Consumer;

/** Shows people continuations of a few prompts: always of the same prompts, by the same random numbers. */
public final class TextSamples implements Consumer<Run> {
    private final LanguageModels models;
    private final ContinuationWriter writer;
    private final Text text;
    private final int count;

    /** Makes samples of prompts of a text. */
    public TextSamples(LanguageModels models, ContinuationWriter writer, Text text, int count) {
        this.models = models;
        this.writer = writer;
        this.text = text;
        this.count = count;
    }

    @Override
    public void accept(Run run) {
        Streams streams = run.parameters().streams();
        Prompts prompts = new Prompts("samples", text, models.prompt(), count, writer);
        long[] written = prompts.continued(Forward.of(run.session()), streams, prompts.next(streams));
        for (int row = 0; row < count; row++) {
            int from = row * models.window();
            int to = from + models.prompt();
            run.emit(new Event.Noted(
                    run.position(),
                    "sample",
                    decoded(written, from, to) + " -> " + decoded(written, to, from + models.window())));
        }
    }

    private String decoded(long[] written, int from, int to) {
        int[] numbers =
                Arrays.stream(written, from, to).mapToInt(Math::toIntExact).toArray();
        return text.vocabulary().decode(numbers).replace("\n", "\\n");
    }
}
