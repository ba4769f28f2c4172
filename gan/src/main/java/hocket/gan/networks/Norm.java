package hocket.gan.networks;

import static hocket.programs.Layers.batchNorm;
import static hocket.programs.Layers.instanceNorm;
import static hocket.programs.Layers.layerNorm;

import hocket.programs.Layers;
import hocket.programs.Value;
import hocket.programs.layers.Weights;
import hocket.programs.layers.Window;

/** The normalisation of the inner layers of a convolutional discriminator. */
public enum Norm {
    /** Batch norm (Ioffe and Szegedy 2015), which mixes rows: refused with penalties on each row's gradient. */
    BATCH,

    /** Layer norm, of each row (Ba et al. 2016), as in WGAN-GP (Gulrajani et al. 2017, section 4). */
    LAYER,

    /** Instance norm, of each channel of each row (Ulyanov et al. 2016). */
    INSTANCE,

    /** Spectral norm: every weight is divided by its largest singular value (Miyato et al. 2018). */
    SPECTRAL,

    /** No normalisation. */
    NONE,

    /** Batch norm with any penalties, for runs that were trained when this was allowed. */
    BATCH_UNCHECKED;

    private static final int AXES = 3;
    private static final double EPSILON = 1e-5;

    /** Returns whether this normalisation constrains the discriminator's Lipschitz constant. */
    boolean constrainsLipschitz() {
        return this == SPECTRAL;
    }

    /** Returns weights with this normalisation, if it is one of weights. */
    Weights of(Weights plain) {
        return this == SPECTRAL ? plain.spectralNorm() : plain;
    }

    private static Value requirePixels(Value h) {
        if (h.shape().get(1) * h.shape().get(2) == 1) {
            throw new IllegalArgumentException(
                    "norm: must not be instance where a layer has one pixel, because its norm is 0"
                            + " for every image; set fewer layers or another norm");
        }
        return h;
    }

    /**
     * Builds layer i, a convolution {@code convI} with its norm {@code bnI}, {@code lnI} or {@code inI}; without a bias where
     * the norm would remove it.
     *
     * @throws IllegalArgumentException if it is {@link #INSTANCE} and the layer has one pixel
     */
    Value conv(int i, Value x, int filters, Window window) {
        Window unbiased = window.weights(window.weights().withoutBias());
        String conv = "conv" + i;
        return switch (this) {
            case BATCH, BATCH_UNCHECKED -> batchNorm("bn" + i, Layers.conv(conv, x, filters, unbiased));
            case LAYER -> layerNorm("ln" + i, Layers.conv(conv, x, filters, window), AXES, EPSILON);
            case INSTANCE -> instanceNorm("in" + i, requirePixels(Layers.conv(conv, x, filters, unbiased)));
            case SPECTRAL, NONE -> Layers.conv(conv, x, filters, window);
        };
    }
}
