package hocket.rl.envs;

import java.awt.Graphics2D;
import java.awt.image.BufferedImage;

/** Pictures of environments. Needs no screen. */
public final class Picture {
    private Picture() {}

    /**
     * An environment as it is now.
     *
     * @param width in pixels
     * @param height in pixels
     */
    public static BufferedImage of(Environment environment, int width, int height) {
        BufferedImage picture = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
        Graphics2D graphics = picture.createGraphics();
        environment.draw(graphics, width, height);
        graphics.dispose();
        return picture;
    }
}
