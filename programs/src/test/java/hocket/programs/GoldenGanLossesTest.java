package hocket.programs;

import static hocket.programs.Layers.embedding;
import static hocket.programs.Operators.add;
import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.negate;
import static hocket.programs.Operators.reshape;
import static hocket.programs.Operators.scale;
import static hocket.programs.Operators.shift;
import static hocket.programs.Operators.softplus;
import static hocket.programs.Operators.square;

import com.fasterxml.jackson.databind.JsonNode;
import hocket.programs.execution.BoundProgram;
import hocket.programs.mxnet.MxLowering;
import hocket.scopes.ElementType;
import hocket.scopes.Parameters;
import hocket.scopes.Path;
import hocket.scopes.Shape;
import hocket.scopes.Streams;
import hocket.scopes.Tensor;
import java.util.TreeSet;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/** GAN losses composed of operators on given logits: small ones, wide ones, and ones at which exp overflows. */
@Tag("golden")
@Tag("engine")
class GoldenGanLossesTest {
    private interface Losses {
        Value discriminator(Value real, Value fake);

        Value generator(Value fake);
    }

    private static final class NonSaturating implements Losses {
        @Override
        public Value discriminator(Value real, Value fake) {
            return add(mean(softplus(negate(real))), mean(softplus(fake)));
        }

        @Override
        public Value generator(Value fake) {
            return mean(softplus(negate(fake)));
        }
    }

    private static final class LeastSquares implements Losses {
        @Override
        public Value discriminator(Value real, Value fake) {
            return add(scale(mean(square(shift(real, -1))), 0.5), scale(mean(square(fake)), 0.5));
        }

        @Override
        public Value generator(Value fake) {
            return scale(mean(square(shift(fake, -1))), 0.5);
        }
    }

    @TestFactory
    Stream<DynamicTest> nonSaturating() {
        return cases("non_saturating", new NonSaturating());
    }

    @TestFactory
    Stream<DynamicTest> leastSquares() {
        return cases("lsgan", new LeastSquares());
    }

    private static Stream<DynamicTest> cases(String loss, Losses losses) {
        JsonNode all = Golden.read("losses/gan.json").get("logit_cases");
        return StreamSupport.stream(all.spliterator(), false)
                .flatMap(golden -> Stream.of(ElementType.FLOAT64, ElementType.FLOAT32)
                        .map(type -> DynamicTest.dynamicTest(
                                golden.get("name").asText() + " in " + type, () -> check(golden, loss, losses, type))));
    }

    private static void check(JsonNode golden, String name, Losses losses, ElementType type) {
        double[] real = Golden.numbers(golden.get("real_logits"));
        double[] fake = Golden.numbers(golden.get("fake_logits"));
        Graph graph = new Graph(type);
        Value discriminator;
        Value generator;
        try (var logits = graph.module("logits")) {
            Value row = graph.input("row", Shape.scalar(), ElementType.INT64);
            Value r = reshape(embedding("real", row, real.length, 1));
            Value f = reshape(embedding("fake", row, fake.length, 1));
            discriminator = losses.discriminator(r, f);
            generator = losses.generator(f);
        }
        try (Parameters parameters = Parameters.initialise(graph.declarations(), Streams.seed(1))) {
            parameters.set("logits/real/table", real);
            parameters.set("logits/fake/table", fake);
            JsonNode expected = golden.get("losses").get(name);
            compare(Program.compile("d", Mode.TRAIN, discriminator), parameters, expected, "d");
            compare(Program.compile("g", Mode.TRAIN, generator), parameters, expected, "g");
        }
    }

    private static void compare(Program program, Parameters parameters, JsonNode expected, String side) {
        int rows = parameters.declaration(Path.of("logits/fake/table")).shape().get(0);
        double tolerance = program.floatType() == ElementType.FLOAT64 ? 1e-9 : 1e-4;
        try (BoundProgram bound =
                new BoundProgram(program, parameters, new MxLowering(), 1, new TreeSet<>(program.reached()), "")) {
            bound.feed(
                    "logits/row",
                    Tensor.of(Shape.of(rows), LongStream.range(0, rows).toArray()));
            bound.run(rows, 0, 0);
            double[] loss = {bound.loss()};
            Golden.assertNear(side + "_loss", loss, Golden.numbers(expected.get(side + "_loss")), tolerance);
            int index = 0;
            for (Path path : bound.gradients()) {
                String what = side + "_grad_" + (path.text().contains("real") ? "real" : "fake");
                double[] gradient = Tensor.copyOf(
                                Shape.of(rows),
                                program.floatType(),
                                bound.gradient(index).buffer())
                        .doubles();
                Golden.assertNear(what, gradient, Golden.numbers(expected.get(what)), tolerance);
                index++;
            }
        }
    }
}
