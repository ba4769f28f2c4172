package hocket.rl.returns;

import hocket.schedulers.Run;
import hocket.schedulers.settings.Limits;

/** The share of the variance of returns that a critic explains. */
public final class ExplainedVariance {
    private ExplainedVariance() {}

    /**
     * {@code 1 - var(returns - predictions)/var(returns)}, variances divided by n: 1 for a perfect critic, 0 for a
     * constant, below for a harmful one; NaN where all returns are equal (Stable-Baselines3 {@code
     * explained_variance}).
     *
     * @param predictions n predictions, at least one
     * @param returns n returns
     * @throws IllegalArgumentException if there are none, or the lengths differ
     */
    public static double of(float[] predictions, float[] returns) {
        Limits.atLeast(1, "explained variance: returns", returns.length);
        ReturnArguments.length(
                "explained variance: predictions", predictions.length, returns.length, "one for each return");
        double meanReturn = 0;
        double meanError = 0;
        for (int i = 0; i < returns.length; i++) {
            meanReturn += returns[i];
            meanError += (double) returns[i] - predictions[i];
        }
        meanReturn /= returns.length;
        meanError /= returns.length;
        double ofReturns = 0;
        double ofErrors = 0;
        for (int i = 0; i < returns.length; i++) {
            double fromMean = returns[i] - meanReturn;
            double error = (double) returns[i] - predictions[i] - meanError;
            ofReturns += fromMean * fromMean;
            ofErrors += error * error;
        }
        return ofReturns == 0 ? Double.NaN : 1 - ofErrors / ofReturns;
    }

    /**
     * Reports it as {@code explained_variance}, unless all returns are equal. Takes the arguments of {@link #of}, and
     * throws as it does.
     */
    public static void report(Run run, float[] predictions, float[] returns) {
        double share = of(predictions, returns);
        if (!Double.isNaN(share)) {
            run.report("explained_variance", share);
        }
    }
}
