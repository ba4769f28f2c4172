package hocket.schedulers.exchange;

import static hocket.programs.Layers.embedding;
import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.slice;
import static hocket.programs.Operators.square;
import static hocket.schedulers.optimizers.Optimizers.adam;
import static hocket.schedulers.optimizers.Optimizers.lazy;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import hocket.programs.Graph;
import hocket.programs.Loss;
import hocket.programs.Mode;
import hocket.programs.Program;
import hocket.programs.Value;
import hocket.schedulers.Budget;
import hocket.schedulers.Resample;
import hocket.schedulers.Rows;
import hocket.schedulers.Scheduler;
import hocket.schedulers.Turn;
import hocket.scopes.ElementType;
import hocket.scopes.Parameters;
import hocket.scopes.Scope;
import hocket.scopes.Shape;
import hocket.scopes.Streams;
import hocket.scopes.Tensor;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Lazy optimizers in several processes. */
class LazyProcessesTest {
    private static final int ENTRIES = 10;
    private static final int WIDTH = 3;

    private static float[] trained(DataParallelSplit split, int rounds, UnaryOperator<Value> index) {
        Graph graph = new Graph();
        Value text = graph.input("text", Shape.of(2), ElementType.INT64);
        Value x;
        try (Scope<Value> net = graph.module("net")) {
            x = embedding("words", index.apply(text), ENTRIES, WIDTH);
        }
        Turn.Descend turn = Turn.of("learn", Program.compile("learn", Mode.TRAIN, Loss.of(mean(square(x)))))
                .updates("net/**", lazy(adam(0.1).decoupledWeightDecay(0.1)));
        Tensor rows = Tensor.of(Shape.of(8, 2), new long[] {0, 1, 1, 2, 3, 3, 4, 0, 5, 5, 2, 1, 0, 0, 4, 3});
        try (Parameters parameters = Parameters.initialise(graph.declarations(), Streams.seed(7));
                Scheduler scheduler = Scheduler.over(parameters, 1, split)) {
            scheduler.plan(turn).feed(Rows.of("text", rows).batches("text", 4), Resample.EACH_TURN);
            if (rounds > 0) {
                scheduler.run(Budget.rounds(rounds));
            }
            return parameters.tensor("net/words/table").floats();
        }
    }

    @Test
    void eachUpdatesTheRowsThatAnyOfThemUses() throws Exception {
        List<float[]> tables = DividedTest.together(2, 1, split -> trained(split, 4, UnaryOperator.identity()));
        assertThat(tables.get(0)).isEqualTo(tables.get(1));
        float[] alone = trained(DataParallelSplit.NONE, 4, UnaryOperator.identity());
        assertThat(tables.get(0)).containsExactly(alone, within(1e-5f));
        float[] first = trained(DataParallelSplit.NONE, 0, UnaryOperator.identity());
        assertThat(Arrays.copyOfRange(tables.get(0), 6 * WIDTH, ENTRIES * WIDTH))
                .isEqualTo(Arrays.copyOfRange(first, 6 * WIDTH, ENTRIES * WIDTH));
    }

    @Test
    void indicesThatAreComputedOrWeightsThatDifferAreRefused() {
        DataParallelSplit two = DataParallelSplit.NONE.through(Exchange.planned(2));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> trained(two, 1, text -> slice(text, 0, 0, 1)))
                .withMessageContaining("cannot be put together, as it is INT64");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> trained(
                        two.consistent(Map.of("net/**", new Consistency.Averaged(2))), 1, UnaryOperator.identity()))
                .withMessage(
                        "turn learn: a lazy optimizer updates the rows that all processes use, and its weights are the"
                                + " mean after each 2 rounds");
    }
}
