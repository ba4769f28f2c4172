package hocket.gan.data;

import hocket.schedulers.settings.Limits;
import hocket.schedulers.settings.Setting;
import hocket.scopes.Stream;
import hocket.scopes.Streams;

/**
 * A source of points on Archimedean spirals that start at the origin: a column {@code point} (FLOAT32, (2)). Point i lies on
 * arm k = i mod arms, at {@code radius · s · (cos a, sin a)} with {@code a = 2π (turns · s + k / arms)}, {@code s = √u} and u
 * uniform in 0..1, plus Gaussian noise. So points are about evenly dense along an arm.
 *
 * @param arms the number of spirals, each a rotation of the first
 * @param turns of each spiral around the origin
 * @param radius of the outer ends
 * @param deviation the standard deviation of the noise along each axis
 * @param rows the number of points
 * @param seed of the points, independent of the run's seed
 */
public record Spiral(
        @Setting(usually = "2", least = 1, help = "number of spirals")
        int arms,

        @Setting(usually = "1.5", help = "turns of each spiral around the origin")
        double turns,

        @Setting(usually = "3", help = "radius of the outer ends")
        double radius,

        @Setting(usually = "0.1", help = "standard deviation of the noise")
        double deviation,

        @Setting(usually = "8192", help = "total number of points")
        int rows,

        @Setting(usually = "1", help = "seed of the points") long seed)
        implements SyntheticPoints, SpiralCopies {
    /** @throws IllegalArgumentException if a setting is out of its range, or there are fewer points than spirals */
    public Spiral {
        SpiralCopies.check(arms);
        Limits.positive("turns", turns);
        Limits.positive("radius", radius);
        Limits.notNegative("deviation", deviation);
        Limits.atLeast(arms, "rows", rows);
        Limits.elements("rows", rows, DIMENSIONS);
    }

    @Override
    public float[] sample() {
        Stream stream = Streams.seed(seed).at("spiral");
        double[] uniform = new double[rows];
        double[] noise = new double[DIMENSIONS * rows];
        stream.uniform(0, uniform);
        stream.normal(1, noise);
        float[] points = new float[noise.length];
        for (int i = 0; i < rows; i++) {
            double s = Math.sqrt(uniform[i]);
            double angle = 2 * Math.PI * (turns * s + (double) (i % arms) / arms);
            points[2 * i] = (float) (radius * s * StrictMath.cos(angle) + deviation * noise[2 * i]);
            points[2 * i + 1] = (float) (radius * s * StrictMath.sin(angle) + deviation * noise[2 * i + 1]);
        }
        return points;
    }
}
