package hocket.gan.networks;

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

    /** Returns whether this normalisation constrains the discriminator's Lipschitz constant. */
    boolean constrainsLipschitz() {
        return this == SPECTRAL;
    }
}
