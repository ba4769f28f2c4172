package hocket.gan.scores;

import static hocket.programs.Layers.embedding;
import static hocket.programs.Operators.reshape;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import hocket.gan.data.ImageSource;
import hocket.gan.data.Images;
import hocket.gan.data.Optdigits;
import hocket.gan.data.Optdigits.Part;
import hocket.programs.Graph;
import hocket.programs.Mode;
import hocket.programs.Program;
import hocket.programs.Value;
import hocket.schedulers.evaluation.Evaluation;
import hocket.schedulers.settings.Networks;
import hocket.scopes.ElementType;
import hocket.scopes.Parameters;
import hocket.scopes.Scope;
import hocket.scopes.Shape;
import hocket.scopes.Streams;
import hocket.scopes.Tensor;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A generator that returns one stored digit of each class. */
class ImageScoresTest {
    private final ImageSource digits = new Optdigits(Part.FIRST_HALF).open("digits", 64, true);
    private final Networks networks = networks();

    private static Networks networks() {
        Graph graph = new Graph();
        Value label = graph.input("label", Shape.scalar(), ElementType.INT64);
        Value fake;
        try (Scope<Value> generator = graph.module("generator")) {
            fake = reshape(embedding("digit", label, 10, 64), 1, 8, 8);
        }
        Program draw = Program.compile("draw", Mode.EVAL, fake);
        Program flat = Program.compile("flat", Mode.EVAL, reshape(fake, 64));
        Program copy = Program.compile("copy", Mode.EVAL, graph.input("image", Shape.of(1, 8, 8)));
        return Networks.of(graph, draw, flat, copy);
    }

    @Test
    @Tag("engine")
    void theLabelsOfRealImagesAreRequestedAndTheClassifierMeasuresAgreement() {
        Evaluation evaluation = new ImageScores("digits", "draw", Optional.empty(), new Evaluator.Pixels())
                .build(networks, Map.of("digits", digits));
        try (Parameters parameters = Parameters.initialise(networks.graph().declarations(), Streams.seed(3))) {
            // The first ten digits are one of each class, in order.
            float[] pixels =
                    digits.images().at(IntStream.range(0, 10).toArray()).pixels();
            double[] table = new double[640];
            for (int i = 0; i < table.length; i++) {
                table[i] = pixels[i];
            }
            parameters.set("generator/digit/table", table);
            SortedMap<String, Double> scores = evaluation.scores(parameters);
            assertThat(scores.get("label_agreement")).isEqualTo(1);
            assertThat(scores.get("smallest_class")).isCloseTo(smallest(digits.images()), within(1e-9));

            System.arraycopy(table, 0, table, 64, 64); // asked for a one, it draws a nought
            parameters.set("generator/digit/table", table);
            assertThat(evaluation.scores(parameters).get("label_agreement"))
                    .isCloseTo(1 - share(digits.images(), 1), within(1e-9));
        }
    }

    private static double smallest(Images images) {
        return IntStream.range(0, 10)
                .mapToDouble(label -> share(images, label))
                .min()
                .orElseThrow();
    }

    private static double share(Images images, int label) {
        return IntStream.of(images.labels()).filter(each -> each == label).count() / (double) images.count();
    }

    @Test
    @Tag("engine")
    void labelsThatNoRealImageHasAreNotRequested() {
        Images later = digits.images()
                .withLabels(IntStream.of(digits.images().labels())
                        .map(label -> label + 1)
                        .toArray());
        ImageSetScores scores = new ImageSetScores(later, new Evaluator.Pixels());
        assertThat(scores.of(ImageSetScores.tensor(later), later.labels(), 1).get("smallest_class"))
                .isGreaterThan(0.08);
    }

    @Test
    void feedsAndProgramsThatDoNotFitAreRefusedByName() {
        assertThatThrownBy(() -> new ImageScores("digit", "draw", Optional.empty(), new Evaluator.Pixels())
                        .build(networks, Map.of("digits", digits)))
                .hasMessage("feed: there is no feed digit; did you mean digits?");
        assertThatThrownBy(() -> new ImageScores("digits", "drawn", Optional.empty(), new Evaluator.Pixels())
                        .build(networks, Map.of("digits", digits)))
                .hasMessage("there is no program drawn; did you mean draw?");
        assertThatThrownBy(() -> new ImageScores("digits", "flat", Optional.empty(), new Evaluator.Pixels())
                        .build(networks, Map.of("digits", digits)))
                .hasMessageContaining("the images are (1,8,8)");
        assertThatThrownBy(() -> new ImageScores("digits", "copy", Optional.empty(), new Evaluator.Pixels())
                        .build(networks, Map.of("digits", digits)))
                .hasMessageContaining("image scores take one that draws from noise, or from noise and label");
    }

    @Test
    void anEvaluatorThatGivesAnotherNumberOfRowsIsNamed() {
        Evaluator few = new Evaluator() {
            @Override
            public FeatureRows features(Tensor images, Images real, int threads) {
                return new FeatureRows(new float[10], 1);
            }

            @Override
            public String toString() {
                return "Few";
            }
        };
        ImageSetScores scores = new ImageSetScores(digits.images(), few);
        assertThatThrownBy(() -> scores.of(ImageSetScores.tensor(digits.images()), ImageSetScores.NO_LABELS, 1))
                .hasMessageMatching("features: Few must give a row for each of \\d+ images, gave 10");
    }

    @Test
    void fewRealImagesHaveNoReferences() {
        Images few = Images.of(1, 1, 2, new float[8]);
        assertThatThrownBy(() -> new ImageSetScores(few, new Evaluator.Pixels()).references(4, false, 1))
                .hasMessage("scores need at least 12 real images to compare with, there are 4");
    }
}
