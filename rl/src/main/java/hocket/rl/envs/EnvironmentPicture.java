package hocket.rl.envs;

import java.awt.Graphics2D;
import java.awt.image.BufferedImage;

/** Draws environments into images, without a screen. */
public final class EnvironmentPicture {
    private EnvironmentPicture() {}

    /**
     * Draws the current state of an environment.
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
