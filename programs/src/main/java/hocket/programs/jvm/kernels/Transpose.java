package hocket.programs.jvm.kernels;

/** Rows as columns, by plain loops. */
final class Transpose {
    /** Elements of a side of a tile: what is read and written of it fits the first cache. */
    private static final int TILE = 16;

    private Transpose() {}

    /**
     * Writes element {@code r·fromStride + c} to {@code c·toStride + r}, for some rows r and columns c.
     *
     * @param lastRow not included
     * @param lastColumn not included
     */
    static void turn(
            float[] from,
            int firstRow,
            int lastRow,
            int firstColumn,
            int lastColumn,
            int fromStride,
            float[] to,
            int toStride) {
        for (int top = firstRow; top < lastRow; top += TILE) {
            int bottom = Math.min(top + TILE, lastRow);
            for (int left = firstColumn; left < lastColumn; left += TILE) {
                int right = Math.min(left + TILE, lastColumn);
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
