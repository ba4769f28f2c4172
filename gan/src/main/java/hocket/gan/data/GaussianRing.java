package hocket.gan.data;

import hocket.schedulers.settings.Limits;
import hocket.schedulers.settings.Setting;
import hocket.scopes.Streams;
import java.util.Optional;

/**
 * A source of points of a mixture of Gaussians with centres spaced evenly on a circle around the origin: a column
 * {@code point} (FLOAT32, (2)). The Gaussians' numbers of points differ by at most one. This is the usual test of
 * whether a GAN finds every mode of its data (Metz et al. 2017, section 3.1). PacGAN's ring (Lin et al. 2018, section 4.1) has
 * radius 1 and deviation 0.01.
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
        implements SyntheticPoints, GaussianRingCopies {
    /** @throws IllegalArgumentException if a number is not positive, or there are fewer points than Gaussians */
    public GaussianRing {
        GaussianRingCopies.check(modes);
        Limits.positive("radius", radius);
        Limits.positive("deviation", deviation);
        Limits.atLeast(modes, "rows", rows);
        Limits.elements("rows", rows, DIMENSIONS);
    }

    @Override
    public Optional<GaussianMixture> mixture() {
        return Optional.of(gaussians());
    }

    @Override
    public float[] sample() {
        return gaussians().sample(Streams.seed(seed).at("gaussian-ring"), rows);
    }

    /** The Gaussians, the first on the right, then counterclockwise. */
    private GaussianMixture gaussians() {
        double[] centres = new double[DIMENSIONS * modes];
        for (int mode = 0; mode < modes; mode++) {
            double angle = 2 * Math.PI * mode / modes;
            centres[2 * mode] = radius * StrictMath.cos(angle);
            centres[2 * mode + 1] = radius * StrictMath.sin(angle);
        }
        return new GaussianMixture(centres, deviation);
    }
}
