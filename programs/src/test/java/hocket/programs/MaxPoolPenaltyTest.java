package hocket.programs;

import static hocket.programs.Layers.conv;
import static hocket.programs.Layers.dense;
import static hocket.programs.Layers.kernel;
import static hocket.programs.Operators.add;
import static hocket.programs.Operators.flatten;
import static hocket.programs.Operators.maxPool;
import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.relu;
import static hocket.programs.Operators.square;
import static hocket.programs.Operators.sum;
import static hocket.programs.Operators.tanh;
import static org.assertj.core.api.Assertions.assertThat;

import hocket.programs.checks.CheckGradients;
import hocket.programs.execution.BoundProgram;
import hocket.programs.execution.Lowering;
import hocket.programs.jvm.JvmLowering;
import hocket.programs.jvm.ReferenceLowering;
import hocket.programs.layers.Window;
import hocket.programs.mxnet.MxLowering;
import hocket.programs.operators.Pooling;
import hocket.scopes.ElementType;
import hocket.scopes.Parameters;
import hocket.scopes.Shape;
import hocket.scopes.Tensor;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Gradient penalties of critics with max pools: the gradient of a gradient through the pool, by every lowering. */
class MaxPoolPenaltyTest {
    private static final int ROWS = 5;

    static List<Window> windows() {
        return List.of(
                kernel(2).stride(2),
                kernel(3).stride(2).pad(1),
                kernel(3),
                kernel(3, 2).stride(1, 2),
                kernel(1, 3).stride(3, 1).pad(0, 1));
    }

    /** The squared norm of a critic's gradient by an image, whose rectified maxima are often equal. */
    private static Program penalty(ElementType type, Window window) {
        Graph graph = new Graph(type);
        Network<Value, Value> critic = graph.module("critic", x -> {
            Value h = relu(conv("first", x, 16, kernel(3).pad(1)));
            h = tanh(conv("second", maxPool(h, window), 8, kernel(2)));
            return dense("logit", flatten(maxPool(h, kernel(2))), 1);
        });
        Value x = graph.input("image", Shape.of(2, 9, 8));
        Value slope = Gradients.of(sum(critic.apply(x)), x).get(0);
        return Program.compile("penalty", Mode.TRAIN, add(mean(square(slope)), mean(square(critic.apply(x)))));
    }

    @ParameterizedTest
    @MethodSource("windows")
    void everyLoweringComputesTheReferencesPenaltyInBothFloatTypes(Window window) {
        Program exact = penalty(ElementType.FLOAT64, window);
        Program rounded = penalty(ElementType.FLOAT32, window);
        Outcome reference = Outcome.of(new ReferenceLowering(), exact, ROWS, 1);
        assertThat(exact.values())
                .extracting(value -> (Object) value.operator().getClass())
                .contains(Pooling.MaxPoolInput.class);
        Outcome.of(new ReferenceLowering(), rounded, ROWS, 1).assertNear(reference, 1e-4);
        Outcome.of(new JvmLowering(), rounded, ROWS, 1).assertNear(reference, 1e-4);
        Lowering engine = new MxLowering();
        if (engine.unavailable().isEmpty()) {
            Outcome.of(engine, exact, ROWS, 1).assertNear(reference, 1e-10);
            Outcome.of(engine, rounded, ROWS, 1).assertNear(reference, 1e-4);
        }
    }

    @ParameterizedTest
    @MethodSource("windows")
    @Tag("engine")
    void theEnginesGradientsAreDifferences(Window window) {
        assertThat(CheckGradients.of(penalty(ElementType.FLOAT64, window))
                        .by(new MxLowering())
                        .run()
                        .passes())
                .isTrue();
    }

    /** A NaN is the largest of its window, a padding of zeros is not, and of equals the first counts. */
    @Test
    void theLargestIsChosenAsByTheReference() {
        float nan = Float.NaN;
        float low = Float.NEGATIVE_INFINITY;
        float[] image = {-1, -1, -1, 3, -4, nan, 3, 3, nan, 3, low, -9, 0, 1, -8, low};
        float[] slopes = {1, 2, 4, 8, 16, 32, 64, 128, 256};
        Graph graph = new Graph();
        Value x = graph.input("x", Shape.of(1, 4, 4));
        Window window = kernel(2).stride(2).pad(1);
        Value input = graph.numbered(new Pooling.MaxPoolInput(window), x, graph.input("g", Shape.of(1, 3, 3)));
        Value pick = graph.numbered(new Pooling.MaxPoolPick(window), x, graph.input("y", Shape.of(1, 4, 4)));
        Program program = Program.compile("largest", Mode.EVAL, input, pick);
        Fixture.lowerings().forEach(lowering -> {
            try (Parameters parameters = Fixture.store(graph);
                    BoundProgram bound = Fixture.bind(lowering, program, parameters, Fixture.none())) {
                bound.feed("x", Tensor.of(Shape.of(1, 1, 4, 4), image));
                bound.feed("g", Tensor.of(Shape.of(1, 1, 3, 3), slopes));
                float[] numbers = new float[16];
                for (int i = 0; i < numbers.length; i++) {
                    numbers[i] = i;
                }
                bound.feed("y", Tensor.of(Shape.of(1, 1, 4, 4), numbers));
                bound.run(1, 0, 0);
                assertThat(bound.target(0).floats())
                        .as(lowering.name())
                        .containsExactly(1, 2, 0, 4, 0, 16, 0, 32, 8, 0, 0, 0, 64, 128, 0, 256);
                assertThat(bound.target(1).floats()).as(lowering.name()).containsExactly(0, 1, 3, 8, 5, 7, 12, 13, 15);
            }
        });
    }
}
