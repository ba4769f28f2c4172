package hocket.workbench.plot;

import java.awt.Graphics2D;

/** What can be drawn. */
interface Picture {
    /** How wide it is. */
    int width();

    /** How high it is. */
    int height();

    /** What is to be seen, for who cannot see it. */
    String described();

    /** Draws it into a rectangle from the origin. */
    void paint(Graphics2D graphics, int width, int height);
}
