package hocket.workbench.pictures.plot;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.FontMetrics;
import java.awt.Graphics2D;
import java.awt.geom.Line2D;
import java.util.List;
import org.knowm.xchart.style.markers.Marker;
import org.knowm.xchart.style.markers.SeriesMarkers;

/**
 * The caption above a chart: its title, and below it the legend in as many lines as it needs. XChart's own legend does
 * not break lines.
 *
 * @param title the title, in bold
 * @param detail a text next to the title, such as the run's name; may be empty
 * @param entries the entries of the legend
 */
record Caption(String title, String detail, List<Entry> entries) {
    private static final int MARGIN = 16;
    private static final int TITLE = 36;
    private static final int LINE = 19;
    private static final int GAP = 6;
    private static final int SAMPLE = 22; // the length of a line in the legend

    /**
     * An entry: a line or a point, and its meaning. A text without either is grey.
     *
     * @param stroke the line; width 0 for none
     * @param marker the point, in the middle of the line if there is one
     */
    record Entry(String label, Color colour, BasicStroke stroke, Marker marker) {
        /** Creates an entry of text only. */
        Entry(String label) {
            this(label, Palette.QUIET, ChartStyle.round(0), SeriesMarkers.NONE);
        }

        private int sample() {
            return hasLine() ? SAMPLE : isWords() ? 0 : ChartStyle.MARKER;
        }

        private boolean hasLine() {
            return stroke.getLineWidth() > 0;
        }

        private boolean isWords() {
            return !hasLine() && marker.equals(SeriesMarkers.NONE);
        }

        private int text() {
            return isWords() ? 0 : sample() + GAP;
        }

        private int width(FontMetrics metrics) {
            return text() + metrics.stringWidth(label) + 3 * GAP;
        }

        private void paint(Graphics2D graphics, int x, int middle) {
            graphics.setPaint(colour);
            graphics.setStroke(stroke);
            if (hasLine()) {
                graphics.draw(new Line2D.Double(x, middle, x + SAMPLE, middle));
            }
            marker.paint(graphics, x + sample() / 2.0, middle, ChartStyle.MARKER);
            graphics.setPaint(isWords() ? Palette.QUIET : Palette.INK);
            graphics.drawString(label, x + text(), middle + 4);
        }
    }

    /** Paints the caption from the origin and returns its height. */
    int paint(Graphics2D graphics, int width) {
        graphics.setPaint(Palette.INK);
        graphics.setFont(ChartStyle.BOLD);
        String shown = ChartStyle.fitting(title, graphics.getFontMetrics(), width - 2 * MARGIN);
        graphics.drawString(shown, MARGIN, TITLE - 12);
        int after = MARGIN + graphics.getFontMetrics().stringWidth(shown) + 10;
        graphics.setFont(ChartStyle.PLAIN);
        graphics.setPaint(Palette.QUIET);
        graphics.drawString(
                ChartStyle.fitting(detail, graphics.getFontMetrics(), Math.max(0, width - MARGIN - after)),
                after,
                TITLE - 12);
        graphics.setFont(ChartStyle.SMALL);
        FontMetrics metrics = graphics.getFontMetrics();
        int x = MARGIN;
        int y = TITLE;
        for (Entry entry : entries) {
            if (x > MARGIN && x + entry.width(metrics) > width) {
                x = MARGIN;
                y += LINE;
            }
            entry.paint(graphics, x, y + LINE / 2);
            x += entry.width(metrics);
        }
        return y + LINE;
    }
}
