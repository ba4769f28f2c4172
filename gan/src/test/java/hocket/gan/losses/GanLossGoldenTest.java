package hocket.gan.losses;

import static hocket.programs.Layers.conv;
import static hocket.programs.Layers.dense;
import static hocket.programs.Layers.embedding;
import static hocket.programs.Layers.kernel;
import static hocket.programs.Operators.flatten;
import static hocket.programs.Operators.leakyRelu;
import static hocket.programs.Operators.reshape;
import static hocket.programs.Operators.softplus;
import static hocket.programs.Operators.tanh;
import static hocket.schedulers.optimizers.Optimizers.sgd;

import com.fasterxml.jackson.databind.JsonNode;
import hocket.gan.Golden;
import hocket.programs.Graph;
import hocket.programs.Kernel;
import hocket.programs.Loss;
import hocket.programs.Mode;
import hocket.programs.Network;
import hocket.programs.Program;
import hocket.programs.Session.Feeds;
import hocket.programs.Value;
import hocket.schedulers.Event;
import hocket.schedulers.Scheduler;
import hocket.schedulers.Turn;
import hocket.scopes.ElementType;
import hocket.scopes.Parameters;
import hocket.scopes.Scope;
import hocket.scopes.Shape;
import hocket.scopes.Streams;
import hocket.scopes.Tensor;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/**
 * GAN losses and their gradients, by given logits and through whole discriminators, against PyTorch. What a gradient is
 * wanted by, a batch of logits or of images, is a table of parameters that is read row by row.
 */
@Tag("golden")
@Tag("engine")
class GanLossGoldenTest {
    @TestFactory
    Stream<DynamicTest> lossesAndGradientsByTheLogitsArePyTorchs() {
        return tests("logit_cases", "name", GanLossGoldenTest::checkLogits);
    }

    @TestFactory
    Stream<DynamicTest> lossesAndGradientsThroughDiscriminatorsArePyTorchs() {
        return tests("net_cases", "net", GanLossGoldenTest::checkNet);
    }

    private static GanLoss loss(String name) {
        return name.equals("lsgan") ? GanLoss.leastSquares() : GanLoss.nonSaturating();
    }

    private interface Check {
        void run(JsonNode golden, String loss, ElementType type);
    }

    private static Stream<DynamicTest> tests(String block, String name, Check check) {
        return StreamSupport.stream(Golden.read("losses/gan.json").get(block).spliterator(), false)
                .flatMap(golden -> Stream.of("non_saturating", "lsgan")
                        .flatMap(loss -> Stream.of(ElementType.FLOAT64, ElementType.FLOAT32)
                                .map(type -> DynamicTest.dynamicTest(
                                        golden.get(name).asText() + ", " + loss + ", " + type,
                                        () -> check.run(golden, loss, type)))));
    }

    private static void checkLogits(JsonNode golden, String name, ElementType type) {
        GanLoss loss = loss(name);
        JsonNode expected = golden.get("losses").get(name);
        double[] real = Golden.numbers(golden.get("real_logits"));
        double[] fake = Golden.numbers(golden.get("fake_logits"));
        Graph graph = new Graph(type);
        Value row = graph.input("row", Shape.scalar(), ElementType.INT64);
        Value forD;
        Value forG;
        try (Scope<Value> logits = graph.module("logits")) {
            Value r = reshape(embedding("real", row, real.length, 1));
            Value f = reshape(embedding("fake", row, fake.length, 1));
            forD = loss.discriminator(r, f);
            forG = loss.generator(f);
        }
        try (Parameters parameters = Parameters.initialise(graph.declarations(), Streams.seed(1))) {
            parameters.set("logits/real/table", real);
            parameters.set("logits/fake/table", fake);
            Feeds rows = Feeds.of("row", order(real.length));
            check(
                    parameters,
                    turn("d", Loss.of(forD), "logits/**"),
                    rows,
                    expected.get("d_loss"),
                    Map.of(
                            "logits/real/table", expected.get("d_grad_real"),
                            "logits/fake/table", expected.get("d_grad_fake")));
            parameters.set("logits/fake/table", fake);
            check(
                    parameters,
                    turn("g", Loss.of(forG), "logits/fake/*"),
                    rows,
                    expected.get("g_loss"),
                    Map.of("logits/fake/table", expected.get("g_grad_fake")));
        }
    }

    private static void checkNet(JsonNode golden, String name, ElementType type) {
        GanLoss loss = loss(name);
        JsonNode expected = golden.get("losses").get(name);
        Shape batch = Golden.shape(golden.get("fake"));
        Shape image = Shape.of(Arrays.copyOfRange(batch.extents(), 1, batch.rank()));
        Graph graph = new Graph(type);
        Value row = graph.input("row", Shape.scalar(), ElementType.INT64);
        Value real = graph.input("real", image);
        Value fake;
        try (Scope<Value> generator = graph.module("generator")) {
            fake = reshape(embedding("fake", row, batch.get(0), image.size()), image.extents());
        }
        String net = golden.get("net").asText();
        Network<Value, Value> discriminator = graph.module("discriminator", x -> discriminator(net, x));
        Turn.Descend d = turn("d", loss.discriminator(discriminator, real, fake), "discriminator/**");
        Turn.Descend g = turn("g", loss.generator(discriminator, fake), "generator/**");
        try (Parameters parameters = Parameters.initialise(graph.declarations(), Streams.seed(1))) {
            set(parameters, golden);
            Feeds rows = Feeds.of("row", order(batch.get(0)));
            Map<String, JsonNode> gradients = new TreeMap<>();
            expected.get("d_param_grads")
                    .fields()
                    .forEachRemaining(entry -> gradients.put(stored(entry.getKey()), entry.getValue()));
            Feeds both = rows.and("real", Golden.tensor(golden.get("real"), type));
            check(parameters, d, both, expected.get("d_loss"), gradients);
            set(parameters, golden);
            check(
                    parameters,
                    g,
                    rows,
                    expected.get("g_loss"),
                    Map.of("generator/fake/table", expected.get("g_grad_wrt_fake")));
        }
    }

    private static void set(Parameters parameters, JsonNode golden) {
        parameters.set("generator/fake/table", Golden.numbers(golden.get("fake")));
        golden.get("params")
                .fields()
                .forEachRemaining(entry -> parameters.set(stored(entry.getKey()), Golden.numbers(entry.getValue())));
    }

    private static String stored(String name) {
        return "discriminator/" + name.replace('.', '/');
    }

    /** The discriminators of the file, by name. */
    private static Value discriminator(String net, Value x) {
        boolean convolves = net.startsWith("conv");
        Kernel halve = kernel(4).stride(2).pad(1);
        Value h = activation(net, convolves ? conv("c1", x, 4, halve) : dense("l1", x, 8));
        h = activation(net, convolves ? conv("c2", h, 6, halve) : dense("l2", h, 8));
        return dense(convolves ? "fc" : "l3", flatten(h), 1);
    }

    private static Value activation(String net, Value x) {
        if (net.endsWith("leaky_relu")) {
            return leakyRelu(x, 0.2);
        }
        return net.endsWith("tanh") ? tanh(x) : softplus(x);
    }

    private static Turn.Descend turn(String name, Loss loss, String moved) {
        return Turn.of(name, Program.compile(name, Mode.TRAIN, loss)).updates(moved, sgd(1e-3));
    }

    private static void check(
            Parameters parameters, Turn.Descend turn, Feeds feeds, JsonNode loss, Map<String, JsonNode> gradients) {
        double tolerance = turn.program().floatType() == ElementType.FLOAT64 ? 1e-9 : 1e-4;
        try (Scheduler scheduler = Scheduler.over(parameters, 1)) {
            Event.Descended event = scheduler.step(turn, feeds);
            Golden.assertNear("loss", new double[] {event.loss()}, Golden.numbers(loss), tolerance);
            gradients.forEach((path, golden) -> Golden.assertNear(
                    path, scheduler.gradient(turn, path).doubles(), Golden.numbers(golden), tolerance));
        }
    }

    private static Tensor order(int rows) {
        return Tensor.of(Shape.of(rows), LongStream.range(0, rows).toArray());
    }
}
