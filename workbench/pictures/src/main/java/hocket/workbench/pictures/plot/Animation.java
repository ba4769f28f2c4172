package hocket.workbench.pictures.plot;

import java.awt.Graphics2D;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import javax.imageio.IIOImage;
import javax.imageio.ImageIO;
import javax.imageio.ImageTypeSpecifier;
import javax.imageio.ImageWriter;
import javax.imageio.metadata.IIOInvalidTreeException;
import javax.imageio.metadata.IIOMetadata;
import javax.imageio.metadata.IIOMetadataNode;
import javax.imageio.stream.MemoryCacheImageOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * Writes pictures as an animated GIF that loops. A picture is written when the next one is added, so only one is in
 * memory. Close it after use.
 */
public final class Animation implements AutoCloseable {
    /** A frame that has not been written yet. */
    private record Frame(BufferedImage image, int hundredths) {}

    /** The shortest frame; most programs show shorter ones for a tenth of a second. */
    private static final int SHORTEST = 2;

    private static final float MILLISECONDS_A_HUNDREDTH = 10;

    private final int last;
    private final ImageWriter writer =
            ImageIO.getImageWritersByFormatName("gif").next();
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final MemoryCacheImageOutputStream out = new MemoryCacheImageOutputStream(bytes);
    private @Nullable Frame waiting;
    private int frames;
    private boolean begun;

    /** Returns a time in hundredths of a second, as GIF counts, at least 1. */
    public static int hundredths(int milliseconds) {
        return Math.max(1, Math.round(milliseconds / MILLISECONDS_A_HUNDREDTH));
    }

    /** @param last duration of the last picture, in hundredths of a second */
    public Animation(int last) {
        this.last = last;
        writer.setOutput(out);
        try {
            writer.prepareWriteSequence(null);
        } catch (IOException e) {
            throw new UncheckedIOException("memory can be written to", e);
        }
    }

    /** Returns whether a picture has the size of the first. */
    boolean fits(BufferedImage image) {
        return waiting == null
                || (waiting.image().getWidth() == image.getWidth()
                        && waiting.image().getHeight() == image.getHeight());
    }

    /** Returns the size of the pictures, for people. */
    String size() {
        return waiting == null ? "of no size yet" : size(waiting.image());
    }

    static String size(BufferedImage image) {
        return image.getWidth() + " x " + image.getHeight();
    }

    /** Returns the number of pictures. */
    public int frames() {
        return frames;
    }

    /**
     * Adds a picture; the image may be changed afterwards.
     *
     * @param hundredths its duration in hundredths of a second, if another one follows; at least 2
     * @throws IllegalArgumentException if its size differs from the first
     */
    public void add(BufferedImage image, int hundredths) {
        if (!fits(image)) {
            throw new IllegalArgumentException("picture " + (frames + 1) + " is " + size(image) + ", and the first "
                    + size() + ": a film's pictures are of one size");
        }
        write(waiting);
        waiting = new Frame(copy(image), Math.max(SHORTEST, hundredths));
        frames++;
    }

    /** Returns the file. No picture can be added afterwards. */
    public byte[] bytes() {
        try {
            if (waiting != null) {
                write(new Frame(waiting.image(), last));
                waiting = null;
            }
            writer.endWriteSequence();
            out.flush();
        } catch (IOException e) {
            throw new UncheckedIOException("memory can be written to", e);
        }
        return bytes.toByteArray();
    }

    private void write(@Nullable Frame frame) {
        if (frame == null) {
            return;
        }
        try {
            IIOMetadata timing = timing(frame.image(), frame.hundredths(), !begun);
            begun = true;
            writer.writeToSequence(new IIOImage(frame.image(), null, timing), null);
        } catch (IOException e) {
            throw new UncheckedIOException("memory can be written to", e);
        }
    }

    @Override
    public void close() {
        writer.dispose();
        try {
            out.close();
        } catch (IOException e) {
            throw new UncheckedIOException("memory can be closed", e);
        }
    }

    /** Grey pictures keep every level; the writer reduces colours to GIF's palette. */
    private static BufferedImage copy(BufferedImage image) {
        boolean grey = image.getRaster().getNumBands() == 1;
        BufferedImage copy = new BufferedImage(
                image.getWidth(), image.getHeight(), grey ? BufferedImage.TYPE_BYTE_GRAY : BufferedImage.TYPE_INT_RGB);
        Graphics2D graphics = copy.createGraphics();
        graphics.drawImage(image, 0, 0, null);
        graphics.dispose();
        return copy;
    }

    private IIOMetadata timing(BufferedImage frame, int hundredths, boolean first) throws IIOInvalidTreeException {
        IIOMetadata metadata = writer.getDefaultImageMetadata(new ImageTypeSpecifier(frame), null);
        String format = metadata.getNativeMetadataFormatName();
        IIOMetadataNode root = (IIOMetadataNode) metadata.getAsTree(format);
        IIOMetadataNode control = new IIOMetadataNode("GraphicControlExtension");
        control.setAttribute("disposalMethod", "none");
        control.setAttribute("userInputFlag", "FALSE");
        control.setAttribute("transparentColorFlag", "FALSE");
        control.setAttribute("delayTime", Integer.toString(hundredths));
        control.setAttribute("transparentColorIndex", "0");
        root.appendChild(control);
        if (first) {
            IIOMetadataNode loop = new IIOMetadataNode("ApplicationExtension");
            loop.setAttribute("applicationID", "NETSCAPE");
            loop.setAttribute("authenticationCode", "2.0");
            loop.setUserObject(new byte[] {1, 0, 0}); // loops without end
            IIOMetadataNode extensions = new IIOMetadataNode("ApplicationExtensions");
            extensions.appendChild(loop);
            root.appendChild(extensions);
        }
        metadata.setFromTree(format, root);
        return metadata;
    }
}
