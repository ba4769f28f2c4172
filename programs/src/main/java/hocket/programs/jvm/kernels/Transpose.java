package hocket.programs.jvm.kernels;

/** Rows as columns, by plain loops. */
final class Transpose {
    /** Elements of a side of a tile: what is read and written of it fits the first cache. */
    private static final int TILE = 16;

    private Transpose() {}

    /** Writes element {@code at + r·fromStride + c} to {@code toAt + c·toStride + r}. */
    static void turn(float[] from, int at, int rows, int columns, int fromStride, float[] to, int toAt, int toStride) {
        for (int top = 0; top < rows; top += TILE) {
            int bottom = Math.min(top + TILE, rows);
            for (int left = 0; left < columns; left += TILE) {
                int right = Math.min(left + TILE, columns);
                for (int c = left; c < right; c++) {
                    int into = toAt + c * toStride;
                    for (int r = top; r < bottom; r++) {
                        to[into + r] = from[at + r * fromStride + c];
                    }
                }
            }
        }
    }
}
