package hocket.programs;

import static hocket.programs.Fixture.bind;
import static hocket.programs.Fixture.none;
import static hocket.programs.Fixture.store;
import static hocket.programs.Layers.conv;
import static hocket.programs.Layers.conv1d;
import static hocket.programs.Layers.convTranspose;
import static hocket.programs.Layers.convTranspose1d;
import static hocket.programs.Layers.dense;
import static hocket.programs.Layers.groupNorm;
import static hocket.programs.Layers.kernel;
import static hocket.programs.Layers.layerNorm;
import static hocket.programs.Layers.residual;
import static hocket.programs.Layers.rmsNorm;
import static hocket.programs.Operators.instanceNorm;
import static hocket.programs.Operators.pixelNorm;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import hocket.programs.execution.BoundProgram;
import hocket.programs.layers.Weights;
import hocket.scopes.Declaration;
import hocket.scopes.ElementType;
import hocket.scopes.Parameters;
import hocket.scopes.Scope;
import hocket.scopes.Shape;
import hocket.scopes.Tensor;
import java.util.Map;
import java.util.stream.Collectors;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What composed layers declare and refuse, and values worked out by hand. */
class LayersTest {
    private final Graph graph = new Graph(ElementType.FLOAT64);
    private final Scope<Value> module = graph.module("m");

    @AfterEach
    void close() {
        module.close();
    }

    private Map<String, Shape> declared() {
        return graph.declarations().stream()
                .collect(Collectors.toMap(d -> d.path().text(), Declaration::shape));
    }

    private static double[] of(Value value, Tensor x, Map<String, double[]> parameters) {
        try (Parameters store = store(value.graph());
                BoundProgram bound = bind(Program.compile("p", Mode.EVAL, value), store, none())) {
            parameters.forEach(store::set);
            bound.feed("m/x", x);
            bound.run(x.shape().get(0), 0, 0);
            return bound.target(0).doubles();
        }
    }

    @Tag("engine")
    @Test
    void weightNormHasRowsOfItsGain() {
        Value x = graph.input("x", Shape.of(2));
        Value y = dense("layer", x, 2, Weights.standard().weightNorm());
        Map<String, double[]> parameters =
                Map.of("m/layer/weight", new double[] {3, 4, 0, -2}, "m/layer/gain", new double[] {10, 0.5});
        assertThat(of(y, Tensor.of(Shape.of(1, 2), 1.0, 2.0), parameters))
                .containsExactly(new double[] {6 + 16, -1}, within(1e-12));
    }

    @Tag("engine")
    @Test
    void pixelNormBringsEachPixelToUnitMeanSquare() {
        Value x = graph.input("x", Shape.of(2, 1, 2));
        assertThat(of(pixelNorm(x), Tensor.of(Shape.of(1, 2, 1, 2), 3.0, 0.0, 4.0, 2.0), Map.of()))
                .containsExactly(
                        new double[] {3 / Math.sqrt(12.5), 0, 4 / Math.sqrt(12.5), Math.sqrt(2)}, within(1e-8));
    }

    @Test
    void linesDeclareWeightsOfThreeAxes() {
        Value x = graph.input("x", Shape.of(4, 9));
        assertThat(conv1d("a", x, 6, kernel(3).stride(2).pad(1).groups(2)).shape())
                .isEqualTo(Shape.of(6, 5));
        assertThat(convTranspose1d("b", x, 6, kernel(4).stride(2).pad(1).groups(2))
                        .shape())
                .isEqualTo(Shape.of(6, 18));
        assertThat(declared())
                .containsEntry("m/a/weight", Shape.of(6, 2, 3))
                .containsEntry("m/b/weight", Shape.of(4, 3, 4));
    }

    @Test
    void spectralNormDeclaresVectorsOfOutputsAndRest() {
        Weights spectral = Weights.standard().spectralNorm();
        Value image = graph.input("image", Shape.of(4, 5, 5));
        conv("a", image, 6, kernel(3).weights(spectral));
        convTranspose("b", image, 6, kernel(3).weights(spectral));
        conv("c", image, 6, kernel(3).weights(Weights.standard().weightNorm()));
        assertThat(declared())
                .containsEntry("m/a/u", Shape.of(6))
                .containsEntry("m/a/v", Shape.of(36))
                .containsEntry("m/b/u", Shape.of(6))
                .containsEntry("m/b/v", Shape.of(36))
                .containsEntry("m/c/gain", Shape.of(6));
    }

    @Test
    void aResidualIsProjectedOnlyWhereShapesDiffer() {
        Value x = graph.input("x", Shape.of(4, 6, 6));
        residual("same", x, h -> conv("body", h, 4, kernel(3).pad(1)));
        Value half =
                residual("half", x, h -> conv("body", h, 8, kernel(3).stride(2).pad(1)));
        assertThat(half.shape()).isEqualTo(Shape.of(8, 3, 3));
        assertThat(half.path().text()).isEqualTo("m/half");
        assertThat(declared())
                .containsEntry("m/half/projection/weight", Shape.of(8, 4, 1, 1))
                .containsKey("m/same/body/weight")
                .doesNotContainKey("m/same/projection/weight");
        refused(
                () -> residual("large", x, h -> Operators.upsampleNearest(h, 2)),
                "large: no projection takes the input m/x (batch,4,6,6) FLOAT64 to the shape of the body's");
    }

    @Test
    void whatCannotBeNormalisedIsRefused() {
        Value x = graph.input("x", Shape.of(4, 6));
        refused(() -> layerNorm("n", x, 3, 1e-5), "n: cannot normalise over the last 3 axes, input is m/x");
        refused(() -> rmsNorm("n", x, 0, 1e-5), "n: cannot normalise over the last 0 axes, input is m/x");
        refused(() -> groupNorm("n", x, 3), "n: 3 groups must divide 4 channels, input is m/x");
        refused(() -> layerNorm("n", x, 1, 0), "n: epsilon must be above 0, was 0.0");
        Value row = graph.input("row", Shape.of(4));
        refused(() -> instanceNorm(row), "instance norm needs rows (channels, …) of at least two axes");
        refused(() -> conv1d("c", row, 2, kernel(1)), "c: needs rows (channels, length), input is m/row");
    }

    private static void refused(ThrowingCallable call, String message) {
        assertThatIllegalArgumentException().isThrownBy(call).withMessageContaining(message);
    }
}
