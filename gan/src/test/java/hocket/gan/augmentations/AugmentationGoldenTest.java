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
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/** Augmentations of given images by given draws, and the gradients through them, against PyTorch. */
@Tag("golden")
@Tag("engine")
class AugmentationGoldenTest {
    private final JsonNode golden = Golden.read("augmentations.json");

    @TestFactory
    Stream<DynamicTest> imagesAndGradientsArePyTorchs() {
        return Golden.all(golden, "cases").stream()
                .flatMap(images -> Golden.entries(images, "results").stream()
                        .flatMap(result -> Stream.of(ElementType.FLOAT64, ElementType.FLOAT32)
                                .map(type -> DynamicTest.dynamicTest(
                                        images.get("name").asText() + ", " + result.getKey() + " " + type,
                                        () -> check(images, augmentation(result.getKey()), result.getValue(), type)))));
    }

    private Augmentation augmentation(String key) {
        JsonNode settings = golden.required("settings").path(key);
        return switch (key) {
            case "mirror" -> new Mirror();
            case "brightness" -> new Brightness(settings.required("range").asDouble());
            case "saturation" -> new Saturation();
            case "contrast" -> new Contrast();
            case "translation" -> new Translation(settings.required("share").asDouble());
            case "cutout" -> new Cutout(settings.required("share").asDouble());
            case "diff_augment" ->
                new DiffAugment(Golden.all(golden, "policy").stream()
                        .map(each -> augmentation(each.asText()))
                        .toList());
            default -> throw new IllegalArgumentException("unknown augmentation: " + key);
        };
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
        for (Value feed : program.feeds()) { // a shift of at most 0 pixels draws nothing
            String path = feed.path().text();
            feeds = feeds.and(path, Objects.requireNonNull(fed.get(path), path));
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
