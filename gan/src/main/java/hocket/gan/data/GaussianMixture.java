package hocket.gan.data;

import hocket.scopes.Stream;

/**
 * A mixture of Gaussians in the plane that are equally frequent and have one standard deviation along both axes.
 * Immutable.
 */
public final class GaussianMixture {
    private final double[] centres;
    private final double deviation;

    GaussianMixture(double[] centres, double deviation) {
        this.centres = centres;
        this.deviation = deviation;
    }

    /** The number of Gaussians. */
    public int modes() {
        return centres.length / SyntheticPoints.DIMENSIONS;
    }

    /** A copy of the centres, row-major (modes, 2). */
    public double[] centres() {
        return centres.clone();
    }

    /** The standard deviation of each Gaussian along each axis. */
    public double deviation() {
        return deviation;
    }

    /** Draws points, row-major (rows, 2); row i is of Gaussian i mod modes. */
    float[] sample(Stream stream, int rows) {
        double[] normal = new double[SyntheticPoints.DIMENSIONS * rows];
        stream.normal(0, normal);
        float[] points = new float[normal.length];
        for (int i = 0; i < points.length; i++) {
            points[i] = (float) (centres[i % centres.length] + deviation * normal[i]);
        }
        return points;
    }
}
