package hocket.programs.jvm.kernels;

/**
 * The sizes of a product of matrices, {@code C(i,j) = start(i,j) + sum over p of A(i,p)·B(p,j)}, made when a program is
 * planned.
 *
 * @param rows rows of A and C
 * @param columns columns of B and C, which lie next to each other
 * @param depth columns of A and rows of B
 * @param aRow elements from A(i,p) to A(i+1,p), and {@code aStep} to A(i,p+1), one of which is 1
 * @param bRow elements from B(p,j) to B(p+1,j)
 * @param cRow elements from C(i,j) to C(i+1,j)
 */
public record MatrixProduct(int rows, int columns, int depth, int aRow, int aStep, int bRow, int cRow) {
    /** A product whose left operand lies row after row. */
    public MatrixProduct(int rows, int columns, int depth, int aRow, int bRow, int cRow) {
        this(rows, columns, depth, aRow, 1, bRow, cRow);
    }

    /**
     * Returns a product whose left operand is a group: at most {@value Scratch#LANES} rows, padded to as many, column after
     * column. A product reads its elements faster.
     */
    public static MatrixProduct ofGroup(int rows, int columns, int depth, int bRow, int cRow) {
        return new MatrixProduct(rows, columns, depth, 1, Scratch.LANES, bRow, cRow);
    }

    Matrix left(Floats a) {
        return new Matrix(a.values(), a.at(), aRow, aStep);
    }
}
