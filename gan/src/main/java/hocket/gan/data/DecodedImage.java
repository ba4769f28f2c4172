package hocket.gan.data;

import java.awt.color.ColorSpace;
import java.awt.image.BufferedImage;
import java.awt.image.ColorModel;
import java.awt.image.DataBuffer;
import java.awt.image.IndexColorModel;
import java.awt.image.Raster;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.imageio.ImageIO;
import javax.imageio.ImageReader;
import javax.imageio.stream.ImageInputStream;
import javax.imageio.stream.MemoryCacheImageInputStream;
import org.jspecify.annotations.Nullable;

/**
 * A decoded image file. Samples are read from the raster as stored, because {@code BufferedImage.getRGB} changes grey
 * values: Java treats grey as linear light. Without {@code Graphics2D} this needs no display and gives the same bits
 * everywhere.
 */
final class DecodedImage {
    /** The maximum number of pixels; larger images are refused by their header, before they are decoded. */
    static final long MOST_PIXELS = 1L << 26;

    private static final long MOST_BYTES = 1L << 28;

    /**
     * The maximum number of pixels of a byte of a PNG: deflate compresses 1032 bytes into one, and a byte holds 8
     * pixels.
     */
    private static final long MOST_PIXELS_A_BYTE_OF_PNG = 8 * 1032;

    /** The maximum number of pixels of a byte of a JPEG: a block of 8 x 8 pixels takes at least one bit. */
    private static final long MOST_PIXELS_A_BYTE_OF_JPEG = 8 * 64;

    private final Raster raster;
    private final float @Nullable [][] palette; // by index: red, green, blue in 0..1

    /** Whether any pixel is not opaque; transparency is ignored. */
    final boolean transparent;

    private DecodedImage(BufferedImage image, float @Nullable [][] palette) {
        this.raster = image.getRaster();
        this.palette = palette;
        this.transparent = isTransparent(image);
    }

    /**
     * Decodes a PNG or JPEG file.
     *
     * @throws IOException if it cannot be read
     * @throws DataException if it is neither, is not complete, has more than 2^26 pixels or more than its bytes can
     *     hold, or the decoder refuses or corrects it
     */
    static DecodedImage read(Path file) throws IOException {
        if (Files.size(file) > MOST_BYTES) {
            throw new DataException(
                    file, "is " + Files.size(file) + " bytes, an image file may have at most " + MOST_BYTES);
        }
        return decode(file.toString(), Files.readAllBytes(file));
    }

    static DecodedImage decode(String name, byte[] file) {
        String format = ImageFileVerification.formatOf(name, file);
        ImageReader reader = ImageIO.getImageReadersByFormatName(format).next();
        try (ImageInputStream in = new MemoryCacheImageInputStream(new ByteArrayInputStream(file))) {
            reader.setInput(in, true, true);
            reader.addIIOReadWarningListener((source, warning) -> refuse(name, warning));
            long pixels = Math.multiplyFull(reader.getWidth(0), reader.getHeight(0));
            if (pixels > MOST_PIXELS) {
                throw new DataException(
                        name,
                        "is " + reader.getHeight(0) + " x " + reader.getWidth(0) + " (height x width), that is "
                                + pixels + " pixels; at most " + MOST_PIXELS + " are decoded");
            }
            long held = file.length * (format.equals("png") ? MOST_PIXELS_A_BYTE_OF_PNG : MOST_PIXELS_A_BYTE_OF_JPEG);
            if (pixels > held) {
                throw new DataException(
                        name,
                        "is " + reader.getHeight(0) + " x " + reader.getWidth(0) + " (height x width), that is "
                                + pixels + " pixels; its " + file.length + " bytes cannot hold more than " + held);
            }
            return of(name, reader.read(0));
        } catch (DataException e) {
            throw e;
        } catch (IOException | RuntimeException e) { // on broken files the decoders throw whatever comes
            throw new DataException(name, "cannot be decoded: " + e, e);
        } finally {
            reader.dispose();
        }
    }

    int height() {
        return raster.getHeight();
    }

    int width() {
        return raster.getWidth();
    }

    /**
     * Reads a row of samples in 0..1.
     *
     * @param y the row
     * @param out an array of at least {@link #width()} values for each channel, 1 or 3
     */
    void row(int y, float[][] out) {
        int colours = palette != null || raster.getNumBands() >= 3 ? 3 : 1;
        float[][] from = new float[colours][];
        if (palette != null) {
            int[] indices = raster.getSamples(0, y, width(), 1, 0, (int[]) null);
            for (int c = 0; c < colours; c++) {
                from[c] = new float[width()];
                for (int x = 0; x < width(); x++) {
                    from[c][x] = palette[indices[x]][c];
                }
            }
        } else {
            for (int c = 0; c < colours; c++) {
                from[c] = raster.getSamples(0, y, width(), 1, c, (float[]) null);
                float most = (1 << raster.getSampleModel().getSampleSize(c)) - 1;
                for (int x = 0; x < width(); x++) {
                    from[c][x] /= most;
                }
            }
        }
        convert(from, out, width());
    }

    /** Returns whether any sample is not grey. */
    boolean isColoured() {
        if (palette == null && raster.getNumBands() < 3) {
            return false;
        }
        float[][] row = new float[3][width()];
        for (int y = 0; y < height(); y++) {
            row(y, row);
            for (int x = 0; x < width(); x++) {
                if (row[0][x] != row[1][x] || row[1][x] != row[2][x]) {
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean isTransparent(BufferedImage image) {
        ColorModel colours = image.getColorModel();
        if (!colours.hasAlpha()) {
            return false;
        }
        IndexColorModel indexed = colours instanceof IndexColorModel model ? model : null;
        Raster from = indexed != null ? image.getRaster() : image.getAlphaRaster();
        int opaque = (1 << colours.getComponentSize(colours.getNumComponents() - 1)) - 1;
        int[] row = new int[image.getWidth()];
        for (int y = 0; y < image.getHeight(); y++) {
            for (int sample : from.getSamples(0, y, row.length, 1, 0, row)) {
                if ((indexed != null ? indexed.getAlpha(sample) : sample) != opaque) {
                    return true;
                }
            }
        }
        return false;
    }

    private static void convert(float[][] from, float[][] out, int width) {
        if (from.length == 3 && out.length == 1) {
            for (int x = 0; x < width; x++) {
                out[0][x] = grey(from[0][x], from[1][x], from[2][x]);
            }
        } else {
            for (int c = 0; c < out.length; c++) {
                System.arraycopy(from[Math.min(c, from.length - 1)], 0, out[c], 0, width);
            }
        }
    }

    /** Converts a colour to grey by ITU-R 601; three equal samples give exactly that grey. */
    private static float grey(float red, float green, float blue) {
        return red == green && green == blue ? red : 0.299f * red + 0.587f * green + 0.114f * blue;
    }

    private static DecodedImage of(String name, BufferedImage image) {
        if (image.getColorModel() instanceof IndexColorModel indexed) {
            float[][] palette = new float[1 << indexed.getPixelSize()][3]; // black beyond the colours there are
            for (int i = 0; i < indexed.getMapSize(); i++) {
                palette[i][0] = indexed.getRed(i) / 255f;
                palette[i][1] = indexed.getGreen(i) / 255f;
                palette[i][2] = indexed.getBlue(i) / 255f;
            }
            return new DecodedImage(image, palette);
        }
        int colours = image.getColorModel().getColorSpace().getType();
        if (colours != ColorSpace.TYPE_GRAY && colours != ColorSpace.TYPE_RGB) {
            throw new DataException(
                    name,
                    "is in " + (colours == ColorSpace.TYPE_CMYK ? "CMYK" : "colour space type " + colours)
                            + "; grey and RGB pictures are read");
        }
        int type = image.getRaster().getDataBuffer().getDataType();
        if (type != DataBuffer.TYPE_BYTE && type != DataBuffer.TYPE_USHORT) {
            throw new DataException(
                    name, "has samples in Java's buffer type " + type + "; 8 and 16 bits a sample are read");
        }
        return new DecodedImage(image, null);
    }

    /**
     * Refuses a file whose decoder warned, as decoders continue after errors. Warnings about ignored data (a profile)
     * are harmless.
     */
    private static void refuse(String name, String warning) {
        if (!warning.contains("ignored")) {
            throw new DataException(name, "the decoder found it broken: " + warning);
        }
    }
}
