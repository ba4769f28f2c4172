package hocket.workbench.plot;

import java.awt.Graphics2D;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.imageio.IIOImage;
import javax.imageio.ImageIO;
import javax.imageio.ImageTypeSpecifier;
import javax.imageio.ImageWriter;
import javax.imageio.metadata.IIOInvalidTreeException;
import javax.imageio.metadata.IIOMetadata;
import javax.imageio.metadata.IIOMetadataNode;
import javax.imageio.stream.MemoryCacheImageOutputStream;

/** A run's sample grids one after another: an animated GIF that begins anew when it ends. */
public final class SampleFilm {
    private static final Pattern GRID = Pattern.compile("(?:epoch|round)-(\\d+)\\.png");

    // in hundredths of a second, as GIF counts
    private static final int WHOLE = 600;
    private static final int SHORTEST = 8;
    private static final int LONGEST = 50;
    private static final int LAST = 200;

    private SampleFilm() {}

    /**
     * Makes a film of a run's grids {@code epoch-*.png} or {@code round-*.png} in their order, 6 seconds long where that
     * lets each be seen for 0.08 to 0.5 seconds; the last stays for 2 seconds.
     *
     * @param samples the folder of the grids
     * @param file where to, over what is there
     * @return the file; empty if there are fewer than two grids
     * @throws IllegalArgumentException if a grid is no picture, or is not as large as the first; the message names it
     * @throws UncheckedIOException if a file cannot be read or written
     */
    public static Optional<Path> write(Path samples, Path file) {
        try {
            List<Path> grids = grids(samples);
            if (grids.size() < 2) {
                return Optional.empty();
            }
            Files.write(file, film(grids));
            return Optional.of(file);
        } catch (IOException e) {
            throw new UncheckedIOException(file + " could not be made: " + e.getMessage(), e);
        }
    }

    private static List<Path> grids(Path samples) throws IOException {
        if (!Files.isDirectory(samples)) {
            return List.of();
        }
        try (Stream<Path> entries = Files.list(samples)) {
            return entries.filter(entry -> number(entry) >= 0)
                    .sorted(Comparator.comparingLong(SampleFilm::number).thenComparing(Comparator.naturalOrder()))
                    .toList();
        }
    }

    /** A grid's; -1 for other files. */
    private static long number(Path grid) {
        Matcher matcher = GRID.matcher(String.valueOf(grid.getFileName()));
        return matcher.matches() ? Long.parseLong(matcher.group(1)) : -1;
    }

    private static byte[] film(List<Path> grids) throws IOException {
        List<BufferedImage> frames = new ArrayList<>();
        for (Path grid : grids) {
            BufferedImage frame = ImageIO.read(grid.toFile());
            if (frame == null) {
                throw new IllegalArgumentException(grid + " is no picture");
            }
            frames.add(frame);
            BufferedImage first = frames.get(0);
            if (frame.getWidth() != first.getWidth() || frame.getHeight() != first.getHeight()) {
                throw new IllegalArgumentException(grid + " is " + size(frame) + ", and " + grids.get(0) + " "
                        + size(first) + ": a film's pictures are of one size");
            }
        }
        int delay = Math.max(SHORTEST, Math.min(LONGEST, WHOLE / frames.size()));
        ImageWriter writer = ImageIO.getImageWritersByFormatName("gif").next();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (MemoryCacheImageOutputStream out = new MemoryCacheImageOutputStream(bytes)) {
            writer.setOutput(out);
            writer.prepareWriteSequence(null);
            for (int i = 0; i < frames.size(); i++) {
                BufferedImage frame = indexed(frames.get(i));
                int shown = i == frames.size() - 1 ? LAST : delay;
                writer.writeToSequence(new IIOImage(frame, null, timing(writer, frame, shown, i == 0)), null);
            }
            writer.endWriteSequence();
        } finally {
            writer.dispose();
        }
        return bytes.toByteArray();
    }

    private static String size(BufferedImage image) {
        return image.getWidth() + " x " + image.getHeight();
    }

    /** Grey pictures keep every level; colours are brought down to what GIF holds by the writer. */
    private static BufferedImage indexed(BufferedImage image) {
        boolean grey = image.getRaster().getNumBands() == 1;
        BufferedImage copy = new BufferedImage(
                image.getWidth(), image.getHeight(), grey ? BufferedImage.TYPE_BYTE_GRAY : BufferedImage.TYPE_INT_RGB);
        Graphics2D graphics = copy.createGraphics();
        graphics.drawImage(image, 0, 0, null);
        graphics.dispose();
        return copy;
    }

    private static IIOMetadata timing(ImageWriter writer, BufferedImage frame, int hundredths, boolean first)
            throws IIOInvalidTreeException {
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
            loop.setUserObject(new byte[] {1, 0, 0}); // for ever
            IIOMetadataNode extensions = new IIOMetadataNode("ApplicationExtensions");
            extensions.appendChild(loop);
            root.appendChild(extensions);
        }
        metadata.setFromTree(format, root);
        return metadata;
    }
}
