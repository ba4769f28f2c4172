package hocket.gan.terms;

/** The network whose loss a term is added to. */
public enum Side {
    DISCRIMINATOR,
    GENERATOR
}
