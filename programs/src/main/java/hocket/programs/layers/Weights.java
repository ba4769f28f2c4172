package hocket.programs.layers;

import hocket.scopes.Initialiser;

/**
 * The initialisation and use of a layer's weights: {@code Weights.standard().spectralNorm()}.
 *
 * @param weight initialiser of the weight
 * @param bias initialiser of the bias
 * @param biased whether there is a bias
 * @param use creates the factor of the layer from the weight
 */
public record Weights(Initialiser weight, Initialiser bias, boolean biased, Use use) {
    /** A rule that creates the factor of a layer: its weight, or a function of it. */
    public sealed interface Use permits Plain, WeightNorm, WeightNormAlong, SpectralNorm {}

    /** The weight itself. */
    public record Plain() implements Use {}

    /**
     * The weight of each output divided by its Euclidean norm, times a separate gain (Salimans and Kingma 2016,
     * equation 2). Further parameter of the layer: {@code gain (outputs)}, initially 1, so that inputs of variance 1
     * give outputs of variance 1.
     */
    public record WeightNorm() implements Use {}

    /**
     * PyTorch's {@code weight_norm} with a {@code dim}: the weight divided by its Euclidean norm over all axes but one,
     * times a separate gain. Axis 0 is the output of a dense layer or a convolution and the <i>input</i> of a transposed
     * convolution. Further parameter of the layer: {@code gain}, of the extent of that axis, initially 1.
     *
     * @param axis the axis whose entries have their own norms; {@link #WHOLE} is one norm of the whole weight, PyTorch's
     *     {@code dim=None}, with a gain ()
     */
    public record WeightNormAlong(int axis) implements Use {
        /** Stands for one norm of the whole weight. */
        public static final int WHOLE = -1;

        /** @throws IllegalArgumentException if the axis is negative and not {@link #WHOLE} */
        public WeightNormAlong {
            if (axis < WHOLE) {
                throw new IllegalArgumentException(
                        "weight norm: axis must be at least 0, or -1 for one norm of the whole" + " weight, was "
                                + axis);
            }
        }
    }

    /**
     * The weight divided by (an estimate of) its largest singular value, as a matrix (outputs, rest) (Miyato et al.
     * 2018, algorithm 1; PyTorch's {@code spectral_norm}): {@code σ = uᵀ·W·v}, where TRAIN programs first take some
     * steps {@code v ← Wᵀu/‖Wᵀu‖}, {@code u ← Wv/‖Wv‖} from the stored u and v, and EVAL programs use these. Gradients
     * flow to W, in σ too, and take u and v for constants. A turn that updates the weight stores the u and v of its
     * program, once, even if the program calls the layer several times: all calls start from the stored ones. Running
     * statistics of the layer: {@code u (outputs)} and {@code v (rest)}, initially random unit vectors; before the
     * first turn σ has no meaning in EVAL programs.
     *
     * @param iterations steps for each execution, at least 1
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

    /**
     * Weights of the initialiser of that name and a bias of zeros: {@code named("orthogonal")}, {@code
     * named("normal(0.02)")}. Names and errors are those of {@link Initialiser#named}.
     */
    public static Weights named(String initialiser) {
        return weights(Initialiser.named(initialiser));
    }

    /** Returns these weights without a bias, for a layer before a batch norm. */
    public Weights withoutBias() {
        return new Weights(weight, bias, false, use);
    }

    /** Returns these weights with another initialiser of the bias. */
    public Weights bias(Initialiser other) {
        return new Weights(weight, other, true, use);
    }

    /** Returns these weights, normalised by {@link WeightNorm}. */
    public Weights weightNorm() {
        return new Weights(weight, bias, biased, new WeightNorm());
    }

    /** Returns these weights, normalised by {@link WeightNormAlong} an axis of the weight. */
    public Weights weightNorm(int axis) {
        return new Weights(weight, bias, biased, new WeightNormAlong(axis));
    }

    /** Returns these weights, normalised by {@link SpectralNorm} with one step for each execution. */
    public Weights spectralNorm() {
        return spectralNorm(1);
    }

    /**
     * Returns these weights, normalised by {@link SpectralNorm}.
     *
     * @param iterations steps of the power iteration for each execution
     */
    public Weights spectralNorm(int iterations) {
        return new Weights(weight, bias, biased, new SpectralNorm(iterations));
    }
}
