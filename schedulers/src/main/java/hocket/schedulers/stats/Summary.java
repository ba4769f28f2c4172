package hocket.schedulers.stats;

import org.hipparchus.distribution.continuous.TDistribution;

/**
 * A summary of a few numbers: their mean, their standard deviation {@code s = sqrt(Σ(x - mean)² / (n - 1))}, and the
 * interval {@code mean ± t·s/√n}, t the 97.5th percentile of Student's distribution with n - 1 degrees of freedom
 * (Student 1908). For normal numbers it contains the true mean in 95 of 100 cases, however few they are.
 *
 * @param count number of values
 * @param mean NaN if one of them is
 * @param deviation NaN of one number
 * @param meanLow lower end of the interval; NaN of one number
 * @param meanHigh upper end of the interval; NaN of one number
 */
public record Summary(int count, double mean, double deviation, double meanLow, double meanHigh) {
    private static final double BELOW_HIGH = 0.975;

    /** @throws IllegalArgumentException if there is no number */
    public static Summary of(double... numbers) {
        int count = numbers.length;
        if (count == 0) {
            throw new IllegalArgumentException("a summary needs at least one number");
        }
        double mean = mean(numbers, 0, count);
        if (count == 1) {
            return new Summary(count, mean, Double.NaN, Double.NaN, Double.NaN);
        }
        double squares = 0;
        for (double number : numbers) {
            squares += (number - mean) * (number - mean);
        }
        double deviation = Math.sqrt(squares / (count - 1));
        double half =
                new TDistribution(count - 1).inverseCumulativeProbability(BELOW_HIGH) * deviation / Math.sqrt(count);
        return new Summary(count, mean, deviation, mean - half, mean + half);
    }

    /** Returns the mean of the numbers from one place up to, but without, another. */
    static double mean(double[] numbers, int from, int to) {
        double mean = 0;
        for (int i = from; i < to; i++) {
            mean += (numbers[i] - mean) / (i - from + 1); // a sum could leave the range of double
        }
        return mean;
    }
}
