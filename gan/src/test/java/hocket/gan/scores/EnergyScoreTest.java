package hocket.gan.scores;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import hocket.gan.networks.RingGan;
import hocket.programs.Graph;
import hocket.programs.Mode;
import hocket.programs.Program;
import hocket.programs.Session;
import hocket.programs.Session.Feeds;
import hocket.programs.Value;
import hocket.schedulers.Columns;
import hocket.schedulers.Source.Column;
import hocket.schedulers.settings.Networks;
import hocket.scopes.ElementType;
import hocket.scopes.Parameters;
import hocket.scopes.Shape;
import hocket.scopes.Streams;
import hocket.scopes.Tensor;
import java.util.List;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.simple.RandomSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("engine")
class EnergyScoreTest {
    private static final int ROWS = 5000;

    private final Graph graph = new Graph();
    private final Value real = graph.input("real", Shape.of(2));
    private final Value drawn = graph.input("drawn", Shape.of(2));
    private final Value again = graph.input("again", Shape.of(2));
    private final Program program = Program.compile("score", Mode.EVAL, EnergyScore.of(real, drawn, again));

    private double score(float[] x, float[] y, float[] z) {
        try (Parameters parameters = Parameters.initialise(List.of(), Streams.seed(0));
                Session session = Session.over(parameters, 1)) {
            Shape shape = Shape.of(x.length / 2, 2);
            Feeds feeds = Feeds.of("real", Tensor.of(shape, x))
                    .and("drawn", Tensor.of(shape, y))
                    .and("again", Tensor.of(shape, z));
            return session.run(program, feeds).get(0).scalar();
        }
    }

    /** Points of a unit square about a centre. */
    private static float[] square(double centre, long seed) {
        UniformRandomProvider random = RandomSource.XO_SHI_RO_256_PP.create(seed);
        float[] points = new float[2 * ROWS];
        for (int i = 0; i < points.length; i++) {
            points[i] = (float) (centre + random.nextDouble() - 0.5);
        }
        return points;
    }

    @Test
    void itIsTheFormula() {
        // x (0, 0), y (3, 4), y' (3, 0): 5 - 4/2; x (1, 1), y (1, 1), y' (2, 1): 0 - 1/2
        assertThat(score(new float[] {0, 0, 1, 1}, new float[] {3, 4, 1, 1}, new float[] {3, 0, 2, 1}))
                .isEqualTo((3 - 0.5) / 2);
    }

    @Test
    void aGeneratorWithTheTrueDistributionScoresBest() {
        double own = score(square(0, 1), square(0, 2), square(0, 3));
        // half the mean distance of two points of a unit square, 0.5214 (square line picking); 5000 pairs err by 0.0047
        assertThat(own).isCloseTo(0.5214054 / 2, within(0.015));
        assertThat(score(square(0, 1), square(0.3, 2), square(0.3, 3))).isGreaterThan(own + 0.05);
        float[] still = new float[2 * ROWS];
        assertThat(score(square(0, 1), still, still)).as("always the centre").isGreaterThan(own + 0.05);
    }

    @Test
    void aRingGanReportsItWithoutChangingItsLoss() {
        Columns columns = new Columns(List.of(new Column("point", Shape.of(2), ElementType.FLOAT32)));
        Networks plain = RingGan.usual().latent(4).width(8).build(columns);
        Networks judged = RingGan.usual().latent(4).width(8).energyScore(true).build(columns);
        assertThat(plain.program("discriminator").metrics()).containsOnlyKeys("error_rate");
        assertThat(judged.program("discriminator").metrics()).containsOnlyKeys("energy_score", "error_rate");
        assertThat(judged.program("discriminator").reached())
                .isEqualTo(plain.program("discriminator").reached());
    }
}
