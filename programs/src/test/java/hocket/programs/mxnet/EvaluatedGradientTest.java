package hocket.programs.mxnet;

import static hocket.programs.Layers.batchNorm;
import static hocket.programs.Layers.conv;
import static hocket.programs.Layers.dense;
import static hocket.programs.Layers.kernel;
import static hocket.programs.Operators.flatten;
import static hocket.programs.Operators.leakyRelu;
import static hocket.programs.Operators.sum;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import hocket.programs.Gradients;
import hocket.programs.Graph;
import hocket.programs.Mode;
import hocket.programs.Program;
import hocket.programs.Session;
import hocket.programs.Value;
import hocket.programs.execution.BoundProgram;
import hocket.programs.execution.Lowering;
import hocket.programs.layers.Window;
import hocket.scopes.Parameters;
import hocket.scopes.Scope;
import hocket.scopes.Shape;
import hocket.scopes.Streams;
import hocket.scopes.Tensor;
import java.util.Arrays;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Programs without gradients of their own in which a convolution and a transposed one read the same weight, as a network and
 * its input gradient do: the engine's evaluation keeps weights in layouts that the two do not share.
 */
@Tag("engine")
class EvaluatedGradientTest {
    private static final int ROWS = 4;
    private static final Window HALVE = kernel(4).stride(2).pad(1);

    @ParameterizedTest(name = "{0} channels, {1}x{1}, {2} filters, {3}")
    @CsvSource({"1, 8, 64, EVAL", "1, 28, 64, EVAL", "3, 16, 8, EVAL", "1, 8, 64, TRAIN"})
    void theInputGradientOfADiscriminatorIsThatOfTheReference(int channels, int side, int filters, Mode mode) {
        Graph graph = new Graph();
        Value image = graph.input("image", Shape.of(channels, side, side));
        Value logit;
        try (Scope<Value> discriminator = graph.module("discriminator")) {
            Value h = leakyRelu(conv("conv1", image, filters, HALVE), 0.2);
            h = leakyRelu(batchNorm("bn2", conv("conv2", h, 2 * filters, HALVE)), 0.2);
            logit = dense("logit", flatten(h), 1);
        }
        Program slope =
                Program.compile("slope", mode, Gradients.of(sum(logit), image).get(0));
        Tensor images = normal(Shape.of(ROWS, channels, side, side));
        double[] ours = ran(graph, new MxLowering(), slope, images);
        double[] wanted = ran(graph, Lowering.reference(), slope, images);
        // Two float32 implementations whose sums have up to 2048 terms.
        assertThat(ours).containsExactly(wanted, within(1e-5 * largest(wanted)));
    }

    @Test
    void programsThatConvolveAndTransposeTheSameWeightRunInAnyOrder() {
        Graph graph = new Graph();
        Value image = graph.input("image", Shape.of(16, 8, 8));
        Value code = graph.input("code", Shape.of(32, 4, 4));
        Value convolved;
        try (Scope<Value> encoder = graph.module("encoder")) {
            convolved = conv("conv", image, 32, HALVE);
        }
        Program encode = Program.compile("encode", Mode.EVAL, convolved);
        Program decode = Program.compile(
                "decode",
                Mode.EVAL,
                Gradients.vectorJacobian(convolved, code, image).get(0));
        try (Parameters parameters = Parameters.initialise(graph.declarations(), Streams.seed(7));
                Session session = Session.over(parameters, 2)) {
            Session.Feeds images = Session.Feeds.of("image", normal(Shape.of(16, 16, 8, 8)));
            Tensor encoded = session.run(encode, images).get(0); // first, while the weight is plain
            Tensor decoded = decoded(session, decode, 4);
            for (int rows : new int[] {16, 1, 3, 64}) {
                session.run(encode, Session.Feeds.of("image", normal(Shape.of(rows, 16, 8, 8))));
                decoded(session, decode, rows);
            }
            assertThat(decoded(session, decode, 4)).isEqualTo(decoded);
            assertThat(session.run(encode, images)).containsExactly(encoded);
        }
    }

    private static Tensor decoded(Session session, Program decode, int rows) {
        return session.run(decode, Session.Feeds.of("code", normal(Shape.of(rows, 32, 4, 4))))
                .get(0);
    }

    private static double[] ran(Graph graph, Lowering lowering, Program program, Tensor images) {
        try (Parameters parameters = Parameters.initialise(graph.declarations(), Streams.seed(7));
                BoundProgram bound = new BoundProgram(program, parameters, lowering, 2, new TreeSet<>(), "")) {
            bound.feed("image", images);
            bound.run(ROWS, 0, 0);
            return bound.target(0).doubles();
        }
    }

    private static double largest(double[] values) {
        return Arrays.stream(values).map(Math::abs).max().orElse(0);
    }

    private static Tensor normal(Shape shape) {
        double[] values = new double[shape.size()];
        Streams.seed(3).at("x").normal(0, values);
        float[] single = new float[values.length];
        for (int i = 0; i < values.length; i++) {
            single[i] = (float) values[i];
        }
        return Tensor.of(shape, single);
    }
}
