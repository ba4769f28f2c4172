package hocket.programs.jvm.kernels;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Memory in which products arrange their operands: one for each thread that computes a part, made once. */
public final class Scratch {
    /** The unit of run lengths. */
    public static final int LANES = 16;

    /** Elements that a reduction adds up in FLOAT32 before it continues in FLOAT64. */
    static final int BLOCK = 256;

    /** Depth of a chain of fused multiply-adds; deeper products are sums of chains. */
    public static final int CHAIN = 512;

    /** Depth of a block: so deep a panel, of 32 KiB, stays in a first-level cache. */
    static final int DEPTH = 128;

    /** Columns of a block. */
    static final int COLUMNS = 256;

    /** Columns of a panel: a block is stored panel after panel, and within one row after row. */
    public static final int PANEL = 64;

    /** Rows of a block of the left operand, which stays in a second-level cache while panels pass. */
    static final int ROWS = 128;

    /** Rows of {@link #tile}. */
    static final int TILE_ROWS = 8;

    /** A block of the right operand. */
    final Matrix right = new Matrix(new float[DEPTH * COLUMNS + LANES], 0, PANEL, 1);

    /** A block of the left operand, in groups of 16 rows; within a group, column after column. */
    final Matrix left = new Matrix(new float[ROWS * DEPTH + LANES], 0, 1, LANES);

    /** Part of the result, where it must not be written in whole vectors. */
    final float[] tile = new float[TILE_ROWS * PANEL + LANES];

    /** The sums of the chains of a deep product. */
    final PairwiseSums chains = new PairwiseSums();

    private Floats rowMajor = Floats.of(new float[0]);
    private final PairwiseSums sums = new PairwiseSums();
    private float @Nullable [][] rows;
    private float[] gathered = new float[0];
    private float[] products = new float[0];
    private float[] chain = new float[0];

    /** Returns a number of elements rounded up to a multiple of {@value #LANES}. */
    public static int lanes(int count) {
        return (count + LANES - 1) & -LANES;
    }

    /** Memory for a result row after row. */
    Floats rowMajor(int size) {
        if (rowMajor.values().length < size) {
            rowMajor = Floats.of(new float[size]);
        }
        return rowMajor;
    }

    /** Memory for an operand of a product, whose content does not outlast the product. */
    public float[] gathered(int size) {
        if (gathered.length < size) {
            gathered = new float[size];
        }
        return gathered;
    }

    /** Memory for the results of products, whose content does not outlast them. */
    public float[] products(int size) {
        if (products.length < size) {
            products = new float[size];
        }
        return products;
    }

    /** Memory for a chain of products that are added to it: its first elements are 0. */
    public float[] chain(int size) {
        if (chain.length < size) {
            chain = new float[size];
        } else {
            Arrays.fill(chain, 0, size, 0);
        }
        return chain;
    }

    /** Memory for a long sum. */
    public PairwiseSums sums() {
        return sums;
    }

    /** The plain loops' rows of the right operand, made at the first call. */
    float[][] rows() {
        float[][] made = rows;
        if (made == null) {
            made = new float[PANEL][COLUMNS];
            rows = made;
        }
        return made;
    }
}
