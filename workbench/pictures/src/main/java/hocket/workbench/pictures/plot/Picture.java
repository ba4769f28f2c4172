package hocket.workbench.pictures.plot;

import java.awt.Graphics2D;

/** A drawing that can be painted. */
interface Picture {
    /** Returns its width. */
    int width();

    /** Returns its height. */
    int height();

    /** Returns a description for readers who cannot see it. */
    String described();

    /** Draws the picture into a rectangle from the origin. */
    void paint(Graphics2D graphics, int width, int height);
}
