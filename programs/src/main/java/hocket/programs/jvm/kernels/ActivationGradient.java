package hocket.programs.jvm.kernels;

/** The factor of a gradient {@code g} through an activation, computed from its argument or result. */
public enum ActivationGradient {
    /** From the result y: {@code g·(1 − y²)}. */
    TANH,
    /** From the result y: {@code g·(y·(1 − y))}. */
    SIGMOID,
    /** From argument or result: {@code y > 0 ? g : 0}. */
    RELU,
    /** From the argument, or from the result where the slope p is positive: {@code x > 0 ? g : p·g}. */
    LEAKY_RELU
}
