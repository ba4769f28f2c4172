package hocket.programs.mxnet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hocket.programs.mxnet.SymbolJson.Ref;
import hocket.scopes.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Programs that share their working memory: one net, bound for several batch sizes. */
@Tag("engine")
class PoolTest {
    private final MxArray w1 = Arrays.normal(1, 0.3, Shape.of(64, 16));
    private final MxArray b1 = Arrays.normal(2, 0.3, Shape.of(64));
    private final MxArray w2 = Arrays.normal(3, 0.3, Shape.of(8, 64));
    private final MxArray b2 = Arrays.normal(4, 0.3, Shape.of(8));
    private final MxArray gradient = Arrays.zeros(Shape.of(64, 16));

    private MxExecutor bind(int batch, @Nullable MxExecutor pool) {
        Symbols symbols = new Symbols();
        Ref hidden =
                symbols.tanh(symbols.dense(symbols.variable("x"), symbols.variable("w1"), symbols.variable("b1"), 64));
        Ref output = symbols.dense(hidden, symbols.variable("w2"), symbols.variable("b2"), 8);
        Ref loss = symbols.meanSquareError(output, symbols.variable("y"));
        return MxExecutor.bind(
                symbols.loss(loss).observe(output).json(),
                Map.of(
                        "x", Arrays.normal(5, 1, Shape.of(batch, 16)),
                        "y", Arrays.normal(6, 1, Shape.of(batch, 8)),
                        "w1", w1,
                        "b1", b1,
                        "w2", w2,
                        "b2", b2),
                Map.of("w1", GradientRequest.write(gradient)),
                Map.of(),
                pool);
    }

    private List<float[]> step(MxExecutor executor) {
        executor.forward(true);
        executor.backward();
        return List.of(Arrays.read(executor.output(0)), Arrays.read(executor.output(1)), Arrays.read(gradient));
    }

    @Test
    void smallerBatchesInOnePoolGiveTheBitsOfUnsharedOnes() {
        List<Integer> batches = List.of(64, 32, 7, 1);
        List<List<float[]>> unshared = new ArrayList<>();
        for (int batch : batches) {
            try (MxExecutor executor = bind(batch, null)) {
                unshared.add(step(executor));
            }
        }
        MxExecutor largest = bind(64, null);
        List<MxExecutor> shared = List.of(largest, bind(32, largest), bind(7, largest), bind(1, largest));
        for (int round = 0; round < 2; round++) {
            for (int i = 0; i < shared.size(); i++) {
                List<float[]> step = step(shared.get(i));
                for (int k = 0; k < step.size(); k++) {
                    assertThat(step.get(k)).containsExactly(unshared.get(i).get(k));
                }
            }
        }
        // The pool outlives the executor that opened it.
        largest.close();
        assertThat(step(shared.get(1)).get(2)).containsExactly(unshared.get(1).get(2));
        shared.forEach(MxExecutor::close);
    }

    @Test
    void aProgramOfTheSamePoolMayNotRunBetweenForwardAndBackward() {
        try (MxExecutor large = bind(64, null);
                MxExecutor small = bind(32, large);
                MxExecutor other = bind(32, null)) {
            large.forward(true);
            small.forward(false);
            assertThatThrownBy(large::backward)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("same pool");

            large.forward(true);
            other.forward(true);
            large.backward();
            other.backward();
        }
    }
}
