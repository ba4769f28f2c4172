package hocket.workbench.pictures.plot;

import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import javax.imageio.ImageIO;

/** A picture as the bytes of a PNG file. */
public final class PngBytes {
    private PngBytes() {}

    /** Returns the bytes. */
    public static byte[] of(BufferedImage picture) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        ImageIO.write(picture, "png", bytes);
        return bytes.toByteArray();
    }
}
