package hocket.programs.mxnet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import hocket.programs.mxnet.SymbolJson.Ref;
import hocket.scopes.ElementType;
import hocket.scopes.Shape;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Programs that cannot be: each error is one line that names what is wrong. */
@Tag("engine")
class RefusalTest {
    private static final MxArray X = Arrays.zeros(Shape.of(2, 3));

    private static MxExecutor bind(String json, Map<String, MxArray> arguments) {
        return MxExecutor.bind(json, arguments, Map.of(), Map.of(), null);
    }

    private static EngineException refused(String json, Map<String, MxArray> arguments) {
        EngineException refusal = catchThrowableOfType(EngineException.class, () -> bind(json, arguments));
        assertThat(refusal.getMessage()).doesNotContain("\n", "Stack trace", ".cc:", ".h:", "Traceback");
        assertThat(refusal.poisonsThread).isFalse();
        return refusal;
    }

    private static String dense(String attribute, String value) {
        Symbols symbols = new Symbols();
        Ref dense = symbols.operator(
                "FullyConnected",
                List.of(attribute, value, "no_bias", "True"),
                symbols.variable("x"),
                symbols.variable("w"));
        return symbols.observe(dense).json();
    }

    @Test
    void anUnknownOperatorIsNamed() {
        Symbols symbols = new Symbols();
        String json = symbols.observe(symbols.operator("Dropin", symbols.variable("x")))
                .json();
        assertThat(refused(json, Map.of("x", X)))
                .hasMessage("engine: read a program: Failed loading Op dropin0 of type Dropin: "
                        + "Check failed: op != nullptr: Operator Dropin is not registered");
    }

    @Test
    void aWrongAttributeValueIsNamed() {
        assertThat(refused(dense("num_hidden", "many"), Map.of("x", X)))
                .hasMessageStartingWith("engine: read a program: "
                        + "Invalid Parameter format for num_hidden expect int but value='many', in operator");
    }

    @Test
    void anUnknownAttributeIsNamedAndTheKnownOnesAreInTheDetail() {
        EngineException refusal = refused(dense("num_hiden", "4"), Map.of("x", X));
        assertThat(refusal).hasMessageStartingWith("engine: read a program: Cannot find argument 'num_hiden'");
        assertThat(refusal.detail).contains("num_hidden : int, required");
    }

    @Test
    void textThatIsNoSymbolIsRefused() {
        assertThat(refused("hello", Map.of())).hasMessageContaining("Expect '{' but get 'h'");
        refused("", Map.of());
    }

    @Test
    void anArgumentOfTheWrongShapeIsNamedWithBothShapes() {
        assertThatThrownBy(() -> bind(dense("num_hidden", "4"), Map.of("x", X, "w", Arrays.zeros(Shape.of(4, 5)))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("argument 'w' has shape (4,5), the program needs (4,3)");
    }

    @Test
    void ifEitherOfTwoArgumentsCouldBeWrongBothAreNamed() {
        Symbols symbols = new Symbols();
        Ref sum = symbols.operator("elemwise_add", symbols.variable("x"), symbols.variable("y"));
        String json = symbols.observe(sum).json();
        assertThatThrownBy(() -> bind(json, Map.of("x", X, "y", Arrays.zeros(Shape.of(6)))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("argument 'x' has shape (2,3), the program needs (6); "
                        + "or argument 'y' has shape (6), the program needs (2,3)");
    }

    @Test
    void shapesThatContradictInsideAnOperatorAreReportedAsTheEngineDoes() {
        Symbols symbols = new Symbols();
        Ref product = symbols.operator("dot", symbols.variable("x"), symbols.variable("y"));
        assertThat(refused(symbols.observe(product).json(), Map.of("x", X, "y", Arrays.zeros(Shape.of(4, 5)))))
                .hasMessageContaining("dot shape error: [2,3] X [4,5]");
    }

    @Test
    void aMissingArrayIsNamed() {
        assertThatThrownBy(() -> bind(dense("num_hidden", "4"), Map.of("x", X)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the program needs an array for argument 'w', given are [x]");
    }

    @Test
    void anAuxiliaryArrayOfTheWrongShapeIsNamed() {
        Symbols symbols = new Symbols();
        Ref norm = symbols.operator(
                "BatchNorm",
                3,
                List.of(),
                symbols.variable("x"),
                symbols.variable("gamma"),
                symbols.variable("beta"),
                symbols.variable("mean"),
                symbols.variable("variance"));
        String json = symbols.observe(norm).json();
        MxArray three = Arrays.zeros(Shape.of(3));
        assertThatThrownBy(() -> MxExecutor.bind(
                        json,
                        Map.of("x", X, "gamma", three, "beta", three),
                        Map.of(),
                        Map.of("mean", three, "variance", Arrays.zeros(Shape.of(2))),
                        null))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("auxiliary array 'variance' has shape (2), the program needs (3)");
    }

    @Test
    void mixedTypesAreRefused() {
        MxArray doubles = MxArray.create(Shape.of(4, 3), ElementType.FLOAT64);
        assertThat(refused(dense("num_hidden", "4"), Map.of("x", X, "w", doubles)))
                .hasMessageContaining("expected float32, got float64");
    }

    @Test
    void anErrorInsideAKernelIsReportedByThePassAndMayPoisonTheThread() {
        Symbols symbols = new Symbols();
        Ref taken =
                symbols.operator("take", List.of("mode", "raise"), symbols.variable("x"), symbols.variable("index"));
        MxArray index = MxArray.create(Shape.of(1), ElementType.INT64);
        index.buffer().putLong(0, 77);
        try (MxExecutor executor = bind(symbols.observe(taken).json(), Map.of("x", X, "index", index))) {
            EngineException error = catchThrowableOfType(EngineException.class, () -> executor.forward(false));
            assertThat(error)
                    .hasMessage("engine: forward pass: Check failed: is_valid: take operator contains indices "
                            + "out of bound");
            assertThat(error.poisonsThread).isTrue();
            assertThat(error.detail).contains("Stack trace");

            index.buffer().putLong(0, 1);
            assertThatThrownBy(() -> executor.forward(false))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("must be bound again")
                    .hasCause(error);
        }
    }

    @Test
    void afterAnErrorInAPassAnotherThreadGoesOn() throws Exception {
        Symbols symbols = new Symbols();
        Ref taken =
                symbols.operator("take", List.of("mode", "raise"), symbols.variable("x"), symbols.variable("index"));
        String json = symbols.observe(taken).json();
        MxArray x = Arrays.floats(Shape.of(2, 1), 5, 6);
        MxArray index = MxArray.create(Shape.of(1), ElementType.INT64);
        index.buffer().putLong(0, 77);
        Thread lost = new Thread(() -> {
            try (MxExecutor executor = bind(json, Map.of("x", x, "index", index))) {
                assertThatThrownBy(() -> executor.forward(false)).isInstanceOf(EngineException.class);
            }
        });
        lost.start();
        lost.join();
        index.buffer().putLong(0, 1);
        try (MxExecutor executor = bind(json, Map.of("x", x, "index", index))) {
            executor.forward(false);
            assertThat(Arrays.read(executor.output(0))).containsExactly(6);
        }
    }
}
