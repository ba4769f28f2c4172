package hocket.workbench.pictures.plot;

import java.awt.Color;

/**
 * Colours for numbers of two signs, from blue by white to red: ColorBrewer's RdBu with its ends exchanged, which is
 * safe for colour-blind readers.
 *
 * @param shown the numbers at both ends; numbers beyond are drawn as the nearest end
 */
record DivergingColours(Extent shown) {
    private static final Color NOWHERE = new Color(0xBB, 0xBB, 0xBB);
    private static final Color[] COLOURS = {
        new Color(0x21, 0x66, 0xAC),
        new Color(0x67, 0xA9, 0xCF),
        new Color(0xD1, 0xE5, 0xF0),
        new Color(0xF7, 0xF7, 0xF7),
        new Color(0xFD, 0xDB, 0xC7),
        new Color(0xEF, 0x8A, 0x62),
        new Color(0xB2, 0x18, 0x2B)
    };

    /** Returns colours with white at zero if there are numbers of both signs, else in the middle of the range. */
    static DivergingColours over(Extent numbers) {
        double largest = Math.max(-numbers.least(), numbers.greatest());
        boolean bothSigns = numbers.least() < 0 && numbers.greatest() > 0;
        Extent shown = bothSigns ? new Extent(-largest, largest) : numbers;
        return new DivergingColours(shown.size() > 0 ? shown : shown.roomy(0));
    }

    /** Returns the colour of a number; grey for NaN. */
    Color of(double number) {
        if (Double.isNaN(number)) {
            return NOWHERE;
        }
        return Palette.along((number - shown.least()) / shown.size(), COLOURS);
    }
}
