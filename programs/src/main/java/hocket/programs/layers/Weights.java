package hocket.programs.layers;

import hocket.scopes.Initialiser;

/**
 * How a layer's weights begin, and how they are used: {@code Weights.standard().spectralNorm()}.
 *
 * @param weight initialiser of the weight
 * @param bias initialiser of the bias
 * @param biased whether there is a bias
 * @param use what the layer multiplies by
 */
public record Weights(Initialiser weight, Initialiser bias, boolean biased, Use use) {
    /** What a layer multiplies by: its weight, or what is made of it. */
    public sealed interface Use permits Plain, WeightNorm, SpectralNorm {}

    /** The weight itself. */
    public record Plain() implements Use {}

    /**
     * The weight of each output divided by its Euclidean norm, times a gain of its own (Salimans and Kingma 2016, equation
     * 2). Further parameter of the layer: {@code gain (outputs)}, which begins as 1, so that what comes in with variance 1
     * goes out with variance 1.
     */
    public record WeightNorm() implements Use {}

    /**
     * The weight divided by (an estimate of) its largest singular value, as a matrix (outputs, rest) (Miyato et al. 2018,
     * algorithm 1; PyTorch's {@code spectral_norm}): {@code σ = uᵀ·W·v}, where TRAIN programs first take some steps {@code
     * v ← Wᵀu/‖Wᵀu‖}, {@code u ← Wv/‖Wv‖} from the stored u and v, and EVAL programs use these. Gradients flow to W, in σ
     * too, and take u and v for constants. A turn that updates the weight stores the u and v of its program, once however
     * often the program calls the layer: all calls begin from the stored ones. Running statistics of the layer: {@code u
     * (outputs)} and {@code v (rest)}, which begin as random unit vectors; before the first turn σ means nothing in EVAL
     * programs.
     *
     * @param iterations steps a run, at least 1
     */
    public record SpectralNorm(int iterations) implements Use {
        /** @throws IllegalArgumentException if there is no step */
        public SpectralNorm {
            if (iterations < 1) {
                throw new IllegalArgumentException("spectral norm: iterations must be at least 1, was " + iterations);
            }
        }
    }

    /** Xavier's weights and a bias of zeros. */
    public static Weights standard() {
        return weights(Initialiser.xavier());
    }

    /** Weights of this initialiser and a bias of zeros. */
    public static Weights weights(Initialiser weight) {
        return new Weights(weight, Initialiser.zeros(), true, new Plain());
    }

    /** The same without a bias, for a layer before a batch norm. */
    public Weights withoutBias() {
        return new Weights(weight, bias, false, use);
    }

    /** The same with another initialiser of the bias. */
    public Weights bias(Initialiser other) {
        return new Weights(weight, other, true, use);
    }

    /** The same used by {@link WeightNorm}. */
    public Weights weightNorm() {
        return new Weights(weight, bias, biased, new WeightNorm());
    }

    /** The same used by {@link SpectralNorm}, one step a run. */
    public Weights spectralNorm() {
        return spectralNorm(1);
    }

    /** The same used by {@link SpectralNorm}. */
    public Weights spectralNorm(int iterations) {
        return new Weights(weight, bias, biased, new SpectralNorm(iterations));
    }
}
