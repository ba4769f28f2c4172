package hocket.workbench.pictures.plot;

import java.awt.Color;

/**
 * Colours that are safe for colour-blind readers: Okabe and Ito, Color Universal Design (2008), without their yellow,
 * which is too light for a line on white.
 */
final class Palette {
    static final Color INK = new Color(0x22, 0x22, 0x22);
    static final Color QUIET = new Color(0x99, 0x99, 0x99);
    static final Color GRID = new Color(0xE6, 0xE6, 0xE6);

    private static final double FAINT = 0.28;

    private static final Color[] LINES = {
        new Color(0x00, 0x72, 0xB2), // blue
        new Color(0xD5, 0x5E, 0x00), // vermilion
        new Color(0x00, 0x9E, 0x73), // bluish green
        new Color(0xCC, 0x79, 0xA7), // reddish purple
        new Color(0xE6, 0x9F, 0x00), // orange
        new Color(0x56, 0xB4, 0xE9), // sky blue
        new Color(0x00, 0x00, 0x00)
    };

    private Palette() {}

    /** Returns the colour of a line by its number; the colours repeat. */
    static Color line(int number) {
        return LINES[number % LINES.length];
    }

    /** Returns whether a line of that number has a colour of its own. */
    static boolean isFirstOfItsColour(int number) {
        return number < LINES.length;
    }

    /** Returns the light variant. It is opaque, because a transparent line is darker where it overlaps itself. */
    static Color faint(Color colour) {
        return mixed(Color.WHITE, colour, FAINT);
    }

    /** Returns the variant for areas that overlap: on white it looks like the light one. */
    static Color translucent(Color colour) {
        return new Color(colour.getRed(), colour.getGreen(), colour.getBlue(), (int) Math.round(FAINT * 255));
    }

    /** Returns the interpolated colour at a position from 0, the first colour, to 1, the last. */
    static Color along(double share, Color... colours) {
        double place = Math.max(0, Math.min(1, share)) * (colours.length - 1);
        int below = (int) Math.min(place, colours.length - 2);
        return mixed(colours[below], colours[below + 1], place - below);
    }

    private static Color mixed(Color from, Color to, double share) {
        return new Color(
                (int) Math.round(from.getRed() + share * (to.getRed() - from.getRed())),
                (int) Math.round(from.getGreen() + share * (to.getGreen() - from.getGreen())),
                (int) Math.round(from.getBlue() + share * (to.getBlue() - from.getBlue())));
    }
}
