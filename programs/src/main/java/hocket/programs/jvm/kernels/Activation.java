package hocket.programs.jvm.kernels;

import org.jspecify.annotations.Nullable;

/** The activation that a forward product applies to its sums. */
public enum Activation {
    NONE(null),
    RELU(Unary.RELU),
    LEAKY_RELU(Unary.LEAKY_RELU),
    TANH(Unary.TANH),
    SIGMOID(Unary.SIGMOID);

    final @Nullable Unary function;

    Activation(@Nullable Unary function) {
        this.function = function;
    }
}
