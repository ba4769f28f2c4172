package hocket.gan.scores;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * The inception score of a set of samples, from the probabilities of any classifier:
 *
 * <pre>  exp(mean over samples of KL(p(y|x) || p(y))),   p(y) = mean p(y|x)</pre>
 *
 * <p>between 1 and the number of classes. It is large if the classifier is sure of each sample and all classes are equally
 * frequent. It does not read real rows, so it exposes no memoriser.
 *
 * <p>Source: Salimans et al., "Improved Techniques for Training GANs" (2016), section 4.
 */
public final class InceptionScore {
    private InceptionScore() {}

    /**
     * The score of all samples.
     *
     * @param probabilities row-major (n, classes), rows that sum to 1
     * @param classes at least 1
     * @throws IllegalArgumentException if there is no sample, or the length is not a multiple of the classes
     */
    public static double of(double[] probabilities, int classes) {
        return ofSplits(probabilities, classes, 1)[0];
    }

    /**
     * The score of each of s splits in the given order: split j has the samples from j·n/s up to (j+1)·n/s. Means and
     * population deviations of these are usually reported.
     *
     * @param splits s, 1..n
     * @return (s)
     * @throws IllegalArgumentException as {@link #of}, or if a split would be empty
     */
    public static double[] ofSplits(double[] probabilities, int classes, int splits) {
        if (classes < 1 || probabilities.length == 0 || probabilities.length % classes != 0) {
            throw new IllegalArgumentException("an inception score needs at least 1 row of at least 1 probability, got "
                    + probabilities.length + " values in rows of " + classes);
        }
        int n = probabilities.length / classes;
        if (splits < 1 || splits > n) {
            throw new IllegalArgumentException("splits must be in 1.." + n + " (the samples there are), was " + splits);
        }
        return IntStream.range(0, splits)
                .mapToDouble(j -> {
                    int from = (int) ((long) j * n / splits);
                    int to = (int) ((j + 1L) * n / splits);
                    return score(Arrays.copyOfRange(probabilities, from * classes, to * classes), classes);
                })
                .toArray();
    }

    private static double score(double[] probabilities, int classes) {
        int n = probabilities.length / classes;
        double[] mean = new double[classes];
        for (int i = 0; i < probabilities.length; i++) {
            mean[i % classes] += probabilities[i] / n;
        }
        double divergence = 0;
        for (int i = 0; i < probabilities.length; i++) {
            double p = probabilities[i];
            divergence += p == 0 ? 0 : p * Math.log(p / mean[i % classes]);
        }
        return Math.exp(divergence / n);
    }
}
