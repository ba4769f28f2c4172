package hocket.workbench.pictures.plot;

import java.awt.Color;

/**
 * Colours for numbers of two signs, from blue by white to red: ColorBrewer's RdBu with its ends exchanged, which people
 * with colour-blindness tell apart.
 *
 * @param shown which numbers the ends stand for; those beyond are drawn as the nearest
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

    /** White is zero where there are numbers of both signs, else the middle between the least and the greatest. */
    static DivergingColours over(Extent numbers) {
        double largest = Math.max(-numbers.least(), numbers.greatest());
        boolean bothSigns = numbers.least() < 0 && numbers.greatest() > 0;
        Extent shown = bothSigns ? new Extent(-largest, largest) : numbers;
        return new DivergingColours(shown.size() > 0 ? shown : shown.roomy(0));
    }

    /** A number's colour; grey for what is no number. */
    Color of(double number) {
        if (Double.isNaN(number)) {
            return NOWHERE;
        }
        return Palette.along((number - shown.least()) / shown.size(), COLOURS);
    }
}
