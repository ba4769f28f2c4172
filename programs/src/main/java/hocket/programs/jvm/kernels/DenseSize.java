package hocket.programs.jvm.kernels;

/**
 * The size of a dense layer.
 *
 * @param outputs rows of its weight, and features of its result
 * @param inputs columns of its weight, which is row-major, and features of what it is applied to
 * @param rows how many there are, at most the stride; the content of the padding after them does not matter
 * @param stride how many elements a feature takes, as {@link DenseKernels} says
 */
public record DenseSize(int outputs, int inputs, int rows, int stride) {}
