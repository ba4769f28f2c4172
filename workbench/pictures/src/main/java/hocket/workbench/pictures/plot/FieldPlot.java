package hocket.workbench.pictures.plot;

import hocket.schedulers.checkpoint.AtomicFile;
import hocket.schedulers.checkpoint.FileWork;
import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.geom.Ellipse2D;
import java.awt.geom.Rectangle2D;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.style.AxesChartStyler.TextAlignment;
import org.knowm.xchart.style.markers.Marker;

/**
 * Draws points of the plane over a network's output, such as a generator's samples over the discriminator's field; or
 * points alone. Both axes have the same scale.
 */
public final class FieldPlot {
    private static final int PIXELS = 2; // to a unit
    private static final int HEIGHT = 460;
    private static final int CAPTION = 56;
    private static final int BAR = 14;
    private static final int BAR_ROOM = 70; // with and without a bar, because all pictures of a film have one size

    private static final Dot REAL = new Dot(2.2, Palette.INK, false);
    private static final Dot DRAWN = new Dot(4, new Color(0xF0, 0xE4, 0x42), true); // Okabe and Ito's yellow

    /** A point; XChart's have no rim. */
    private static final class Dot extends Marker {
        private static final BasicStroke RIM = new BasicStroke(0.45f);

        private final double size;
        private final Color colour;
        private final boolean rimmed;

        Dot(double size, Color colour, boolean rimmed) {
            this.size = size;
            this.colour = colour;
            this.rimmed = rimmed;
        }

        @Override
        public void paint(Graphics2D graphics, double x, double y, int ignored) {
            Ellipse2D disc = new Ellipse2D.Double(x - size / 2, y - size / 2, size, size);
            graphics.setPaint(colour);
            graphics.fill(disc);
            if (rimmed) {
                graphics.setPaint(Palette.INK);
                graphics.setStroke(RIM);
                graphics.draw(disc);
            }
        }
    }

    private final ScalarField scalarField;
    private final DivergingColours colours;

    /** The power of ten by which all values are divided, so that the axes' numbers are short. */
    private final int power;

    private FieldPlot(ScalarField scalarField, int power) {
        this.scalarField = scalarField;
        this.power = power;
        this.colours = DivergingColours.over(scalarField.range());
    }

    /**
     * Draws and writes a PNG, replacing an existing one. White is zero if the field has both signs, else the middle of
     * its values; NaN is grey.
     *
     * @param png the file; its folder must exist
     * @param field row-major (rows, columns), from the bottom up: a value for the middle of each cell; without columns
     *     and rows only points are drawn
     * @param left the left edge of the first column, less than {@code right}, the right edge of the last one
     * @param bottom the lower edge of the first row, less than {@code top}, the upper edge of the last one
     * @param real points of the data, row-major (n, 2) of x and y; those out of bounds are omitted
     * @param drawn points from the generator, in the same form
     * @param output what the field is, for people; not shown without a field
     * @throws IllegalArgumentException if the sizes do not fit together
     * @throws IllegalStateException if this machine cannot draw letters
     * @throws UncheckedIOException if the file cannot be written
     */
    public static void write(
            Path png,
            float[] field,
            int columns,
            int rows,
            double left,
            double right,
            double bottom,
            double top,
            float[] real,
            float[] drawn,
            String output,
            String title) {
        if (real.length % 2 != 0 || drawn.length % 2 != 0) {
            throw new IllegalArgumentException("points of the plane have two numbers each, got " + real.length
                    + " numbers of real ones and " + drawn.length + " of drawn ones");
        }
        int power = ValueAxis.power(Math.max(right - left, top - bottom));
        FieldPlot plot = new FieldPlot(
                new ScalarField(field, columns, rows, extent(left, right, power), extent(bottom, top, power)), power);
        FontSupport.require();
        FileWork.make(
                png + " could not be written", () -> AtomicFile.write(png, plot.draw(real, drawn, output, title)));
    }

    private static Extent extent(double least, double greatest, int power) {
        return new Extent(ValueAxis.divided(least, power), ValueAxis.divided(greatest, power));
    }

    private byte[] draw(float[] real, float[] drawn, String output, String title) throws IOException {
        // the width of axes and labels is known only after they are drawn once
        Rectangle2D square = place(axes(HEIGHT));
        double wanted = square.getHeight()
                * scalarField.across().size()
                / scalarField.up().size();
        int width = HEIGHT + (int) Math.round(wanted - square.getWidth());
        List<Caption.Entry> entries = new ArrayList<>(
                List.of(entry(real.length / 2 + " real", REAL), entry(drawn.length / 2 + " drawn", DRAWN)));
        if (scalarField.isKnown()) {
            entries.add(new Caption.Entry("colour: " + output));
        }
        Caption caption = new Caption(title, "", entries);
        return PictureFiles.png(width + BAR_ROOM, HEIGHT + CAPTION, graphics -> {
            caption.paint(graphics, width + BAR_ROOM);
            graphics.translate(0, CAPTION);
            paint(graphics, width, real, drawn);
        });
    }

    private static Caption.Entry entry(String label, Dot dot) {
        return new Caption.Entry(label, Palette.INK, ChartStyle.round(0), dot);
    }

    private void paint(Graphics2D graphics, int width, float[] real, float[] drawn) {
        Rectangle2D place = place(axes(width));
        if (scalarField.isKnown()) {
            fill(graphics, place, (x, y) -> colours.of(scalarField.at(x, y)));
        }
        axes(width).paint(graphics, width, HEIGHT);
        paintPoints(graphics, place, drawn, DRAWN);
        paintPoints(graphics, place, real, REAL); // smaller, so that both are seen
        if (scalarField.isKnown()) {
            paintBar(graphics, place);
        }
    }

    /** Returns empty axes. */
    private XYChart axes(int width) {
        XYChart axes = new XYChart(width, HEIGHT);
        ChartStyle.apply(axes.getStyler());
        axes.setXAxisTitle(ValueAxis.title("x", power));
        axes.setYAxisTitle(ValueAxis.title("y", power));
        axes.getStyler()
                .setPlotGridLinesVisible(false)
                .setYAxisTickMarkSpacingHint(axes.getStyler().getXAxisTickMarkSpacingHint())
                .setYAxisDecimalPattern("0.###")
                .setYAxisLabelAlignment(TextAlignment.Right);
        ChartStyle.bound(axes, scalarField.across(), scalarField.up());
        return axes;
    }

    /** Returns the position of the field's bounds on the axes. */
    private Rectangle2D place(XYChart axes) {
        Graphics2D nowhere = new BufferedImage(1, 1, BufferedImage.TYPE_INT_RGB).createGraphics();
        axes.paint(nowhere, axes.getWidth(), axes.getHeight());
        nowhere.dispose();
        double left = axes.getScreenXFromChart(scalarField.across().least());
        double right = axes.getScreenXFromChart(scalarField.across().greatest());
        double top = axes.getScreenYFromChart(scalarField.up().greatest());
        double bottom = axes.getScreenYFromChart(scalarField.up().least());
        return new Rectangle2D.Double(left, top, right - left, bottom - top);
    }

    /** A colour for each position from (0, 0), the lower left corner, to (1, 1). */
    private interface Paint {
        Color at(double x, double y);
    }

    private static void fill(Graphics2D graphics, Rectangle2D place, Paint paint) {
        int width = (int) Math.round(PIXELS * place.getWidth());
        int height = (int) Math.round(PIXELS * place.getHeight());
        BufferedImage picture = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
        for (int y = 0; y < height; y++) {
            for (int x = 0; x < width; x++) {
                picture.setRGB(
                        x,
                        y,
                        paint.at((x + 0.5) / width, 1 - (y + 0.5) / height).getRGB());
            }
        }
        Graphics2D scaled = (Graphics2D) graphics.create();
        scaled.translate(place.getX(), place.getY());
        scaled.scale(place.getWidth() / width, place.getHeight() / height);
        scaled.drawImage(picture, 0, 0, null);
        scaled.dispose();
    }

    private void paintPoints(Graphics2D graphics, Rectangle2D place, float[] points, Dot dot) {
        for (int i = 0; i < points.length; i += 2) {
            double x = place.getX()
                    + (ValueAxis.divided(points[i], power)
                                    - scalarField.across().least())
                            / scalarField.across().size()
                            * place.getWidth();
            double y = place.getMaxY()
                    - (ValueAxis.divided(points[i + 1], power)
                                    - scalarField.up().least())
                            / scalarField.up().size()
                            * place.getHeight();
            if (place.contains(x, y)) {
                dot.paint(graphics, x, y, 0);
            }
        }
    }

    private void paintBar(Graphics2D graphics, Rectangle2D place) {
        double left = place.getMaxX() + BAR;
        Extent shown = colours.shown();
        fill(
                graphics,
                new Rectangle2D.Double(left, place.getY(), BAR, place.getHeight()),
                (x, y) -> colours.of(shown.least() + shown.size() * y));
        graphics.setPaint(Palette.INK);
        graphics.setFont(ChartStyle.TICKS);
        for (int i = 0; i <= 4; i++) {
            double y = place.getMaxY() - place.getHeight() * i / 4;
            graphics.fill(new Rectangle2D.Double(left + BAR, y - 0.5, 4, 1));
            graphics.drawString(
                    Ticks.shortly(shown.least() + shown.size() * i / 4), (float) left + BAR + 7, (float) y + 4);
        }
    }
}
