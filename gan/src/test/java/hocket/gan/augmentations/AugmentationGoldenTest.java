package hocket.gan.augmentations;

import static hocket.programs.Operators.multiply;
import static hocket.programs.Operators.sum;

import com.fasterxml.jackson.databind.JsonNode;
import hocket.gan.Golden;
import hocket.programs.Gradients;
import hocket.programs.Graph;
import hocket.programs.Mode;
import hocket.programs.Program;
import hocket.programs.Session;
import hocket.programs.Session.Feeds;
import hocket.programs.Value;
import hocket.scopes.ElementType;
import hocket.scopes.Parameters;
import hocket.scopes.Shape;
import hocket.scopes.Streams;
import hocket.scopes.Tensor;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/** Augmentations of given images by given draws, and the gradients through them, against PyTorch. */
@Tag("golden")
@Tag("engine")
class AugmentationGoldenTest {
    private static final Map<String, Augmentation> SINGLE = Map.of(
            "mirror", new Mirror(),
            "brightness", new Brightness(1),
            "saturation", new Saturation(),
            "contrast", new Contrast(),
            "translation", new Translation(0.125),
            "cutout", new Cutout(0.5));

    private final JsonNode golden = Golden.read("augmentations.json");

    @TestFactory
    Stream<DynamicTest> imagesAndGradientsArePyTorchs() {
        return StreamSupport.stream(golden.get("cases").spliterator(), false)
                .flatMap(images -> images.get("results").properties().stream()
                        .flatMap(result -> Stream.of(ElementType.FLOAT64, ElementType.FLOAT32)
                                .map(type -> DynamicTest.dynamicTest(
                                        images.get("name").asText() + ", " + result.getKey() + " " + type,
                                        () -> check(images, augmentation(result.getKey()), result.getValue(), type)))));
    }

    private Augmentation augmentation(String key) {
        if (!key.equals("diff_augment")) {
            return Objects.requireNonNull(SINGLE.get(key), key);
        }
        List<Augmentation> policy = StreamSupport.stream(golden.get("policy").spliterator(), false)
                .map(each -> Objects.requireNonNull(SINGLE.get(each.asText())))
                .toList();
        return new DiffAugment(policy);
    }

    private static void check(JsonNode images, Augmentation augmentation, JsonNode wanted, ElementType type) {
        Graph graph = new Graph(type);
        int[] shape = Golden.shape(images.get("images")).extents();
        Shape row = Shape.of(Arrays.copyOfRange(shape, 1, shape.length));
        Value x = graph.input("x", row);
        Value upstream = graph.input("upstream", row);
        Value y = augmentation.apply(x);
        Value gradient = Gradients.of(sum(multiply(y, upstream)), x).get(0);
        Program program = Program.compile("augment", Mode.TRAIN, y, gradient);
        Map<String, Tensor> fed = new HashMap<>();
        fed.put("x", Golden.tensor(images.get("images"), type));
        fed.put("upstream", Golden.tensor(images.get("upstream"), type));
        int scope = 0;
        for (JsonNode draws : wanted.get("draws")) { // each augmentation has a scope of its own
            scope++;
            for (Map.Entry<String, JsonNode> draw : draws.properties()) {
                fed.put("augmentation#" + scope + "/" + draw.getKey(), Golden.tensor(draw.getValue(), type));
            }
        }
        Feeds feeds = Feeds.rows(shape[0]);
        for (Map.Entry<String, Tensor> each : fed.entrySet()) {
            feeds = feeds.and(each.getKey(), each.getValue());
        }
        try (Parameters none = Parameters.initialise(graph.declarations(), Streams.seed(1));
                Session session = Session.over(graph, none)) {
            List<Tensor> got = session.run(program, feeds);
            double tolerance = type == ElementType.FLOAT64 ? 1e-12 : 1e-6; // of numbers up to about 10
            Golden.assertNear("images", got.get(0).doubles(), Golden.numbers(wanted.get("output")), tolerance);
            Golden.assertNear("gradient", got.get(1).doubles(), Golden.numbers(wanted.get("gradient")), 5 * tolerance);
        }
    }
}
