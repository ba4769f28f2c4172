package hocket.rl.envs;

import hocket.schedulers.checkpoint.WholeFile;
import java.awt.Graphics2D;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import javax.imageio.IIOImage;
import javax.imageio.ImageIO;
import javax.imageio.ImageTypeSpecifier;
import javax.imageio.ImageWriter;
import javax.imageio.metadata.IIOMetadata;
import javax.imageio.metadata.IIOMetadataNode;
import javax.imageio.stream.ImageOutputStream;
import javax.imageio.stream.MemoryCacheImageOutputStream;

/** Pictures of environments: single ones, or an animated GIF, a frame a call, that runs for ever. Needs no screen. */
public final class Animation implements AutoCloseable {
    private static final String FORMAT = "javax_imageio_gif_image_1.0";

    private final ImageWriter writer;
    private final Path file;
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final ImageOutputStream stream = new MemoryCacheImageOutputStream(bytes);
    private final int width;
    private final int height;
    private final int hundredths;

    private Animation(Path file, int width, int height, int hundredths) throws IOException {
        this.writer = ImageIO.getImageWritersByFormatName("gif").next();
        this.file = file;
        this.width = width;
        this.height = height;
        this.hundredths = hundredths;
        writer.setOutput(stream);
        writer.prepareWriteSequence(null);
    }

    /**
     * Begins a GIF.
     *
     * @param file is written when this is closed, over what is there
     * @param width of the frames in pixels
     * @param height of the frames in pixels
     * @param seconds how long each frame is shown, rounded to hundredths; most viewers want at least 0.02
     * @throws IOException if its folder is not there
     */
    public static Animation gif(Path file, int width, int height, double seconds) throws IOException {
        Path folder = file.toAbsolutePath().getParent();
        if (folder == null || !Files.isDirectory(folder)) {
            throw new NoSuchFileException(String.valueOf(folder));
        }
        return new Animation(file, width, height, (int) Math.round(seconds * 100));
    }

    /** An environment as it is now. */
    public static BufferedImage picture(Environment environment, int width, int height) {
        BufferedImage picture = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
        Graphics2D graphics = picture.createGraphics();
        environment.draw(graphics, width, height);
        graphics.dispose();
        return picture;
    }

    /**
     * Writes a PNG of an environment as it is now.
     *
     * @throws IOException if the file cannot be written
     */
    public static void png(Environment environment, Path file, int width, int height) throws IOException {
        ByteArrayOutputStream png = new ByteArrayOutputStream();
        ImageIO.write(picture(environment, width, height), "png", png);
        WholeFile.write(file, png.toByteArray());
    }

    /**
     * Adds an environment as it is now.
     *
     * @throws IOException if it is closed
     */
    public void add(Environment environment) throws IOException {
        BufferedImage frame = picture(environment, width, height);
        IIOMetadata metadata = writer.getDefaultImageMetadata(new ImageTypeSpecifier(frame), null);
        IIOMetadataNode root = (IIOMetadataNode) metadata.getAsTree(FORMAT);
        IIOMetadataNode control = child(root, "GraphicControlExtension");
        control.setAttribute("disposalMethod", "none");
        control.setAttribute("userInputFlag", "FALSE");
        control.setAttribute("transparentColorFlag", "FALSE");
        control.setAttribute("delayTime", Integer.toString(hundredths));
        control.setAttribute("transparentColorIndex", "0");
        IIOMetadataNode repeat = new IIOMetadataNode("ApplicationExtension");
        repeat.setAttribute("applicationID", "NETSCAPE");
        repeat.setAttribute("authenticationCode", "2.0");
        repeat.setUserObject(new byte[] {1, 0, 0});
        child(root, "ApplicationExtensions").appendChild(repeat);
        metadata.setFromTree(FORMAT, root);
        writer.writeToSequence(new IIOImage(frame, null, metadata), null);
    }

    private static IIOMetadataNode child(IIOMetadataNode root, String name) {
        for (int i = 0; i < root.getLength(); i++) {
            if (root.item(i).getNodeName().equals(name)) {
                return (IIOMetadataNode) root.item(i);
            }
        }
        IIOMetadataNode added = new IIOMetadataNode(name);
        root.appendChild(added);
        return added;
    }

    /** @throws IOException if the file cannot be written; then what was there is as it was */
    @Override
    public void close() throws IOException {
        try {
            writer.endWriteSequence();
        } finally {
            stream.close();
            writer.dispose();
        }
        WholeFile.write(file, bytes.toByteArray());
    }
}
