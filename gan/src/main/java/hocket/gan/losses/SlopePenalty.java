package hocket.gan.losses;

/** A penalty on the discriminator's gradient by the rows that it is shown. */
interface SlopePenalty extends Penalty {
    /** What it is multiplied by, or twice that. */
    double weight();

    @Override
    default boolean takesRowGradients() {
        return true;
    }

    @Override
    default boolean smooths() {
        return weight() > 0;
    }
}
