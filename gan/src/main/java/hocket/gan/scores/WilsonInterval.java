package hocket.gan.scores;

import org.hipparchus.special.Erf;

/**
 * Wilson's score interval of a share, without continuity correction: all shares p whose normal approximation is consistent
 * with the count, {@code |successes/n - p| <= z·sqrt(p(1 - p)/n)}.
 *
 * <p>Source: Wilson, "Probable Inference, the Law of Succession, and Statistical Inference" (1927).
 *
 * @param low its lower end, 0..1
 * @param high its upper end, 0..1
 */
public record WilsonInterval(double low, double high) {
    /**
     * The interval.
     *
     * @param successes 0..trials
     * @param trials at least 1
     * @param level of confidence, such as 0.95
     * @throws IllegalArgumentException if a number is out of its range
     */
    public static WilsonInterval of(int successes, int trials, double level) {
        if (trials < 1 || successes < 0 || successes > trials || !(level > 0 && level < 1)) {
            throw new IllegalArgumentException(
                    "an interval needs 0 <= successes <= trials, at least 1 trial and a level" + " in 0..1, got "
                            + successes + ", " + trials + " and " + level);
        }
        double z = Math.sqrt(2) * Erf.erfInv(level); // the normal quantile of 1/2 + level/2
        double share = (double) successes / trials;
        double square = z * z / trials;
        double centre = (share + square / 2) / (1 + square);
        double half = z / (1 + square) * Math.sqrt(share * (1 - share) / trials + square / (4 * trials));
        return new WilsonInterval(Math.max(0, centre - half), Math.min(1, centre + half));
    }
}
