package hocket.gan.data;

import hocket.schedulers.settings.Limits;
import hocket.schedulers.settings.Setting;
import hocket.scopes.Streams;
import java.util.Optional;

/**
 * A source of points of a mixture of Gaussians with centres on a square grid around the origin: a column {@code point}
 * (FLOAT32, (2)). The Gaussians' numbers of points differ by at most one. The usual settings are those of VEEGAN
 * (Srivastava et al. 2017, section 4.1) and of the public code of PacGAN (Lin et al. 2018): 25 Gaussians at (-4, -2, 0, 2, 4)².
 *
 * @param side Gaussians in a row and in a column
 * @param spacing distance of neighbouring centres
 * @param deviation the standard deviation of each Gaussian along each axis
 * @param rows the number of points
 * @param seed of the points, independent of the run's seed
 */
public record GaussianGrid(
        @Setting(usually = "5", least = 1, most = 1000, help = "Gaussians in a row and in a column of the grid")
        int side,

        @Setting(usually = "2", help = "distance of neighbouring centres")
        double spacing,

        @Setting(usually = "0.05", help = "standard deviation of each Gaussian")
        double deviation,

        @Setting(usually = "25000", help = "total number of points")
        int rows,

        @Setting(usually = "1", help = "seed of the points") long seed)
        implements SyntheticPoints, GaussianGridCopies {
    /** @throws IllegalArgumentException if a setting is out of its range, or there are fewer points than Gaussians */
    public GaussianGrid {
        GaussianGridCopies.check(side);
        Limits.positive("spacing", spacing);
        Limits.positive("deviation", deviation);
        Limits.atLeast((long) side * side, "rows", rows);
        Limits.elements("rows", rows, DIMENSIONS);
    }

    @Override
    public Optional<GaussianMixture> mixture() {
        return Optional.of(gaussians());
    }

    @Override
    public float[] sample() {
        return gaussians().sample(Streams.seed(seed).at("gaussian-grid"), rows);
    }

    /** The Gaussians, from the bottom to the top and then from left to right. */
    private GaussianMixture gaussians() {
        double[] centres = new double[DIMENSIONS * side * side];
        for (int mode = 0; mode < side * side; mode++) {
            centres[2 * mode] = spacing * (mode / side - (side - 1) / 2.0);
            centres[2 * mode + 1] = spacing * (mode % side - (side - 1) / 2.0);
        }
        return new GaussianMixture(centres, deviation);
    }
}
