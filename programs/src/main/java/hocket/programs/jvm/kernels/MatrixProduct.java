package hocket.programs.jvm.kernels;

/**
 * The sizes of a product of matrices, {@code C(i,j) = start(i,j) + sum over p of A(i,p)·B(p,j)}, made when a program is
 * planned.
 *
 * @param rows rows of A and C
 * @param columns columns of B and C, which lie next to each other
 * @param depth columns of A and rows of B
 * @param aRow elements from A(i,p) to A(i+1,p); those of a row lie next to each other. 0 means that A lies in groups of
 *     {@value Scratch#LANES} rows, the last one padded, and within a group column after column: of such a left operand a
 *     product reads an element faster
 * @param bRow elements from B(p,j) to B(p+1,j)
 * @param cRow elements from C(i,j) to C(i+1,j)
 */
public record MatrixProduct(int rows, int columns, int depth, int aRow, int bRow, int cRow) {
    /** Returns a product whose left operand lies in groups. */
    public static MatrixProduct grouped(int rows, int columns, int depth, int bRow, int cRow) {
        return new MatrixProduct(rows, columns, depth, 0, bRow, cRow);
    }

    boolean isGrouped() {
        return aRow == 0;
    }

    /** Returns the group of the left operand that begins with a row. */
    Matrix group(Floats a, int row) {
        return new Matrix(a.values(), a.at() + row * depth, 1, Scratch.LANES);
    }
}
