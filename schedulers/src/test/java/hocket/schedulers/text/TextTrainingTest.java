package hocket.schedulers.text;

import static hocket.programs.Layers.dense;
import static hocket.programs.Layers.embedding;
import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.slice;
import static hocket.programs.Operators.softmaxCrossEntropy;
import static hocket.schedulers.Budget.rounds;
import static hocket.schedulers.Resample.EACH_TURN;
import static hocket.schedulers.optimizers.Optimizers.adam;
import static org.assertj.core.api.Assertions.assertThat;

import hocket.programs.Graph;
import hocket.programs.Mode;
import hocket.programs.Network;
import hocket.programs.Program;
import hocket.programs.Value;
import hocket.programs.layers.Recurrence;
import hocket.schedulers.Scheduler;
import hocket.schedulers.Turn;
import hocket.schedulers.state.State;
import hocket.scopes.ElementType;
import hocket.scopes.Parameters;
import hocket.scopes.Shape;
import hocket.scopes.Streams;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A small LSTM learns to predict characters of a part of the text that ships. */
@Tag("engine")
class TextTrainingTest {
    private static final int STEPS = 16;
    private final Text text = HocketPages.load().part(Text.Part.HELD_OUT);

    /** A run that can be saved. */
    private final class Training implements AutoCloseable {
        private final Parameters parameters;
        private final Scheduler scheduler;

        Training() {
            int n = text.vocabulary().size();
            Graph graph = new Graph();
            Value window = graph.input("text", Shape.of(STEPS + 1), ElementType.INT64);
            Network<Value, Value> model = graph.module("model", characters -> {
                Value x = embedding("characters", characters, n, 16);
                return dense("logits", Recurrence.lstm(32).apply("lstm", x).outputs(), n);
            });
            Value logits = model.apply(slice(window, 0, 0, STEPS));
            Value loss = mean(softmaxCrossEntropy(logits, slice(window, 0, 1, STEPS + 1)));
            Turn learn =
                    Turn.of("learn", Program.compile("learn", Mode.TRAIN, loss)).updates("**", adam(1e-2));
            parameters = Parameters.initialise(graph.declarations(), Streams.seed(7));
            scheduler = Scheduler.over(parameters, 1).plan(learn).feed(text.batches("windows", STEPS, 16), EACH_TURN);
        }

        double run(int updates) {
            scheduler.run(rounds(updates));
            return scheduler.average("learn/loss", 20).orElseThrow();
        }

        @Override
        public void close() {
            scheduler.close();
            parameters.close();
        }
    }

    /** The entropy of single characters, in nats. */
    private double entropy() {
        double[] counts = new double[text.vocabulary().size()];
        IntStream.range(0, text.length()).forEach(i -> counts[text.number(i)]++);
        return -Arrays.stream(counts)
                .map(count -> count / text.length())
                .filter(share -> share > 0)
                .map(share -> share * Math.log(share))
                .sum();
    }

    @Test
    void theLossFallsBelowTheEntropyOfSingleCharactersAndAResumedRunHasTheSameBits() {
        String whole;
        try (Training training = new Training()) {
            assertThat(training.run(150)).isLessThan(0.9 * entropy());
            whole = training.parameters.digest();
        }
        State saved;
        try (Training training = new Training()) {
            training.run(70);
            saved = training.scheduler.save();
        }
        try (Training training = new Training()) {
            training.scheduler.restore(saved);
            training.run(150);
            assertThat(training.parameters.digest()).isEqualTo(whole);
        }
    }
}
