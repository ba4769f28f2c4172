package hocket.workbench.pictures.plot;

import hocket.workbench.pictures.plot.ParallelCoordinates.Axis;
import java.awt.BasicStroke;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.geom.Ellipse2D;
import java.awt.geom.Line2D;
import java.awt.geom.Rectangle2D;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import org.knowm.xchart.style.markers.SeriesMarkers;

/**
 * The settings of a population over its intervals, a panel for each setting and a first one for the objective. A line
 * is a member; it jumps where the member copies another one, from the value of the copied one. The line that leads to
 * the best member is bold.
 *
 * @param title the title above it
 * @param best the name of the best member
 * @param axes the objective, then the settings
 * @param intervals number of intervals
 * @param spans the members of all intervals
 */
public record PopulationPlot(String title, String best, List<Axis> axes, int intervals, List<Span> spans)
        implements Picture {
    private static final int WIDTH = 720;
    private static final int PANEL = 120;
    private static final int LEFT = 80;
    private static final int RIGHT = 24;
    private static final int TOP = 26; // the name of a panel
    private static final int BELOW = 34; // numbers of intervals
    private static final int CAPTION = 60;
    private static final int TICKS = 4;
    private static final int MOST_NUMBERS = 20;
    private static final double DOT = 5;
    private static final BasicStroke THIN = ChartStyle.round(1.1f);
    private static final BasicStroke BOLD = ChartStyle.round(2.8f);

    /**
     * A member during an interval.
     *
     * @param interval from 0 on
     * @param before places in the panels from which its line comes, as in {@link #places}; empty in the first interval
     * @param places its place in each panel, 0 at the lower end and 1 at the upper; empty if the member failed
     * @param isCopy whether it begins the interval as a copy
     * @param isOfBest whether it led to the best member
     */
    public record Span(
            int interval, List<OptionalDouble> before, List<OptionalDouble> places, boolean isCopy, boolean isOfBest) {}

    /** Returns the place of a value on an axis, from 0 at the lower end to 1 at the upper one. */
    public static double place(Axis axis, String value) {
        return axis.place(value);
    }

    /** Returns an axis that holds all values. */
    public static Axis around(String name, double[] values) {
        Extent shown = Extent.of(Stream.of(values)).roomy(0);
        return Axis.numbered(name, shown.least(), shown.greatest(), false, false);
    }

    /**
     * Draws the chart as SVG and PNG, replacing existing files. Throws as {@link ParallelCoordinates#write}.
     *
     * @return the files
     */
    public List<Path> write(String name, Path folder) {
        FontSupport.require();
        return new PictureFiles(name, this).write(folder);
    }

    @Override
    public int width() {
        return WIDTH;
    }

    @Override
    public int height() {
        return CAPTION + axes.size() * (TOP + PANEL) + BELOW;
    }

    @Override
    public String described() {
        return title + ": " + String.join(", ", axes.stream().map(Axis::name).toList()) + " over " + intervals
                + " intervals";
    }

    @Override
    public void paint(Graphics2D graphics, int width, int height) {
        int above = new Caption(title, intervals + " intervals", legend()).paint(graphics, width);
        for (int i = 0; i < axes.size(); i++) {
            Rectangle2D place =
                    new Rectangle2D.Double(LEFT, above + TOP + i * (TOP + PANEL), width - LEFT - RIGHT, PANEL - 8);
            paintGrid(graphics, place, axes.get(i));
            for (Span span : spans) {
                paint(graphics, place, i, span, false);
            }
            for (Span span : spans) {
                paint(graphics, place, i, span, true);
            }
        }
        paintNumbers(graphics, width, above + axes.size() * (TOP + PANEL) + 8);
    }

    private double x(Rectangle2D place, int boundary) {
        return place.getX() + place.getWidth() * boundary / intervals;
    }

    private static double y(Rectangle2D place, double share) {
        return place.getMaxY() - share * place.getHeight();
    }

    /** The objective is known at an interval's end, to which a line leads; a setting holds during the interval. */
    private void paint(Graphics2D graphics, Rectangle2D place, int axis, Span span, boolean best) {
        OptionalDouble here = span.places().get(axis);
        if (span.isOfBest() != best || here.isEmpty()) {
            return;
        }
        graphics.setPaint(best ? Palette.line(0) : Palette.QUIET);
        graphics.setStroke(best ? BOLD : THIN);
        double from = x(place, span.interval());
        double to = x(place, span.interval() + 1);
        double y = y(place, here.getAsDouble());
        OptionalDouble before =
                span.before().isEmpty() ? OptionalDouble.empty() : span.before().get(axis);
        if (axis == 0) {
            before.ifPresentOrElse(
                    share -> graphics.draw(new Line2D.Double(from, y(place, share), to, y)),
                    () -> graphics.fill(new Ellipse2D.Double(to - 1, y - 1, 2, 2)));
        } else {
            before.ifPresent(share -> graphics.draw(new Line2D.Double(from, y(place, share), from, y)));
            graphics.draw(new Line2D.Double(from, y, to, y));
            if (span.isCopy()) {
                graphics.fill(new Ellipse2D.Double(from - DOT / 2, y - DOT / 2, DOT, DOT));
            }
        }
    }

    private void paintGrid(Graphics2D graphics, Rectangle2D place, Axis axis) {
        graphics.setFont(ChartStyle.SMALL.deriveFont(Font.BOLD));
        graphics.setPaint(Palette.INK);
        graphics.drawString(axis.name(), (float) place.getX(), (float) place.getY() - 7);
        graphics.setFont(ChartStyle.TICKS);
        for (ParallelCoordinates.Tick tick : axis.ticks(TICKS)) {
            double y = y(place, tick.place());
            graphics.setPaint(Palette.GRID);
            graphics.setStroke(THIN);
            graphics.draw(new Line2D.Double(place.getX(), y, place.getMaxX(), y));
            graphics.setPaint(Palette.INK);
            int size = graphics.getFontMetrics().stringWidth(tick.text());
            graphics.drawString(tick.text(), (float) place.getX() - size - 6, (float) y + 4);
        }
    }

    private void paintNumbers(Graphics2D graphics, int width, int y) {
        int every = (intervals + MOST_NUMBERS - 1) / MOST_NUMBERS;
        graphics.setFont(ChartStyle.TICKS);
        graphics.setPaint(Palette.INK);
        for (int interval = 0; interval < intervals; interval += every) {
            String text = Integer.toString(interval + 1);
            double middle = LEFT + (interval + 0.5) * (width - LEFT - RIGHT) / intervals;
            int size = graphics.getFontMetrics().stringWidth(text);
            graphics.drawString(text, (float) (middle - size / 2.0), y + 4f);
        }
        graphics.setFont(ChartStyle.SMALL);
        graphics.drawString("interval", LEFT, y + 20);
    }

    private List<Caption.Entry> legend() {
        List<Caption.Entry> entries = new ArrayList<>();
        entries.add(new Caption.Entry("led to " + best, Palette.line(0), BOLD, SeriesMarkers.NONE));
        entries.add(new Caption.Entry("others", Palette.QUIET, THIN, SeriesMarkers.NONE));
        entries.add(new Caption.Entry("a copy", Palette.QUIET, ChartStyle.round(0), SeriesMarkers.CIRCLE));
        return entries;
    }
}
