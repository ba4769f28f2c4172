package hocket.workbench.command.samples;

import hocket.gan.data.ImageGrid;
import hocket.programs.Session;
import hocket.schedulers.rings.Interpolation;
import hocket.schedulers.rings.Samples;
import hocket.scopes.Shape;
import hocket.workbench.terminal.NumberFormats;
import java.util.function.Consumer;
import java.util.function.IntFunction;

/**
 * Strips of rows, one for each sample that is asked for: the sample alone, a way from one sample to another, or a sample with
 * training rows.
 *
 * @param shape the shape of a row, that of a sample
 * @param length rows of a strip
 * @param apart how many rows at the beginning of a strip are shown apart from the others; 0 if none
 * @param drawing draws strips
 * @param described says what a number of strips are
 */
public record SampleStrips(Shape shape, int length, int apart, Drawing drawing, IntFunction<String> described) {
    private static final int WIDE = 800;
    private static final int LARGEST_PICTURE = 1 << 25;
    private static final int LARGEST_IMAGE = 56;

    /** Width by height of a picture of strips. */
    private static final double RATIO = 1.3;

    /** Draws strips. */
    @FunctionalInterface
    public interface Drawing {
        /** Draws strips in parts: whole rows, row-major. */
        void draw(Session session, int count, Consumer<float[]> takes);
    }

    /** Returns single samples. */
    public static SampleStrips single(Samples samples) {
        return new SampleStrips(
                samples.shape(),
                1,
                0,
                samples::draw,
                count -> NumberFormats.grouped(count) + (count == 1 ? " sample " : " samples ") + samples.shape());
    }

    /** Returns ways from one draw of the noise to another. */
    public static SampleStrips between(Interpolation interpolation) {
        Shape shape = interpolation.samples().shape();
        return new SampleStrips(
                shape,
                interpolation.steps(),
                0,
                interpolation::draw,
                count -> NumberFormats.counted(count, "row") + " of " + interpolation.steps() + " samples " + shape);
    }

    /** Returns the number of rows of some strips. */
    public long rows(int count) {
        return (long) count * length;
    }

    /** Returns the extents of a strip. */
    public int[] extents() {
        return length == 1 ? shape.extents() : shape.prepend(length).extents();
    }

    /** Returns the grid of a picture of images, about as high as wide. */
    public ImageGrid grid(int count) {
        int height = shape.get(1);
        int width = shape.get(2);
        int columns = length == 1
                ? (int) Math.ceil(Math.sqrt(count))
                : length
                        * Math.max(1, Math.min(count, (int)
                                Math.round(Math.sqrt(RATIO * count * height / (length * (double) width)))));
        int scale = (int) Math.max(1, Math.min(LARGEST_IMAGE / height, WIDE / ((long) columns * width)));
        while (scale > 1 && (double) rows(count) * height * width * scale * scale > LARGEST_PICTURE) {
            scale--;
        }
        return length == 1
                ? new ImageGrid(columns, Math.min(3, scale), scale)
                : new ImageGrid(columns, Math.min(3, scale), scale, length, apart);
    }
}
