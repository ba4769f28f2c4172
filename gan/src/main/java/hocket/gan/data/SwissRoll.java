package hocket.gan.data;

import hocket.schedulers.settings.Limits;
import hocket.schedulers.settings.Setting;
import hocket.scopes.Stream;
import hocket.scopes.Streams;

/**
 * A source of points of the swiss roll's cross section: a column {@code point} (FLOAT32, (2)). A point is {@code radius · t /
 * 4.5π · (cos t, sin t)} with t uniform in 1.5π..4.5π, plus Gaussian noise: the first and third coordinate of scikit-learn's
 * {@code make_swiss_roll}, scaled.
 *
 * @param radius of the outer end
 * @param deviation the standard deviation of the noise along each axis
 * @param rows the number of points
 * @param seed of the points, independent of the run's seed
 */
public record SwissRoll(
        @Setting(usually = "3", help = "radius of the outer end")
        double radius,

        @Setting(usually = "0.1", help = "standard deviation of the noise")
        double deviation,

        @Setting(usually = "8192", help = "total number of points")
        int rows,

        @Setting(usually = "1", help = "seed of the points") long seed)
        implements SyntheticPoints {
    private static final double OUTER = 4.5 * Math.PI;

    /** @throws IllegalArgumentException if a setting is out of its range */
    public SwissRoll {
        Limits.positive("radius", radius);
        Limits.notNegative("deviation", deviation);
        Limits.atLeast(1, "rows", rows);
        Limits.elements("rows", rows, DIMENSIONS);
    }

    @Override
    public float[] sample() {
        Stream stream = Streams.seed(seed).at("swiss-roll");
        double[] uniform = new double[rows];
        double[] noise = new double[DIMENSIONS * rows];
        stream.uniform(0, uniform);
        stream.normal(1, noise);
        float[] points = new float[noise.length];
        for (int i = 0; i < rows; i++) {
            double t = OUTER / 3 * (1 + 2 * uniform[i]);
            points[2 * i] = (float) (radius * t / OUTER * StrictMath.cos(t) + deviation * noise[2 * i]);
            points[2 * i + 1] = (float) (radius * t / OUTER * StrictMath.sin(t) + deviation * noise[2 * i + 1]);
        }
        return points;
    }
}
