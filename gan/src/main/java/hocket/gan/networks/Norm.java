package hocket.gan.networks;

/** How the inner layers of a convolutional discriminator are normalised. */
public enum Norm {
    /** Over the batch (Ioffe and Szegedy 2015), which mixes rows: refused with penalties on each row's gradient. */
    BATCH,

    /** Each row by itself (Ba et al. 2016), as in WGAN-GP (Gulrajani et al. 2017, section 4). */
    LAYER,

    /** Each channel of each row by itself (Ulyanov et al. 2016). */
    INSTANCE,

    /** No values: every weight is divided by its largest singular value (Miyato et al. 2018). */
    SPECTRAL,

    /** Nothing. */
    NONE,

    /** Over the batch, whatever the penalties: for runs that were trained so before it was refused. */
    BATCH_UNCHECKED;

    /** Whether it bounds how steep the discriminator is. */
    boolean smooths() {
        return this == SPECTRAL;
    }
}
