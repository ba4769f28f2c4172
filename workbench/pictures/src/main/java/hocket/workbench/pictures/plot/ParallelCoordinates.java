package hocket.workbench.pictures.plot;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.FontMetrics;
import java.awt.Graphics2D;
import java.awt.geom.Line2D;
import java.awt.geom.Path2D;
import java.awt.geom.Rectangle2D;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.knowm.xchart.style.markers.SeriesMarkers;

/**
 * Lines through parallel axes, one for each setting and a last one for the objective, which also gives the colour: dark
 * is worse, bright is better. Lines without an objective are grey and end before its axis.
 *
 * @param title the title above it
 * @param objective the name of the last axis
 * @param larger whether larger values are better
 * @param axes the axes of the settings, in order, at least one
 * @param lines the lines, the best first
 */
public record ParallelCoordinates(String title, String objective, boolean larger, List<Axis> axes, List<Line> lines)
        implements Picture {
    /** Colours from worse to better: viridis (Smith and van der Walt, 2015), which keeps its order in grey and for colour-blind eyes. */
    private static final Color[] GRADED = {
        new Color(0x44, 0x01, 0x54),
        new Color(0x46, 0x33, 0x7E),
        new Color(0x36, 0x5C, 0x8D),
        new Color(0x27, 0x7F, 0x8E),
        new Color(0x1F, 0xA1, 0x87),
        new Color(0x4A, 0xC1, 0x6D),
        new Color(0x9F, 0xDA, 0x3A),
        new Color(0xE8, 0xC8, 0x10) // ends before viridis does, whose yellow is too light for a line on white
    };

    private static final int LEFT = 70;
    private static final int RIGHT = 100;
    private static final int TOP = 34;
    private static final int BOTTOM = 22;
    private static final int BAR = 10;
    private static final int APART = 120;
    private static final int LETTER = 8; // the width of an axis's name, with a gap
    private static final int NARROWEST = 720;
    private static final int HEIGHT = 420;
    private static final int TICKS = 6;
    private static final int TICK = 4;

    private static final BasicStroke AXIS = ChartStyle.round(1);
    private static final BasicStroke THIN = ChartStyle.round(1.3f);
    private static final BasicStroke BOLD = ChartStyle.round(3.2f);
    private static final BasicStroke DASHED =
            new BasicStroke(1.1f, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND, 1, new float[] {4, 4}, 0);

    /**
     * An axis.
     *
     * @param least value at the lower end
     * @param greatest value at the upper end
     * @param names names of evenly spaced values from the lower end; empty for numbers
     */
    public record Axis(
            String name, double least, double greatest, boolean logarithmic, boolean whole, List<String> names) {
        /** Creates an axis of numbers. */
        public static Axis numbered(String name, double least, double greatest, boolean logarithmic, boolean whole) {
            return new Axis(name, least, greatest, logarithmic, whole, List.of());
        }

        /** Creates an axis of names. */
        public static Axis named(String name, List<String> names) {
            return new Axis(name, 0, Math.max(1, names.size() - 1), false, true, List.copyOf(names));
        }

        /** Returns the position of a value: 0 at the lower end, 1 at the upper. */
        double place(String value) {
            return place(names.isEmpty() ? Double.parseDouble(value) : names.indexOf(value));
        }

        double place(double value) {
            double place = logarithmic
                    ? (Math.log(value) - Math.log(least)) / (Math.log(greatest) - Math.log(least))
                    : (value - least) / (greatest - least);
            return names.size() == 1 ? 0.5 : place;
        }

        /** Returns the ticks of the axis. */
        List<Tick> ticks() {
            return ticks(TICKS);
        }

        /** Returns at most some ticks of the axis, and one for each name. */
        List<Tick> ticks(int most) {
            if (!names.isEmpty()) {
                List<Tick> ticks = new ArrayList<>();
                names.forEach(each -> ticks.add(new Tick(place(each), each)));
                return ticks;
            }
            List<Double> values = new Ticks(least, greatest, logarithmic, whole).values(most);
            List<String> texts = Ticks.texts(values);
            return IntStream.range(0, values.size())
                    .mapToObj(i -> new Tick(place(values.get(i)), texts.get(i)))
                    .toList();
        }
    }

    /** A tick: a position on an axis and its label. */
    record Tick(double place, String text) {}

    /**
     * A line.
     *
     * @param label its name
     * @param values a value for each axis
     * @param objective the result; NaN if there is none
     * @param isPruned whether the trial was stopped early
     */
    public record Line(String label, List<String> values, double objective, boolean isPruned) {
        boolean isJudged() {
            return Double.isFinite(objective);
        }
    }

    /**
     * Draws the chart as SVG and PNG, replacing existing files.
     *
     * @param name name of the files, without an extension
     * @param folder the folder, which must exist
     * @return the files
     * @throws IllegalStateException if this machine cannot draw text
     * @throws java.io.UncheckedIOException if a file cannot be written
     */
    public List<Path> write(String name, Path folder) {
        FontSupport.require();
        return new PictureFiles(name, this).write(folder);
    }

    @Override
    public int width() {
        int longest = axes.stream().mapToInt(axis -> axis.name().length()).max().orElse(0);
        return Math.max(NARROWEST, LEFT + RIGHT + Math.max(APART, LETTER * longest) * axes.size());
    }

    @Override
    public int height() {
        return HEIGHT;
    }

    @Override
    public String described() {
        return title + ": " + lines.size() + " trials, " + objective + " by "
                + String.join(", ", axes.stream().map(Axis::name).toList());
    }

    @Override
    public void paint(Graphics2D graphics, int width, int height) {
        int above = new Caption(title, lines.size() + " trials", legend()).paint(graphics, width);
        Frame frame = new Frame(
                new Rectangle2D.Double(LEFT, above + TOP, width - LEFT - RIGHT, height - above - TOP - BOTTOM),
                axes.size());
        List<Line> worstFirst = new ArrayList<>(lines);
        Collections.reverse(worstFirst);
        worstFirst.sort(Comparator.comparing(Line::isJudged));
        for (Line line : worstFirst) {
            paint(graphics, frame, line);
        }
        for (int i = 0; i < axes.size(); i++) {
            paint(graphics, frame, axes.get(i), i);
        }
        paintObjective(graphics, frame);
    }

    /** The geometry of the chart. */
    private record Frame(Rectangle2D place, int last) {
        double x(int axis) {
            return place.getX() + place.getWidth() * axis / last;
        }

        double y(double share) {
            return place.getMaxY() - share * place.getHeight();
        }
    }

    private Axis objectiveAxis() {
        Extent values =
                Extent.of(Stream.of(lines.stream().mapToDouble(Line::objective).toArray()));
        Extent shown = values.roomy(0);
        return Axis.numbered(objective, shown.least(), shown.greatest(), false, false);
    }

    private Color colour(double place) {
        return Palette.along(larger ? place : 1 - place, GRADED);
    }

    private void paint(Graphics2D graphics, Frame frame, Line line) {
        Axis of = objectiveAxis();
        Path2D path = new Path2D.Double();
        int count = line.isJudged() ? axes.size() + 1 : axes.size();
        for (int i = 0; i < count; i++) {
            double x = frame.x(i);
            double y = frame.y(i < axes.size() ? axes.get(i).place(line.values().get(i)) : of.place(line.objective()));
            if (i == 0) {
                path.moveTo(x, y);
            } else {
                double middle = (frame.x(i - 1) + x) / 2;
                path.curveTo(middle, path.getCurrentPoint().getY(), middle, y, x, y);
            }
        }
        boolean isBest = line.isJudged() && line == lines.get(0);
        graphics.setPaint(line.isJudged() ? colour(of.place(line.objective())) : Palette.QUIET);
        graphics.setStroke(isBest ? BOLD : line.isJudged() && !line.isPruned() ? THIN : DASHED);
        graphics.draw(path);
    }

    private void paint(Graphics2D graphics, Frame frame, Axis axis, int number) {
        double x = frame.x(number);
        graphics.setPaint(Palette.INK);
        graphics.setStroke(AXIS);
        graphics.draw(new Line2D.Double(x, frame.y(0), x, frame.y(1)));
        centred(graphics, axis.name(), x, frame.y(1) - 16);
        for (Tick tick : axis.ticks()) {
            double y = frame.y(tick.place());
            graphics.setStroke(AXIS);
            graphics.setPaint(Palette.INK);
            graphics.draw(new Line2D.Double(x - TICK, y, x, y));
            onWhite(graphics, tick.text(), x - TICK - 3, y);
        }
    }

    private void paintObjective(Graphics2D graphics, Frame frame) {
        Axis of = objectiveAxis();
        double x = frame.x(axes.size());
        int steps = (int) frame.place().getHeight();
        for (int i = 0; i < steps; i++) {
            graphics.setPaint(colour((i + 0.5) / steps));
            graphics.fill(new Rectangle2D.Double(
                    x, frame.y((i + 1.0) / steps), BAR, frame.place().getHeight() / steps + 0.5));
        }
        centred(graphics, objective, x, frame.y(1) - 16);
        graphics.setFont(ChartStyle.TICKS);
        for (Tick tick : of.ticks()) {
            double y = frame.y(tick.place());
            graphics.setPaint(Palette.INK);
            graphics.fill(new Rectangle2D.Double(x + BAR, y - 0.5, TICK, 1));
            graphics.drawString(tick.text(), (float) x + BAR + TICK + 3, (float) y + 4);
        }
    }

    private static void centred(Graphics2D graphics, String text, double x, double y) {
        graphics.setFont(ChartStyle.SMALL.deriveFont(Font.BOLD));
        graphics.setPaint(Palette.INK);
        int width = graphics.getFontMetrics().stringWidth(text);
        graphics.drawString(text, (float) (x - width / 2.0), (float) y);
    }

    /** Draws a label to the left of a position, over the lines. */
    private static void onWhite(Graphics2D graphics, String text, double x, double y) {
        graphics.setFont(ChartStyle.TICKS);
        FontMetrics metrics = graphics.getFontMetrics();
        int width = metrics.stringWidth(text);
        graphics.setPaint(new Color(255, 255, 255, 200));
        graphics.fill(new Rectangle2D.Double(x - width - 1, y - 7, width + 2, 14));
        graphics.setPaint(Palette.INK);
        graphics.drawString(text, (float) x - width, (float) y + 4);
    }

    private List<Caption.Entry> legend() {
        List<Caption.Entry> entries = new ArrayList<>();
        Line best = lines.get(0);
        if (best.isJudged()) {
            entries.add(entry(
                    "best: " + best.label() + ", " + objective + " " + Ticks.text(best.objective()),
                    colour(objectiveAxis().place(best.objective())),
                    BOLD));
        }
        long pruned = lines.stream().filter(Line::isPruned).count();
        long failed = lines.stream().filter(line -> !line.isJudged()).count();
        if (pruned > 0) {
            entries.add(entry(pruned + " ended early", colour(0.5), DASHED));
        }
        if (failed > 0) {
            entries.add(entry(failed + " without a result", Palette.QUIET, DASHED));
        }
        entries.add(new Caption.Entry("colour: " + objective + (larger ? ", larger" : ", smaller") + " is better"));
        return entries;
    }

    private static Caption.Entry entry(String label, Color colour, BasicStroke stroke) {
        return new Caption.Entry(label, colour, stroke, SeriesMarkers.NONE);
    }
}
