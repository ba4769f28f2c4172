package hocket.rl.text;

import hocket.programs.Mode;
import hocket.programs.Network;
import hocket.programs.Program;
import hocket.programs.Session.Feeds;
import hocket.programs.Value;
import hocket.schedulers.turns.DivergedException;
import hocket.scopes.Shape;
import hocket.scopes.Stream;
import hocket.scopes.Tensor;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Writes continuations of prompts, each character drawn from the softmax of a model's logits. There is no cache: each
 * character runs the model over the whole window.
 */
public final class ContinuationWriter {
    private final LanguageModels models;
    private final Program program;

    /**
     * Makes a writer.
     *
     * @param name of its program
     * @param model the policy, or the reference
     */
    public ContinuationWriter(LanguageModels models, String name, Network<Value, Value> model) {
        this.models = models;
        Value seen = models.characters("seen_by_" + name, models.window() - 1);
        program = Program.compile(name, Mode.EVAL, models.ofContinuation(model.apply(seen)));
    }

    /** Returns its program, whose target is the logits of each place of a continuation, (C, n). */
    public Program program() {
        return program;
    }

    /**
     * Writes one continuation of each prompt.
     *
     * @param prompts rows of characters
     * @param counter of the stream; another one gives other continuations
     * @return rows of prompts and their continuations
     * @throws DivergedException if a logit is not finite
     */
    long[] write(Forward forward, long[] prompts, Stream stream, long counter) {
        int rows = prompts.length / models.prompt();
        int window = models.window();
        long[] written = new long[rows * window];
        long[] seen = new long[rows * (window - 1)];
        for (int row = 0; row < rows; row++) {
            System.arraycopy(prompts, row * models.prompt(), written, row * window, models.prompt());
            System.arraycopy(prompts, row * models.prompt(), seen, row * (window - 1), models.prompt());
        }
        double[] uniforms = new double[rows * models.continuation()];
        stream.uniform(counter, uniforms);
        String input = program.inputs().get(0).path().text();
        double[] some = new double[models.characters()];
        for (int place = models.prompt(); place < window; place++) {
            int i = place - models.prompt();
            ByteBuffer logits = forward.run(program, Feeds.of(input, Tensor.of(Shape.of(rows, window - 1), seen)))
                    .get(0)
                    .buffer();
            for (int row = 0; row < rows; row++) {
                for (int k = 0; k < some.length; k++) {
                    some[k] = logits.getFloat(((row * models.continuation() + i) * some.length + k) * Float.BYTES);
                }
                int drawn = draw(some, uniforms[row * models.continuation() + i]);
                written[row * window + place] = drawn;
                if (place < window - 1) {
                    seen[row * (window - 1) + place] = drawn;
                }
            }
        }
        return written;
    }

    private int draw(double[] logits, double uniform) {
        double most = Arrays.stream(logits).max().orElseThrow();
        double all = 0;
        for (int i = 0; i < logits.length; i++) {
            logits[i] = Math.exp(logits[i] - most);
            all += logits[i];
        }
        if (!Double.isFinite(all)) {
            throw new DivergedException(
                    "program " + program.name() + ", which writes, gives logits that are not finite");
        }
        double left = uniform * all;
        int drawn = 0;
        while (drawn + 1 < logits.length && left >= logits[drawn]) {
            left -= logits[drawn++];
        }
        return drawn;
    }
}
