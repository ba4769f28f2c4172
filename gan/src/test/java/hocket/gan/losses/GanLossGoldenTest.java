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
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import hocket.gan.Golden;
import hocket.gan.terms.Term;
import hocket.programs.Graph;
import hocket.programs.Loss;
import hocket.programs.Mode;
import hocket.programs.Network;
import hocket.programs.Program;
import hocket.programs.Session.Feeds;
import hocket.programs.Value;
import hocket.programs.execution.Lowering;
import hocket.programs.layers.Window;
import hocket.schedulers.Event;
import hocket.schedulers.Scheduler;
import hocket.schedulers.Turn;
import hocket.scopes.ElementType;
import hocket.scopes.Parameters;
import hocket.scopes.Path;
import hocket.scopes.Scope;
import hocket.scopes.Shape;
import hocket.scopes.Streams;
import hocket.scopes.Tensor;
import java.util.Arrays;
import java.util.Iterator;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import java.util.stream.Stream;
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
    private static final Pattern NUMBER = Pattern.compile("[0-9]+(\\.[0-9]+)?");
    private static final Pattern WEIGHT = Pattern.compile("(?:lambda|gamma)=([0-9.]*[0-9])");

    @TestFactory
    Stream<DynamicTest> lossesAndGradientsByTheLogitsArePyTorchs() {
        return tests("logit_cases", "name", GanLossGoldenTest::checkLogits);
    }

    @TestFactory
    Stream<DynamicTest> lossesAndGradientsThroughDiscriminatorsArePyTorchs() {
        return tests("net_cases", "net", GanLossGoldenTest::checkNet);
    }

    /** By each lowering that can; the file's own random numbers are fed instead of noise. */
    @TestFactory
    Stream<DynamicTest> penaltiesAndTheirGradientsThroughDiscriminatorsArePyTorchs() {
        Map<String, Term> penalties = penalties();
        return Golden.all(Golden.read("losses/gan.json"), "net_cases").stream()
                .flatMap(golden -> namesIn(golden, "penalties")
                        .flatMap(name -> Stream.of("mxnet", "jvm", "reference")
                                .flatMap(lowering -> Stream.of(ElementType.FLOAT64, ElementType.FLOAT32)
                                        .map(type -> DynamicTest.dynamicTest(
                                                golden.get("net").asText() + ", " + name + ", " + type + ", "
                                                        + lowering,
                                                () -> checkPenalty(
                                                        golden,
                                                        name,
                                                        Objects.requireNonNull(
                                                                penalties.get(name), "unknown penalty: " + name),
                                                        type,
                                                        lowering))))));
    }

    /** At the weights that the file's definitions name. */
    private static Map<String, Term> penalties() {
        UnaryOperator<Value> augmentation = rows -> rows.graph()
                .value(rows.inputs().get(0).path().text().equals("real") ? "augmented_real" : "augmented_fake");
        return Map.of(
                "wgan_gp", Term.wganGp(weight("wgan_gp")),
                "wgan_lp", Term.wganLp(weight("wgan_lp")),
                "r1", Term.r1(weight("r1")),
                "r2", Term.r2(weight("r2")),
                "zero_centred_gp", Term.zeroCentred(weight("zero_centred_gp")),
                "dragan", Term.dragan(weight("dragan")),
                "consistency_real", Term.consistency(weight("consistency_real"), augmentation),
                "consistency_balanced", Term.balancedConsistency(weight("consistency_balanced"), augmentation));
    }

    private static double weight(String penalty) {
        String definition = Golden.read("losses/gan.json")
                .get("penalty_definitions")
                .get(penalty)
                .asText();
        Matcher weight = WEIGHT.matcher(definition);
        assertThat(weight.find()).as(definition).isTrue();
        return Double.parseDouble(weight.group(1));
    }

    private static void checkPenalty(JsonNode golden, String name, Term penalty, ElementType type, String lowering) {
        JsonNode expected = golden.get("penalties").get(name);
        Shape batch = Golden.shape(golden.get("fake"));
        Shape image = Shape.of(Arrays.copyOfRange(batch.extents(), 1, batch.rank()));
        Graph graph = new Graph(type);
        Map<String, JsonNode> given = Map.of(
                "real", golden.get("real"),
                "fake", golden.get("fake"),
                "augmented_real", golden.get("augmented_real"),
                "augmented_fake", golden.get("augmented_fake"));
        given.keySet().forEach(input -> graph.input(input, image));
        Network<Value, Value> discriminator = graph.module("discriminator", x -> discriminator(golden, x));
        GanLoss nothing = new Nothing();
        Loss loss = nothing.with(penalty).discriminator(discriminator, graph.value("real"), graph.value("fake"));
        Program program = Program.compile("d", Mode.TRAIN, loss);
        String before = System.setProperty(Lowering.PROPERTY, lowering);
        try (Parameters parameters = Parameters.initialise(graph.declarations(), Streams.seed(1))) {
            assumeTrue(
                    !lowering.equals("jvm")
                            || (type == ElementType.FLOAT32
                                    && !golden.get("architecture").asText().contains("Conv2d")),
                    "kernels are for dense programs in FLOAT32");
            set(parameters, golden);
            Feeds feeds = Feeds.rows(batch.get(0));
            for (Value feed : program.feeds()) {
                String path = feed.path().text();
                feeds = feeds.and(
                        path,
                        switch (path) {
                            case "dragan/alpha" -> perRow(golden.get("dragan_alpha"), type);
                            case "dragan/noise" -> Golden.tensor(golden.get("dragan_noise"), type);
                            default ->
                                path.endsWith("/epsilon")
                                        ? perRow(golden.get("epsilon"), type)
                                        : Golden.tensor(Objects.requireNonNull(given.get(path), path), type);
                        });
            }
            Map<String, JsonNode> gradients = new TreeMap<>();
            expected.get("param_grads")
                    .fields()
                    .forEachRemaining(entry -> gradients.put(stored(entry.getKey()), entry.getValue()));
            // A bias behind which everything is linear has no part in the input's gradient.
            gradients.entrySet().removeIf(gradient -> {
                boolean isCut = !program.reached().contains(Path.of(gradient.getKey()));
                if (isCut) {
                    assertThat(Golden.numbers(gradient.getValue()))
                            .as(gradient.getKey())
                            .containsOnly(0);
                }
                return isCut;
            });
            check(parameters, turn(program), feeds, expected.get("value"), gradients);
        } finally {
            if (before == null) {
                System.clearProperty(Lowering.PROPERTY);
            } else {
                System.setProperty(Lowering.PROPERTY, before);
            }
        }
    }

    private static Turn.Descend turn(Program program) {
        Turn.Descend turn = Turn.of(program.name(), program);
        for (Path path : program.reached()) {
            turn = turn.updates(path.text(), sgd(1e-3));
        }
        return turn;
    }

    private static Tensor perRow(JsonNode numbers, ElementType type) {
        double[] each = Golden.numbers(numbers);
        return Golden.tensor(Shape.of(each.length), type, each);
    }

    /** A game without stakes. */
    private record Nothing() implements GanLoss {
        @Override
        public Value discriminator(Value real, Value fake) {
            return real.graph().constant(0);
        }

        @Override
        public Value generator(Value real, Value fake) {
            return fake.graph().constant(0);
        }
    }

    private static final Map<String, GanLoss> LOSSES = Map.of(
            "minimax", GanLoss.minimax(),
            "non_saturating", GanLoss.nonSaturating(),
            "lsgan", GanLoss.leastSquares(),
            "hinge", GanLoss.hinge(),
            "wgan", GanLoss.wasserstein(),
            "relativistic_average", GanLoss.relativisticAverage(),
            "relativistic_average_hinge", GanLoss.relativisticAverageHinge(),
            "relativistic_average_lsgan", GanLoss.relativisticAverageLeastSquares(),
            "relativistic_paired", GanLoss.relativisticPaired());

    private static GanLoss loss(String name) {
        return Objects.requireNonNull(LOSSES.get(name), "unknown loss: " + name);
    }

    /** The names of all losses or penalties of the file: an unknown one fails. */
    private static Stream<String> namesIn(JsonNode golden, String block) {
        return Golden.entries(golden, block).stream().map(Map.Entry::getKey);
    }

    private interface Check {
        void run(JsonNode golden, String loss, ElementType type);
    }

    private static Stream<DynamicTest> tests(String block, String name, Check check) {
        return Golden.all(Golden.read("losses/gan.json"), block).stream()
                .flatMap(golden -> namesIn(golden, "losses")
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
            forG = loss.generator(r, f);
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
            parameters.set("logits/real/table", real);
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
        Network<Value, Value> discriminator = graph.module("discriminator", x -> discriminator(golden, x));
        Turn.Descend d = turn("d", loss.discriminator(discriminator, real, fake), "discriminator/**");
        Turn.Descend g = turn("g", loss.generator(discriminator, real, fake), "generator/**");
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
                    g.program().inputs().contains(real) ? both : rows,
                    expected.get("g_loss"),
                    Map.of("generator/fake/table", expected.get("g_grad_wrt_fake")));
        }
    }

    private static void set(Parameters parameters, JsonNode golden) {
        if (parameters.contains(Path.of("generator/fake/table"))) {
            parameters.set("generator/fake/table", Golden.numbers(golden.get("fake")));
        }
        golden.get("params")
                .fields()
                .forEachRemaining(entry -> parameters.set(stored(entry.getKey()), Golden.numbers(entry.getValue())));
    }

    private static String stored(String name) {
        return "discriminator/" + name.replace('.', '/');
    }

    /** The discriminator that a case describes, such as {@code Linear(6,8) - LeakyReLU(0.2) - Linear(8,1)}. */
    private static Value discriminator(JsonNode golden, Value x) {
        Iterator<String> names = golden.get("params").fieldNames();
        Value h = x;
        for (String part : golden.get("architecture").asText().split(" - ")) {
            double[] numbers = NUMBER.matcher(part.replaceFirst("^[A-Za-z0-9]+", ""))
                    .results()
                    .mapToDouble(number -> Double.parseDouble(number.group()))
                    .toArray();
            h = switch (part.replaceFirst("\\(.*", "")) {
                case "Conv2d" -> conv(layer(names), h, (int) numbers[1], window(numbers));
                case "Linear" -> dense(layer(names), h, (int) numbers[1]);
                case "LeakyReLU" -> leakyRelu(h, numbers[0]);
                case "Tanh" -> tanh(h);
                case "Softplus" -> softplus(h);
                case "Flatten" -> flatten(h);
                default -> throw new IllegalArgumentException("no part is called " + part);
            };
        }
        return h;
    }

    /** Of {@code Conv2d(in,out,size,stride s,pad p)}. */
    private static Window window(double[] numbers) {
        return kernel((int) numbers[2]).stride((int) numbers[3]).pad((int) numbers[4]);
    }

    /** A layer has two names, {@code l1.weight} and {@code l1.bias}. */
    private static String layer(Iterator<String> names) {
        String layer = names.next().replace(".weight", "");
        assertThat(names.next()).isEqualTo(layer + ".bias");
        return layer;
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
