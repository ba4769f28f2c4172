package hocket.rl.returns;

import hocket.schedulers.state.State;

/**
 * Advantages for a critic that learns normalised returns (Yu et al. 2022, "The surprising effectiveness of PPO in cooperative
 * multi-agent games", value normalisation): its values are brought to the unit of the rewards before the estimate, and the returns
 * are normalised after it, by their mean and deviation over all rollouts so far, this one included. Old values stay in the
 * critic's unit.
 *
 * <p>Mean and mean square are averages {@code average ← decay·average + (1 - decay)·batch}, from 0, divided by the sum of
 * their weights. With this decay all rollouts weigh nearly alike. The deviation is at least 0.1.
 */
public final class ValueNormalisation implements AdvantageEstimator {
    private static final double DECAY = 0.99999;
    private static final double LEAST_WEIGHT = 1e-5;
    private static final double LEAST_VARIANCE = 1e-2;

    private final AdvantageEstimator estimator;
    private final double decay;
    private double mean;
    private double square;
    private double weight;

    /** Normalises the values of an estimator, with a decay of 0.99999. */
    public ValueNormalisation(AdvantageEstimator estimator) {
        this(estimator, DECAY);
    }

    ValueNormalisation(AdvantageEstimator estimator, double decay) {
        this.estimator = estimator;
        this.decay = decay;
    }

    /**
     * Copies the statistics of an estimator of another run, in whose unit the values of its critic are.
     *
     * @param saved the state of the other
     * @param to the estimator that needs them; one that does not normalise values stays as it is
     * @throws IllegalArgumentException if only one of the two normalises values
     */
    public static void inherit(State saved, AdvantageEstimator to) {
        boolean wanted = saved.has("square");
        boolean normalises = to instanceof ValueNormalisation;
        if (wanted != normalises) {
            throw new IllegalArgumentException(
                    "normalise_values must be " + wanted + ", as where the parameters were trained, was " + normalises);
        }
        if (wanted) {
            to.restore(saved);
        }
    }

    /** Returns the mean of the returns so far; 0 before the first. */
    double mean() {
        return mean / Math.max(weight, LEAST_WEIGHT);
    }

    /** Returns the deviation of the returns so far, at least 0.1. */
    double deviation() {
        double ofSquares = square / Math.max(weight, LEAST_WEIGHT);
        return Math.sqrt(Math.max(ofSquares - mean() * mean(), LEAST_VARIANCE));
    }

    @Override
    public void begins(boolean[] first) {
        estimator.begins(first);
    }

    @Override
    public void advantages(
            RolloutLayout layout,
            float[] rewards,
            float[] values,
            boolean[] terminated,
            boolean[] truncated,
            float[] finalValues,
            float[] lastValues,
            float[] advantages,
            float[] returns) {
        estimator.advantages(
                layout,
                rewards,
                real(values),
                terminated,
                truncated,
                real(finalValues),
                real(lastValues),
                advantages,
                returns);
        normalise(returns);
    }

    /** Brings values of the critic to the unit of the rewards. */
    private float[] real(float[] values) {
        double center = mean();
        double scale = deviation();
        float[] real = new float[values.length];
        for (int i = 0; i < real.length; i++) {
            real[i] = (float) (values[i] * scale + center);
        }
        return real;
    }

    /** Counts returns, and normalises them. */
    private void normalise(float[] returns) {
        double sum = 0;
        double squares = 0;
        for (float each : returns) {
            sum += each;
            squares += (double) each * each;
        }
        mean = decay * mean + (1 - decay) * sum / returns.length;
        square = decay * square + (1 - decay) * squares / returns.length;
        weight = decay * weight + (1 - decay);
        double center = mean();
        double scale = deviation();
        for (int i = 0; i < returns.length; i++) {
            returns[i] = (float) ((returns[i] - center) / scale);
        }
    }

    @Override
    public State save() {
        return State.empty().with("mean", mean).with("square", square).with("weight", weight);
    }

    @Override
    public void restore(State state) {
        double savedMean = state.real("mean");
        double savedSquare = state.real("square");
        weight = state.real("weight");
        mean = savedMean;
        square = savedSquare;
    }
}
