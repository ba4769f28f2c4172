package hocket.gan.data;

import hocket.schedulers.Rows;
import hocket.schedulers.Source;
import hocket.schedulers.feeds.ForwardingSource;
import hocket.schedulers.settings.Limits;
import hocket.schedulers.settings.Setting;
import hocket.schedulers.settings.SourceDefinition;
import hocket.scopes.ElementType;
import hocket.scopes.Shape;
import hocket.scopes.Streams;
import hocket.scopes.Tensor;
import java.util.List;
import java.util.Optional;

/**
 * A source of points of a mixture of Gaussians with centres spaced evenly on a circle around the origin: a column
 * {@code point} (FLOAT32, (2)). The Gaussians' numbers of points differ by at most one. This is the usual test of
 * whether a GAN finds every mode of its data (Metz et al. 2017, section 3.1).
 *
 * @param modes the number of Gaussians
 * @param radius of the circle
 * @param deviation the standard deviation of each Gaussian along each axis
 * @param rows the number of points
 * @param seed of the points, independent of the run's seed
 */
public record GaussianRing(
        @Setting(usually = "8", least = 1, help = "Gaussians on the circle")
        int modes,

        @Setting(usually = "2", help = "radius of the circle")
        double radius,

        @Setting(usually = "0.02", help = "standard deviation of each Gaussian")
        double deviation,

        @Setting(usually = "8192", help = "total number of points")
        int rows,

        @Setting(usually = "1", help = "seed of the points") long seed)
        implements SourceDefinition, GaussianRingCopies {
    /** @throws IllegalArgumentException if a number is not positive, or there are fewer points than Gaussians */
    public GaussianRing {
        GaussianRingCopies.check(modes);
        Limits.positive("radius", radius);
        Limits.positive("deviation", deviation);
        Limits.atLeast(modes, "rows", rows);
        Limits.elements("rows", rows, 2);
    }

    @Override
    public RingSource open(String name, int batch, boolean shuffled) {
        return new RingBatches(this, points().batches(name, batch, shuffled));
    }

    @Override
    public Optional<List<Source.Column>> declaredColumns() {
        return Optional.of(List.of(new Source.Column("point", Shape.of(2), ElementType.FLOAT32)));
    }

    /** The centres (modes, 2), row-major, the first on the right, then counterclockwise. */
    public double[] centres() {
        double[] centres = new double[2 * modes];
        for (int mode = 0; mode < modes; mode++) {
            double angle = 2 * Math.PI * mode / modes;
            centres[2 * mode] = radius * StrictMath.cos(angle);
            centres[2 * mode + 1] = radius * StrictMath.sin(angle);
        }
        return centres;
    }

    private Rows points() {
        return Rows.of("point", Tensor.of(Shape.of(rows, 2), sample()));
    }

    /** Draws the points (rows, 2), row-major; row i is of Gaussian i mod modes. */
    public float[] sample() {
        double[] centres = centres();
        double[] normal = new double[2 * rows];
        Streams.seed(seed).at("gaussian-ring").normal(0, normal);
        float[] points = new float[2 * rows];
        for (int i = 0; i < points.length; i++) {
            points[i] = (float) (centres[i % centres.length] + deviation * normal[i]);
        }
        return points;
    }

    /** A source of batches of points of a Gaussian ring. */
    private static final class RingBatches extends ForwardingSource implements RingSource {
        private final Source batches;
        private final GaussianRing ring;

        RingBatches(GaussianRing ring, Source batches) {
            super(batches);
            this.batches = batches;
            this.ring = ring;
        }

        @Override
        public Optional<Source> fresh() {
            return batches.fresh().map(each -> new RingBatches(ring, each));
        }

        @Override
        public GaussianRing ring() {
            return ring;
        }
    }
}
