package hocket.rl.envs.wrappers;

import hocket.rl.envs.Environment;
import hocket.scopes.Shape;

/**
 * A wrapper that makes pictures smaller by means over areas, as OpenCV's {@code INTER_AREA} and so Gymnasium's {@code
 * ResizeObservation}; rounded to whole numbers where the picture is of bytes.
 */
public final class Resize extends PictureWrapper {
    private final int channels;
    private final int fromHeight;
    private final int fromWidth;
    private final int toHeight;
    private final int toWidth;
    private final boolean isChannelLast;
    private final double[] rows;
    private final double[] columns;

    /**
     * Wraps an environment.
     *
     * @param height of the pictures; they keep their axes
     * @throws IllegalArgumentException if observations are no pictures, or are smaller
     */
    public Resize(Environment inner, int height, int width) {
        super(inner, smaller(inner, height, width));
        Shape shape = picture(inner).shape();
        isChannelLast = isChannelLast(shape);
        int first = shape.rank() == 2 || isChannelLast ? 0 : 1;
        fromHeight = shape.get(first);
        fromWidth = shape.get(first + 1);
        channels = shape.size() / fromHeight / fromWidth;
        toHeight = height;
        toWidth = width;
        rows = shares(fromHeight, toHeight);
        columns = shares(fromWidth, toWidth);
    }

    /** A last axis of at most 4 is that of channels, unless the first axis is shorter. */
    private static boolean isChannelLast(Shape shape) {
        return shape.rank() == 3 && shape.get(2) <= Math.min(4, shape.get(0));
    }

    private static Shape smaller(Environment inner, int height, int width) {
        Shape shape = picture(inner).shape();
        boolean isLast = isChannelLast(shape);
        int first = shape.rank() == 2 || isLast ? 0 : 1;
        if (shape.get(first) < height || shape.get(first + 1) < width) {
            throw new IllegalArgumentException(inner.name() + ": pictures are made smaller only, to " + height + "×"
                    + width + ", observations are " + shape);
        }
        Shape plain = Shape.of(height, width);
        return shape.rank() == 2 ? plain : isLast ? Shape.of(height, width, shape.get(2)) : plain.prepend(shape.get(0));
    }

    /** Returns the share of each of n cells in each of m wider ones, m rows of n that sum to 1. */
    private static double[] shares(int from, int to) {
        double[] shares = new double[to * from];
        double wide = (double) from / to;
        for (int i = 0; i < to; i++) {
            for (int k = 0; k < from; k++) {
                double overlap = Math.min((i + 1) * wide, k + 1) - Math.max(i * wide, k);
                shares[i * from + k] = Math.max(0, overlap) / wide;
            }
        }
        return shares;
    }

    @Override
    void change(float[] before, float[] after) {
        for (int c = 0; c < channels; c++) {
            for (int y = 0; y < toHeight; y++) {
                for (int x = 0; x < toWidth; x++) {
                    double mean = mean(before, c, y, x);
                    after[place(c, y, x, toHeight, toWidth)] = (float) (isOfBytes() ? Math.rint(mean) : mean);
                }
            }
        }
    }

    private double mean(float[] before, int c, int y, int x) {
        int top = (int) ((long) y * fromHeight / toHeight);
        int left = (int) ((long) x * fromWidth / toWidth);
        double sum = 0;
        for (int v = top; v < fromHeight && v * (long) toHeight < (y + 1L) * fromHeight; v++) {
            double row = 0;
            for (int u = left; u < fromWidth && u * (long) toWidth < (x + 1L) * fromWidth; u++) {
                row += columns[x * fromWidth + u] * before[place(c, v, u, fromHeight, fromWidth)];
            }
            sum += rows[y * fromHeight + v] * row;
        }
        return sum;
    }

    private int place(int c, int y, int x, int height, int width) {
        return isChannelLast ? (y * width + x) * channels + c : (c * height + y) * width + x;
    }
}
