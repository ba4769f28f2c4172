package hocket.workbench.stats;

import hocket.scopes.Streams;
import java.util.Arrays;

/**
 * A few numbers in short: their mean, their standard deviation {@code sqrt(Σ(x - mean)² / (n - 1))}, and an interval that
 * holds the mean of all such numbers in 95 of 100 cases: from the 2.5th to the 97.5th percentile of the means of 10,000
 * samples that are drawn from the numbers, each as many as there are, with replacement (the percentile bootstrap, Efron
 * and Tibshirani 1993, An Introduction to the Bootstrap, chapter 13). The draws are the same each time, so the same numbers
 * have the same interval. Of fewer than about ten numbers it is too narrow.
 *
 * @param count how many numbers
 * @param mean NaN if one of them is
 * @param deviation NaN of one number
 * @param low where the interval begins
 * @param high where it ends
 */
public record Summary(int count, double mean, double deviation, double low, double high) {
    private static final int RESAMPLES = 10_000;
    private static final double OUTSIDE = 0.025;

    /** @throws IllegalArgumentException if there is no number */
    public static Summary of(double... numbers) {
        if (numbers.length == 0) {
            throw new IllegalArgumentException("a summary needs at least one number");
        }
        double mean = mean(numbers);
        double squares = 0;
        for (double number : numbers) {
            squares += (number - mean) * (number - mean);
        }
        double[] means = means(numbers);
        return new Summary(
                numbers.length,
                mean,
                numbers.length == 1 ? Double.NaN : Math.sqrt(squares / (numbers.length - 1)),
                quantile(means, OUTSIDE),
                quantile(means, 1 - OUTSIDE));
    }

    private static double mean(double[] numbers) {
        double mean = 0;
        for (int i = 0; i < numbers.length; i++) {
            mean += (numbers[i] - mean) / (i + 1); // a sum could leave the range of double
        }
        return mean;
    }

    /** The means of all resamples, ascending. */
    private static double[] means(double[] numbers) {
        double[] draws = new double[RESAMPLES * numbers.length];
        Streams.seed(0).at("bootstrap").uniform(0, draws);
        double[] sample = new double[numbers.length];
        double[] means = new double[RESAMPLES];
        for (int i = 0; i < RESAMPLES; i++) {
            for (int j = 0; j < sample.length; j++) {
                sample[j] = numbers[(int) (draws[i * sample.length + j] * numbers.length)];
            }
            means[i] = mean(sample);
        }
        Arrays.sort(means);
        return means;
    }

    /** Linear between the two nearest of ascending numbers. */
    private static double quantile(double[] ascending, double share) {
        double place = share * (ascending.length - 1);
        int below = (int) place;
        int above = Math.min(below + 1, ascending.length - 1);
        return ascending[below] + (place - below) * (ascending[above] - ascending[below]);
    }
}
