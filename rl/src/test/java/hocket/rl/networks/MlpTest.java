package hocket.rl.networks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import hocket.programs.Graph;
import hocket.programs.Mode;
import hocket.programs.Program;
import hocket.programs.Session;
import hocket.programs.Session.Feeds;
import hocket.programs.Value;
import hocket.rl.networks.Mlp.Activation;
import hocket.scopes.Parameters;
import hocket.scopes.Shape;
import hocket.scopes.Streams;
import hocket.scopes.Tensor;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MlpTest {
    /** PyTorch's values at -1 and 1. */
    @ParameterizedTest
    @CsvSource({
        "TANH, -0.76159416, 0.76159416",
        "RELU, 0, 1",
        "ELU, -0.63212056, 1",
        "SILU, -0.26894142, 0.73105858",
        "GELU, -0.15865525, 0.84134475",
        "LEAKY_RELU, -0.01, 1"
    })
    void anActivationIsPyTorchs(Activation activation, float below, float above) {
        Graph graph = new Graph();
        Value x = graph.input("x", Shape.of(2));
        Program program = Program.compile("activate", Mode.EVAL, activation.of(x));
        try (Parameters parameters = Parameters.initialise(graph.declarations(), Streams.seed(3));
                Session session = Session.over(graph, parameters, Mode.EVAL)) {
            Tensor row = Tensor.of(Shape.of(1, 2), -1f, 1f);
            assertThat(session.run(program, Feeds.of("x", row)).get(0).floats())
                    .containsExactly(new float[] {below, above}, within(1e-6f)); // float32 near 1
        }
    }
}
