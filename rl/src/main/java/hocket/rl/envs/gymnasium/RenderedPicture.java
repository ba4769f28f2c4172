package hocket.rl.envs.gymnasium;

import java.awt.Graphics2D;
import java.awt.image.BufferedImage;
import java.nio.ByteBuffer;

/** A picture that an environment renders in Python, {@code render_mode="rgb_array"}. */
record RenderedPicture(BufferedImage image) {
    /** Receives a picture: height, width, and the red, green and blue bytes of each pixel. */
    static RenderedPicture receive(PythonWorker from) {
        int height = from.bytes(Integer.BYTES).getInt();
        int width = from.bytes(Integer.BYTES).getInt();
        ByteBuffer pixels = from.bytes(3 * width * height);
        BufferedImage image = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
        for (int i = 0; i < width * height; i++) {
            int rgb = (pixels.get() & 0xff) << 16 | (pixels.get() & 0xff) << 8 | pixels.get() & 0xff;
            image.setRGB(i % width, i / width, rgb);
        }
        return new RenderedPicture(image);
    }

    /** Draws this in the middle, as large as it fits. */
    void draw(Graphics2D graphics, int width, int height) {
        double scale = Math.min((double) width / image.getWidth(), (double) height / image.getHeight());
        int across = (int) (image.getWidth() * scale);
        int down = (int) (image.getHeight() * scale);
        graphics.drawImage(image, (width - across) / 2, (height - down) / 2, across, down, null);
    }
}
