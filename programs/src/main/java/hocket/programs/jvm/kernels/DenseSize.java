package hocket.programs.jvm.kernels;

/**
 * The size of a dense layer.
 *
 * @param outputs rows of its weight, and features of its result
 * @param inputs columns of its weight, which is row-major, and features of what it is applied to
 * @param rows how many there are, at most the stride; the content of the padding after them does not matter
 * @param stride how many elements a feature takes, as {@link DenseKernels} says
 */
public record DenseSize(int outputs, int inputs, int rows, int stride) {
    /** The depth from which fewer multiply-adds save more time than it takes to transpose the result. */
    private static final int DEPTH = 64;

    private static final int FEW = 32;

    /** Returns whether a weight's gradient is summed by runs instead of chains, since one side is short. */
    static boolean few(int outputs, int inputs) {
        return outputs < FEW || inputs < FEW;
    }

    /**
     * Returns whether a product is best computed by vectors along its features, row by row, instead of along the rows and
     * their padding: it has at least a third fewer multiply-adds, and is deep.
     */
    public boolean isByFeatures(int features, int depth) {
        return stride > 1 && depth >= DEPTH && 3L * rows * Scratch.lanes(features) <= 2L * stride * features;
    }
}
