package hocket.workbench.plot;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.FontMetrics;
import java.awt.Graphics2D;
import java.awt.geom.Line2D;
import java.util.List;
import org.knowm.xchart.style.markers.Marker;

/**
 * What stands above a chart: its title, and under it the legend in as many lines as it needs. XChart's own legend does
 * not break lines.
 *
 * @param title in bold
 * @param detail beside it, such as whose chart it is; may be empty
 * @param entries of the legend
 */
record Caption(String title, String detail, List<Entry> entries) {
    private static final Font BOLD = new Font(Font.SANS_SERIF, Font.BOLD, 14);
    private static final Font PLAIN = new Font(Font.SANS_SERIF, Font.PLAIN, 14);
    private static final Font SMALL = new Font(Font.SANS_SERIF, Font.PLAIN, 12);

    private static final int MARGIN = 16;
    private static final int TITLE = 36;
    private static final int LINE = 19;
    private static final int SAMPLE = 22; // the length of a line in the legend
    private static final int GAP = 6;

    /**
     * A line and what it means.
     *
     * @param marker in its middle
     * @param stroke of width 0 for words alone
     */
    record Entry(String label, Color colour, BasicStroke stroke, Marker marker) {
        int width(FontMetrics metrics) {
            return sample() + metrics.stringWidth(label) + 3 * GAP;
        }

        private int sample() {
            return stroke.getLineWidth() > 0 ? SAMPLE + GAP : 0;
        }
    }

    /** Paints it from the origin. Gives how much height it took. */
    int paint(Graphics2D graphics, int width) {
        graphics.setPaint(Palette.INK);
        graphics.setFont(BOLD);
        graphics.drawString(title, MARGIN, TITLE - 12);
        int after = MARGIN + graphics.getFontMetrics().stringWidth(title) + 10;
        graphics.setFont(PLAIN);
        graphics.setPaint(Palette.QUIET);
        graphics.drawString(detail, after, TITLE - 12);
        graphics.setFont(SMALL);
        FontMetrics metrics = graphics.getFontMetrics();
        int x = MARGIN;
        int y = TITLE;
        for (Entry entry : entries) {
            if (x > MARGIN && x + entry.width(metrics) > width) {
                x = MARGIN;
                y += LINE;
            }
            paint(entry, graphics, x, y + LINE / 2);
            x += entry.width(metrics);
        }
        return y + LINE + 2;
    }

    private static void paint(Entry entry, Graphics2D graphics, int x, int middle) {
        if (entry.sample() > 0) {
            graphics.setPaint(entry.colour());
            graphics.setStroke(entry.stroke());
            graphics.draw(new Line2D.Double(x, middle, x + SAMPLE, middle));
            entry.marker().paint(graphics, x + SAMPLE / 2.0, middle, Panel.MARKER);
        }
        graphics.setPaint(entry.sample() > 0 ? Palette.INK : Palette.QUIET);
        graphics.drawString(entry.label(), x + entry.sample(), middle + 4);
    }
}
