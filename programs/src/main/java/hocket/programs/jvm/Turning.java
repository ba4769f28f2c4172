package hocket.programs.jvm;

/** Rows as columns. */
final class Turning {
    /** Elements of a side of a tile: what is read and written of it fits the first cache. */
    private static final int TILE = 16;

    private Turning() {}

    /**
     * Writes row r, column c of one matrix to row c, column r of another.
     *
     * @param fromStride elements from one row of the first to the next
     * @param toStride elements from one row of the second to the next
     */
    static void turn(float[] from, int rows, int columns, int fromStride, float[] to, int toStride) {
        for (int top = 0; top < rows; top += TILE) {
            int bottom = Math.min(top + TILE, rows);
            for (int left = 0; left < columns; left += TILE) {
                int right = Math.min(left + TILE, columns);
                for (int c = left; c < right; c++) {
                    int at = c * toStride;
                    for (int r = top; r < bottom; r++) {
                        to[at + r] = from[r * fromStride + c];
                    }
                }
            }
        }
    }
}
