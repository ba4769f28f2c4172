package hocket.gan.data;

/**
 * Resizes an image: the largest centred part of the right proportions, resampled by a triangle filter, first along
 * rows, then along columns. At its own size an image is unchanged.
 *
 * <p>Source: Pillow 13, {@code ImageOps.fit} and {@code src/libImaging/Resample.c}, in float instead of bytes.
 */
final class ImageResizing {
    private ImageResizing() {}

    /**
     * Writes one image, pixels in -1..1, row-major (channels, height, width).
     *
     * @param out takes the image from index {@code start}
     */
    static void into(DecodedImage picture, int channels, int height, int width, float[] out, int start) {
        double reduction = Math.min((double) picture.height() / height, (double) picture.width() / width);
        Filter down = Filter.of(picture.height(), height, reduction);
        Filter across = Filter.of(picture.width(), width, reduction);
        int top = down.first[0];
        int rows = down.first[height - 1] + down.weights[height - 1].length - top;
        float[][] narrow = new float[channels][rows * width];
        float[][] row = new float[channels][picture.width()];
        for (int y = 0; y < rows; y++) {
            picture.row(top + y, row);
            for (int c = 0; c < channels; c++) {
                for (int x = 0; x < width; x++) {
                    narrow[c][y * width + x] = across.apply(x, row[c], 0, 1);
                }
            }
        }
        int at = start;
        for (int c = 0; c < channels; c++) {
            for (int y = 0; y < height; y++) {
                for (int x = 0; x < width; x++) {
                    float value = down.apply(y, narrow[c], x - top * width, width);
                    out[at++] = Math.max(-1, Math.min(1, 2 * value - 1));
                }
            }
        }
    }

    /** The first input of each output position and the weights from there on, which sum to 1. */
    private static final class Filter {
        final int[] first;
        final double[][] weights;

        private Filter(int[] first, double[][] weights) {
            this.first = first;
            this.weights = weights;
        }

        /** Makes the filter from the middle {@code to * reduction} of {@code from} samples to {@code to} samples. */
        static Filter of(int from, int to, double reduction) {
            int[] first = new int[to];
            double[][] weights = new double[to][];
            double offset = (from - to * reduction) / 2;
            double support = Math.max(reduction, 1);
            for (int i = 0; i < to; i++) {
                double centre = offset + (i + 0.5) * reduction;
                int start = (int) Math.max(0, centre - support + 0.5);
                int end = (int) Math.min(from, centre + support + 0.5);
                first[i] = start;
                weights[i] = triangle(start, end, centre, support);
            }
            return new Filter(first, weights);
        }

        private static double[] triangle(int start, int end, double centre, double support) {
            double[] weights = new double[end - start];
            double sum = 0;
            for (int k = 0; k < weights.length; k++) {
                weights[k] = Math.max(0, 1 - Math.abs(start + k + 0.5 - centre) / support);
                sum += weights[k];
            }
            for (int k = 0; k < weights.length; k++) {
                weights[k] /= sum;
            }
            return weights;
        }

        /**
         * Computes output i of an axis whose samples are in {@code in} from {@code origin} on, {@code stride} apart.
         */
        float apply(int i, float[] in, int origin, int stride) {
            double sum = 0;
            int at = origin + first[i] * stride;
            for (double weight : weights[i]) {
                sum += weight * in[at];
                at += stride;
            }
            return (float) sum;
        }
    }
}
