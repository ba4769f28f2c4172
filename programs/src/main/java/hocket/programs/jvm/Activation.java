package hocket.programs.jvm;

/** What a forward product applies to its sums. */
enum Activation {
    NONE,
    RELU,
    LEAKY_RELU,
    TANH,
    SIGMOID
}
