package hocket.gan.parts;

import static hocket.programs.Layers.dense;
import static hocket.programs.Operators.flatten;
import static hocket.programs.Operators.mean;
import static hocket.schedulers.optimizers.Optimizers.sgd;
import static org.assertj.core.api.Assertions.assertThat;

import hocket.programs.Graph;
import hocket.programs.Mode;
import hocket.programs.Program;
import hocket.programs.Session.Feeds;
import hocket.programs.Value;
import hocket.schedulers.Budget;
import hocket.schedulers.Event;
import hocket.schedulers.Resample;
import hocket.schedulers.Rows;
import hocket.schedulers.Scheduler;
import hocket.schedulers.Turn;
import hocket.schedulers.state.State;
import hocket.scopes.ElementType;
import hocket.scopes.Parameters;
import hocket.scopes.Shape;
import hocket.scopes.Streams;
import hocket.scopes.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("engine")
class SamplePoolTest {
    private static final int ROWS = 3;
    private static final Shape ROW = Shape.of(1, 2, 2);

    private final Graph graph = new Graph();
    private final Value newest = graph.input("newest", ROW);

    private Turn.Descend turn(int size) {
        Value shown = new SamplePool(size).exchange("pool", newest);
        Value score = graph.module("scored", (Value x) -> dense("score", flatten(x), 1))
                .apply(shown);
        return Turn.of("d", Program.compile("d", Mode.TRAIN, mean(score)))
                .updates("scored/**", sgd(0))
                .observes(shown)
                .carries(graph.value("pool"), graph.value("pool_next"));
    }

    /** The pool of CycleGAN's code, for one row of a batch: numbers in place of images. */
    private static final class Pool {
        private final int size;
        private final List<Float> stored = new ArrayList<>();

        Pool(int size) {
            this.size = size;
        }

        float query(float image, float p, float place) {
            if (stored.size() < size) {
                stored.add(image);
                return image;
            }
            return p < 0.5f ? stored.set((int) (place * size), image) : image;
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5})
    void rowsAreExchangedAsInCycleGansPool(int size) {
        Turn.Descend turn = turn(size);
        Random random = new Random(size);
        List<Pool> pools =
                IntStream.range(0, ROWS).mapToObj(i -> new Pool(size)).toList();
        int old = 0;
        try (Parameters parameters = Parameters.initialise(graph.declarations(), Streams.seed(1));
                Scheduler scheduler = Scheduler.over(parameters, 1)) {
            for (int round = 0; round < 40; round++) {
                float[] draws = new float[2 * ROWS];
                float[] images = new float[4 * ROWS];
                float[] wanted = new float[4 * ROWS];
                for (int row = 0; row < ROWS; row++) {
                    draws[2 * row] = random.nextFloat();
                    draws[2 * row + 1] = round % 8 == 7 ? Math.nextDown(1f) : random.nextFloat();
                    float shown = pools.get(row).query(round + 0.25f * row, draws[2 * row], draws[2 * row + 1]);
                    old += shown < round ? 1 : 0;
                    for (int i = 0; i < 4; i++) {
                        images[4 * row + i] = round + 0.25f * row + i * 100;
                        wanted[4 * row + i] = shown + i * 100;
                    }
                }
                scheduler.step(
                        turn,
                        Feeds.of("newest", Tensor.of(ROW.prepend(ROWS), images))
                                .and("pool/draw", Tensor.of(Shape.of(ROWS, 2), draws)));
                assertThat(scheduler.observed(turn, turn.observed().get(0)).floats())
                        .as("round " + round)
                        .isEqualTo(wanted);
            }
        }
        assertThat(old).isBetween(30, 90);
    }

    @Test
    void aResumedRunHasTheRowsOfAnUninterruptedOne() {
        Turn.Descend turn = turn(3);
        List<Double> whole = new ArrayList<>();
        try (Parameters parameters = Parameters.initialise(graph.declarations(), Streams.seed(1));
                Scheduler scheduler = begun(parameters, turn, whole)) {
            scheduler.run(Budget.rounds(20));
        }
        List<Double> resumed = new ArrayList<>();
        State saved;
        try (Parameters parameters = Parameters.initialise(graph.declarations(), Streams.seed(1));
                Scheduler scheduler = begun(parameters, turn, resumed)) {
            scheduler.run(Budget.rounds(9));
            saved = scheduler.save();
        }
        try (Parameters parameters = Parameters.initialise(graph.declarations(), Streams.seed(1));
                Scheduler scheduler = begun(parameters, turn, resumed)) {
            scheduler.restore(saved);
            scheduler.run(Budget.rounds(20));
        }
        assertThat(resumed).isEqualTo(whole).hasSize(20);
    }

    private static Scheduler begun(Parameters parameters, Turn.Descend turn, List<Double> losses) {
        Scheduler scheduler = Scheduler.over(parameters, 1);
        float[] numbers = new float[8 * ROWS * 4];
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = (float) Math.sin(i);
        }
        scheduler.listen(Event.Descended.class, event -> losses.add(event.loss()));
        scheduler
                .plan(turn)
                .feed(
                        Rows.of("newest", Tensor.of(ROW.prepend(8 * ROWS), numbers))
                                .batchesInOrder("rows", ROWS),
                        Resample.EACH_TURN);
        return scheduler;
    }

    @Test
    void doublePrecisionExchangesToo() {
        Graph wide = new Graph(ElementType.FLOAT64);
        Value rows = wide.input("rows", Shape.of(2));
        Value shown = SamplePool.exchange(2, "pool", rows);
        assertThat(shown.shape()).isEqualTo(Shape.of(2));
        assertThat(SamplePool.exchange(0, "none", rows)).isSameAs(rows);
    }
}
