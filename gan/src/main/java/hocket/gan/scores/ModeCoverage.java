package hocket.gan.scores;

/**
 * The coverage of a mixture of Gaussians of one deviation by a set of points (Srivastava et al. 2017, VEEGAN, section
 * 4.1). A point belongs to the mode whose centre is nearest (the first of equals), and is of high quality if it is
 * within three deviations of that centre; of the mixture's own points 98.9 % are. Immutable.
 *
 * @param found the number of modes with at least a quarter of their expected share of the points, 1 in 4·modes, in
 *     points of high quality. (In the paper one point is enough, which many random points reach by chance.)
 * @param highQuality the share, 0..1, of points of high quality
 */
public record ModeCoverage(int found, double highQuality) {
    private static final double NEAR = 3;
    private static final int OF_FAIR_SHARE = 4;

    /**
     * The coverage of n points.
     *
     * @param points row-major (n, d), n at least 1
     * @param centres row-major (modes, d)
     * @param dimensions d
     * @param deviation of every Gaussian, each way
     * @throws IllegalArgumentException if there is no point or centre, or a length is not a multiple of d
     */
    public static ModeCoverage of(float[] points, double[] centres, int dimensions, double deviation) {
        requireRows("points", points.length, dimensions);
        requireRows("centres", centres.length, dimensions);
        int n = points.length / dimensions;
        int[] near = new int[centres.length / dimensions];
        int all = 0;
        for (int i = 0; i < n; i++) {
            int nearest = 0;
            double least = Double.POSITIVE_INFINITY;
            for (int mode = 0; mode < near.length; mode++) {
                double squared = 0;
                for (int k = 0; k < dimensions; k++) {
                    double difference = points[i * dimensions + k] - centres[mode * dimensions + k];
                    squared += difference * difference;
                }
                if (squared < least) {
                    least = squared;
                    nearest = mode;
                }
            }
            if (least <= NEAR * NEAR * deviation * deviation) {
                near[nearest]++;
                all++;
            }
        }
        int found = 0;
        for (int count : near) {
            found += (long) count * OF_FAIR_SHARE * near.length >= n ? 1 : 0;
        }
        return new ModeCoverage(found, (double) all / n);
    }

    private static void requireRows(String what, int values, int dimensions) {
        if (values == 0 || values % dimensions != 0) {
            throw new IllegalArgumentException(
                    what + ": needs a positive multiple of " + dimensions + " values, got " + values);
        }
    }
}
