package hocket.gan.parts;

/** The network whose loss something is part of. */
public enum Side {
    DISCRIMINATOR,
    GENERATOR,
    /** Both: it is part of each loss, with the pass of that side. */
    BOTH;

    /** Returns whether something of this side is part of the loss of one network. */
    public boolean includes(Side network) {
        return this == BOTH || this == network;
    }
}
