package hocket.programs.jvm.kernels;

/**
 * A matrix in an array: element (i, j) is {@code values[at + i·row + j·step]}.
 *
 * @param row from one row to the next
 * @param step from one column to the next
 */
public record Matrix(float[] values, int at, int row, int step) {
    private static final float[] ZERO = new float[1];

    /** Zeros of any size. */
    static final Matrix ZEROS = new Matrix(ZERO, 0, 0, 0);

    /** A matrix whose columns lie next to each other. */
    static Matrix of(Floats values, int row) {
        return new Matrix(values.values(), values.at(), row, 1);
    }

    /** A matrix whose rows lie next to each other. */
    static Matrix turned(Floats values, int step) {
        return new Matrix(values.values(), values.at(), 1, step);
    }

    /** Returns the place of an element. */
    int at(int i, int j) {
        return at + i * row + j * step;
    }

    /** Returns a matrix of the same form, some elements further on. */
    public Matrix moved(int elements) {
        return new Matrix(values, at + elements, row, step);
    }

    /** Returns the part that begins at an element. */
    Matrix from(int i, int j) {
        return new Matrix(values, at(i, j), row, step);
    }
}
