package hocket.gan.terms;

/** A penalty on the norm of the discriminator's gradient with respect to its input rows. */
interface GradientPenalty extends Term {
    /** The factor of the penalty, or twice the factor. */
    double weight();

    @Override
    default boolean usesPerSampleGradients() {
        return true;
    }

    @Override
    default boolean constrainsLipschitz() {
        return weight() > 0;
    }
}
