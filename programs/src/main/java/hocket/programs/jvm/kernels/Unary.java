package hocket.programs.jvm.kernels;

/** Functions of one number; {@code p} and {@code q} are the parameters of {@link DenseKernels#unary}. */
public enum Unary {
    NEGATE,
    /** {@code x < 0 ? 0 : x}. */
    RELU,
    /** {@code x < 0 ? p·x : x}. */
    LEAKY_RELU,
    /** {@code x < 0 ? p·(e^x − 1) : x}. */
    ELU,
    TANH,
    /** {@code 1 / (1 + e^-x)}. */
    SIGMOID,
    /** {@code ln(1 + e^x)}. */
    SOFTPLUS,
    EXP,
    /** {@code 2/√π ∫ e^-t² dt} from 0 to x. */
    ERF,
    LOG,
    SQRT,
    SQUARE,
    ABS,
    /** {@code p·x + q}, rounded once. */
    AFFINE,
    /** {@code x < p ? p : x > q ? q : x}. */
    CLIP
}
