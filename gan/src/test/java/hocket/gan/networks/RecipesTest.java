package hocket.gan.networks;

import static hocket.schedulers.Budget.rounds;
import static hocket.schedulers.Plan.sequence;
import static hocket.schedulers.Resample.EACH_ROUND;
import static hocket.schedulers.Resample.EACH_TURN;
import static hocket.schedulers.optimizers.Optimizers.adam;
import static org.assertj.core.api.Assertions.assertThat;

import hocket.gan.data.GaussianRing;
import hocket.gan.data.ImageSource;
import hocket.gan.data.Images;
import hocket.gan.data.Optdigits;
import hocket.gan.data.Optdigits.Part;
import hocket.gan.scores.Evaluator;
import hocket.gan.scores.ImageScores;
import hocket.gan.scores.PointScores;
import hocket.programs.Program;
import hocket.programs.Session;
import hocket.programs.Session.Feeds;
import hocket.schedulers.Columns;
import hocket.schedulers.Phase;
import hocket.schedulers.Scheduler;
import hocket.schedulers.Setup;
import hocket.schedulers.Source;
import hocket.schedulers.Turn;
import hocket.schedulers.settings.Networks;
import hocket.scopes.Parameters;
import hocket.scopes.Selection;
import hocket.scopes.Shape;
import hocket.scopes.Tensor;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests short forms of the built-in experiments: each reaches its result. */
@Tag("engine")
class RecipesTest {
    private static Turn.Descend turn(Networks networks, String program, String moves, double rate, double beta1) {
        return Turn.of(program, networks.program(program))
                .updates(moves, adam(rate).beta1(beta1));
    }

    private static Setup gan(Networks networks, double rate, long rounds) {
        Turn d = turn(networks, "discriminator", "discriminator/**", rate, 0.5);
        Turn g = turn(networks, "generator", "generator/**", rate, 0.5);
        return Setup.of(networks.graph(), sequence(d, g), rounds(rounds));
    }

    private static SortedMap<String, Double> scoresAfterTraining(Setup setup) {
        try (Parameters parameters = setup.initialise(7);
                Scheduler scheduler = setup.schedule(parameters, 1)) {
            scheduler.run();
            return setup.evaluation().orElseThrow().scores(parameters);
        }
    }

    @Test
    void aConditionalGeneratorGeneratesTheRequestedDigit() {
        Source digits = new Optdigits(Part.FIRST_HALF).open("digits", 64, true);
        Networks networks = ConditionalDcgan.usual().latent(16).width(8).build(Columns.of(digits));
        Setup setup = gan(networks, 1e-3, 600)
                .feed(digits, EACH_ROUND)
                .evaluated(new ImageScores("digits", "draw", Optional.empty(), new Evaluator.Pixels())
                        .build(networks, Map.of("digits", digits)));
        assertThat(scoresAfterTraining(setup).get("label_agreement")).isGreaterThan(0.6);
    }

    @Test
    void aGanOnARingFindsItsModes() {
        Source ring = new GaussianRing(4, 1, 0.1, 1024, 1).open("ring", 64, true);
        Networks networks = RingGan.usual().latent(8).width(32).build(Columns.of(ring));
        Setup setup = gan(networks, 1e-3, 2000)
                .feed(ring, EACH_TURN)
                .evaluated(
                        new PointScores("ring", "draw", 1000, Optional.empty()).build(networks, Map.of("ring", ring)));
        SortedMap<String, Double> scores = scoresAfterTraining(setup);
        assertThat(scores.get("populated_modes")).isEqualTo(4);
        assertThat(scores.get("high_quality")).isGreaterThan(0.5);
    }

    @Test
    void aClassifierLearnsOnACodeThatStaysAsItIs() {
        Source digits = new Optdigits(Part.TRAIN).open("digits", 64, true);
        Networks networks = new AutoencoderClassifier(16, 64, 0.5, 10).build(Columns.of(digits));
        Turn encode = turn(networks, "autoencoder", "encoder/**, decoder/**", 1e-3, 0.9);
        Turn classify = turn(networks, "classifier", "classifier/**", 1e-3, 0.9);
        Setup setup = Setup.of(
                        networks.graph(),
                        List.of(new Phase("encode", encode, rounds(600)), new Phase("classify", classify, rounds(600))))
                .feed(digits, EACH_TURN);
        try (Parameters parameters = setup.initialise(7);
                Scheduler scheduler = setup.schedule(parameters, 1)) {
            scheduler.run(rounds(600));
            String code = parameters.digest(Selection.of("encoder/**"));
            assertThat(heldOut(networks.program("classify"), parameters)).isGreaterThan(0.7);
            scheduler.run();
            assertThat(heldOut(networks.program("classify"), parameters)).isLessThan(0.1);
            assertThat(parameters.digest(Selection.of("encoder/**"))).isEqualTo(code);
        }
    }

    private static double heldOut(Program classify, Parameters parameters) {
        ImageSource source = new Optdigits(Part.TEST).open("held-out", 299, false);
        Images images = source.images();
        long[] labels = IntStream.of(images.labels()).asLongStream().toArray();
        Feeds feeds = Feeds.of("image", Tensor.of(Shape.of(299, 1, 8, 8), images.pixels()))
                .and("label", Tensor.of(Shape.of(299), labels));
        try (Session session = Session.over(classify.graph(), parameters)) {
            return session.run(classify, feeds).get(1).scalar();
        }
    }

    @Test
    void eachSourceUpdatesItsHalfOfTheNetwork() {
        Source first = new Optdigits(Part.FIRST_HALF)
                .open("first", 64, true)
                .feeding("first", List.of("image_left", "label_left"));
        Source second = new Optdigits(Part.SECOND_HALF)
                .open("second", 64, true)
                .feeding("second", List.of("image_right", "label_right"));
        Networks networks = new HalfAndHalf(32, 10).build(Columns.of(first, second));
        Turn left = turn(networks, "left", "left/**", 1e-3, 0.9).shares("whole/**", adam(1e-3));
        Turn right = turn(networks, "right", "right/**", 1e-3, 0.9).shares("whole/**", adam(1e-3));
        Setup setup = Setup.of(networks.graph(), sequence(left, right), rounds(300))
                .feed(first, EACH_TURN)
                .feed(second, EACH_TURN);
        try (Parameters parameters = setup.initialise(7);
                Scheduler scheduler = setup.schedule(parameters, 1)) {
            String rightBefore = parameters.digest(Selection.of("right/**"));
            String leftBefore = parameters.digest(Selection.of("left/**"));
            scheduler.step(left);
            assertThat(parameters.digest(Selection.of("right/**"))).isEqualTo(rightBefore);
            assertThat(parameters.digest(Selection.of("left/**"))).isNotEqualTo(leftBefore);
            scheduler.step(right);
            assertThat(parameters.digest(Selection.of("right/**"))).isNotEqualTo(rightBefore);
            scheduler.endRound();
            scheduler.run();
            assertThat(scheduler.average("left/error_rate", 20).orElseThrow()).isLessThan(0.1);
            assertThat(scheduler.average("right/error_rate", 20).orElseThrow()).isLessThan(0.1);
        }
    }
}
