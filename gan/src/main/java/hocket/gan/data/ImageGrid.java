package hocket.gan.data;

import hocket.schedulers.checkpoint.AtomicFile;
import hocket.schedulers.checkpoint.DiskFailureText;
import java.awt.image.BufferedImage;
import java.awt.image.WritableRaster;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Arrays;
import javax.imageio.ImageIO;
import javax.imageio.ImageWriter;
import javax.imageio.stream.MemoryCacheImageOutputStream;

/**
 * Draws many images in a grid, row by row. Pixels are enlarged without smoothing, so that images of 8 x 8 are visible.
 *
 * @param columns images in a row, at least 1
 * @param padding picture pixels between images and around them, at least 0
 * @param scale picture pixels along a side of an image's pixel, at least 1
 * @param strip images of a strip, which a gap separates from the next one in its row; 0 without gaps
 * @param first the number of images at the beginning of a strip that a narrower gap separates from its others; 0 without
 */
public record ImageGrid(int columns, int padding, int scale, int strip, int first) {
    private static final int GAP = 14; // between strips
    private static final int NARROW = 6;

    private static final long MOST_PIXELS = DecodedImage.MOST_PIXELS; // what can be read back

    /** The grey, 0..255, of padding and of cells without an image. */
    private static final int BACKGROUND = 64;

    /** @throws IllegalArgumentException if a number is below its minimum */
    public ImageGrid {
        if (columns < 1 || padding < 0 || scale < 1) {
            throw new IllegalArgumentException("a grid needs columns >= 1, padding >= 0 and scale >= 1, got " + columns
                    + ", " + padding + " and " + scale);
        }
        if (strip < 0 || first < 0 || first > strip || strip > 0 && columns % strip != 0) {
            throw new IllegalArgumentException("a grid of " + columns + " columns has no strips of " + strip
                    + " images of which " + first + " stand apart");
        }
    }

    /** A grid without gaps. */
    public ImageGrid(int columns, int padding, int scale) {
        this(columns, padding, scale, 0, 0);
    }

    /**
     * Draws images.
     *
     * @param pixels row-major (N, channels, height, width), N at least 1, -1 is black and 1 white; values outside are
     *     clipped, and NaN is black
     * @param channels 1 for grey, 3 for red, green, blue
     * @param height rows of an image
     * @param width columns of an image
     * @return a picture, {@code padding + columns * (width * scale + padding)} pixels and the gaps wide (less if N is less
     *     than columns); its height follows the same formula for rows
     * @throws IllegalArgumentException if channels is neither 1 nor 3, pixels is not a positive multiple of an image,
     *     or the picture would have more than 2^26 pixels
     */
    public BufferedImage draw(float[] pixels, int channels, int height, int width) {
        if (channels != 1 && channels != 3) {
            throw new IllegalArgumentException("a grid draws images of 1 or 3 channels, got " + channels);
        }
        int count = Images.owning(channels, height, width, pixels).count();
        requireFits(count, height, width);
        int across = Math.min(columns, count);
        int pictureWidth = (int) side(across, width) + gaps(across - 1);
        int pictureHeight = (int) side((count + across - 1) / across, height);
        BufferedImage picture = new BufferedImage(
                pictureWidth,
                pictureHeight,
                channels == 1 ? BufferedImage.TYPE_BYTE_GRAY : BufferedImage.TYPE_3BYTE_BGR);
        WritableRaster raster = picture.getRaster();
        int[] background = new int[pictureWidth * channels];
        Arrays.fill(background, BACKGROUND);
        for (int y = 0; y < pictureHeight; y++) {
            raster.setPixels(0, y, pictureWidth, 1, background);
        }
        for (int i = 0; i < count; i++) {
            int left = (int) side(i % across, width) + gaps(i % across);
            int top = (int) side(i / across, height);
            drawOne(pixels, i, channels, height, width, raster, left, top);
        }
        return picture;
    }

    /**
     * Checks that a picture of a number of images is not too large.
     *
     * @param height rows of an image
     * @param width columns of an image
     * @throws IllegalArgumentException if it would have more than 2^26 pixels
     */
    public void requireFits(long count, int height, int width) {
        int across = (int) Math.min(columns, count);
        long pictureWidth = side(across, width) + gaps(across - 1);
        long pictureHeight = side((count + across - 1) / across, height);
        if (pictureWidth > MOST_PIXELS || pictureHeight > MOST_PIXELS || pictureWidth * pictureHeight > MOST_PIXELS) {
            throw new IllegalArgumentException("a grid may have at most " + MOST_PIXELS + " pixels, " + count
                    + " images would make " + pictureHeight + " x " + pictureWidth + " (height x width)");
        }
    }

    /** Returns the width of the gaps to the left of a column. */
    private int gaps(int column) {
        if (strip == 0) {
            return 0;
        }
        int narrow = first == 0 ? 0 : column / strip + (column % strip >= first ? 1 : 0);
        return column / strip * GAP + narrow * NARROW;
    }

    /** Returns the pixels from a side of the picture to the image after some. */
    private long side(long images, int size) {
        return padding + images * ((long) size * scale + padding);
    }

    /**
     * Draws images and writes the picture as PNG, replacing a file that is there.
     *
     * @param file where to; its folder must exist
     * @param pixels as for {@link #draw}
     * @throws IllegalArgumentException as {@link #draw}
     * @throws UncheckedIOException if the file cannot be written; the message names it
     */
    public void write(Path file, float[] pixels, int channels, int height, int width) {
        byte[] png = png(pixels, channels, height, width);
        try {
            AtomicFile.write(file, png);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write the picture " + file + ": " + DiskFailureText.ofWriting(e), e);
        }
    }

    /**
     * Draws images; returns the bytes of a PNG file.
     *
     * @param pixels as for {@link #draw}
     * @throws IllegalArgumentException as {@link #draw}
     */
    public byte[] png(float[] pixels, int channels, int height, int width) {
        BufferedImage picture = draw(pixels, channels, height, width);
        ImageWriter writer = ImageIO.getImageWritersByFormatName("png").next();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (MemoryCacheImageOutputStream out = new MemoryCacheImageOutputStream(bytes)) {
            writer.setOutput(out);
            writer.write(picture);
            out.flush();
            return bytes.toByteArray();
        } catch (IOException e) {
            throw new UncheckedIOException("a picture could not be encoded: " + e.getMessage(), e); // in memory
        } finally {
            writer.dispose();
        }
    }

    private void drawOne(
            float[] pixels, int image, int channels, int height, int width, WritableRaster raster, int left, int top) {
        int at = image * channels * height * width;
        int[] square = new int[scale * scale];
        for (int c = 0; c < channels; c++) {
            for (int y = 0; y < height; y++) {
                for (int x = 0; x < width; x++) {
                    Arrays.fill(square, Math.round((Math.max(-1, Math.min(1, pixels[at++])) + 1) * 127.5f));
                    raster.setSamples(left + x * scale, top + y * scale, scale, scale, c, square);
                }
            }
        }
    }
}
