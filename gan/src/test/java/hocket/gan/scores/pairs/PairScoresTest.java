package hocket.gan.scores.pairs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hocket.gan.data.Optdigits;
import hocket.gan.data.Optdigits.Part;
import hocket.gan.data.SlantedDigits;
import hocket.programs.Graph;
import hocket.programs.Mode;
import hocket.programs.Operators;
import hocket.programs.Program;
import hocket.programs.Value;
import hocket.schedulers.Source;
import hocket.schedulers.evaluation.Evaluation;
import hocket.schedulers.settings.Networks;
import hocket.scopes.Parameters;
import hocket.scopes.Shape;
import hocket.scopes.Streams;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("engine")
class PairScoresTest {
    private final SlantedDigits slanted = new SlantedDigits(Part.TEST, 0.5);
    private final Source feed = new SlantedDigits(Part.TRAIN_B, 0.5).open("b", 32, true);
    private final Networks networks = networks();

    /** A program that inverts images, and one that has no input. */
    private static Networks networks() {
        Graph graph = new Graph();
        Value a = graph.input("a", Shape.of(1, 8, 8));
        Value noise = graph.noise("noise", Shape.of(1, 8, 8));
        return Networks.of(
                graph,
                Program.compile("b_from_a", Mode.EVAL, Operators.negate(a)),
                Program.compile("draw", Mode.EVAL, Operators.tanh(noise)));
    }

    private Evaluation evaluation(Part from, String program) {
        return new PairScores("b", new Optdigits(from), slanted, program).build(networks, Map.of("b", feed));
    }

    @Test
    void trueTranslationsKeepTheirLabelAndRandomOnesKeepItByChance() {
        Evaluation evaluation = evaluation(Part.TEST, "b_from_a");
        List<Evaluation.Reference> references = evaluation.references(2);
        assertThat(references.stream().map(Evaluation.Reference::name)).containsExactly("pairs", "random", "identity");
        double pairs = references.get(0).scores().getOrDefault("label_kept", 0.0);
        double random = references.get(1).scores().getOrDefault("label_kept", 1.0);
        double identity = references.get(2).scores().getOrDefault("label_kept", 1.0);
        assertThat(pairs).isBetween(0.94, 1.0);
        assertThat(random).isBetween(0.05, 0.17);
        assertThat(identity).isLessThan(0.5);
        try (Parameters parameters = Parameters.initialise(networks.graph().declarations(), Streams.seed(3))) {
            double inverted = evaluation.scores(parameters).getOrDefault("label_kept", 0.0);
            assertThat(inverted).as("inverted and upright").isBetween(identity + 0.1, pairs);
        }
        assertThat(evaluation.rows()).hasValue(299);
        assertThat(evaluation.merit()).hasValue(new Evaluation.Merit("label_kept", true));
    }

    @Test
    void imagesThatAreNoPairsAndProgramsThatDoNotTranslateAreRefused() {
        assertThatThrownBy(() -> evaluation(Part.TRAIN_A, "b_from_a"))
                .hasMessage(
                        "to: must be the translations of from, image for image with its label, but from gives 749 images"
                                + " of (1,8,8), 10 classes, to 299 images of (1,8,8), 10 classes");
        assertThatThrownBy(() -> evaluation(Part.TEST, "draw"))
                .hasMessageStartingWith("program: must translate (1,8,8) to (1,8,8), but draw gives");
    }
}
