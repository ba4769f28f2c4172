package hocket.workbench.plot;

import java.awt.Color;

/** Colours from worse to better: viridis (Smith and van der Walt, 2015), which keeps its order in grey and for colour-blind eyes. */
final class Graded {
    private static final Color[] COLOURS = {
        new Color(0x44, 0x01, 0x54),
        new Color(0x46, 0x33, 0x7E),
        new Color(0x36, 0x5C, 0x8D),
        new Color(0x27, 0x7F, 0x8E),
        new Color(0x1F, 0xA1, 0x87),
        new Color(0x4A, 0xC1, 0x6D),
        new Color(0x9F, 0xDA, 0x3A),
        new Color(0xE8, 0xC8, 0x10) // darker than viridis ends: its yellow is too light for a line on white
    };

    private Graded() {}

    /** The colour at a share, the worst at 0 and the best at 1. */
    static Color of(double share) {
        double place = Math.max(0, Math.min(1, share)) * (COLOURS.length - 1);
        int below = (int) Math.min(place, COLOURS.length - 2);
        return Palette.mixed(COLOURS[below], COLOURS[below + 1], place - below);
    }
}
