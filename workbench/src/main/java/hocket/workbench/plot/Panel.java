package hocket.workbench.plot;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.XYStyler;
import org.knowm.xchart.style.lines.SeriesLines;
import org.knowm.xchart.style.markers.Marker;
import org.knowm.xchart.style.markers.SeriesMarkers;

/**
 * One chart.
 *
 * @param title stands above it
 * @param detail stands beside the title, such as the run's name; may be empty
 * @param across what the horizontal axis counts, one of it; shared by all curves
 * @param up what the vertical axis shows
 * @param look how its curves are drawn
 * @param reach where the horizontal axis begins and ends
 * @param curves in the order of their colours, at least one
 */
record Panel(String title, String detail, String across, String up, Look look, Extent reach, List<Curve> curves) {
    /** How curves are drawn. */
    enum Look {
        /** As recorded, faint, and a mean over it. */
        SMOOTHED,
        /** Likewise, over a logarithmic axis where they span more than two decades. */
        SMOOTHED_BY_SIZE,
        /** Points with lines between them. */
        POINTS
    }

    /** The size of a point. */
    static final int MARKER = 7;

    private static final double TWO_DECADES = 100;

    /** A curve of fewer points is drawn as it is: a mean would hide what little there is. */
    private static final int FEW = 20;

    /** How many means lie side by side in a chart. */
    private static final int MEANS = 30;

    private static final BasicStroke NONE = round(0);
    private static final BasicStroke THIN = round(1.1f);
    private static final BasicStroke BOLD = round(2);
    private static final Marker[] MARKERS = {
        SeriesMarkers.CIRCLE, SeriesMarkers.SQUARE, SeriesMarkers.DIAMOND, SeriesMarkers.TRIANGLE_UP
    };

    /** Draws it into a rectangle from the origin. */
    void paint(Graphics2D graphics, int width, int height) {
        XYChart chart = new XYChart(width, height);
        chart.setXAxisTitle(across);
        ValueAxis axis = ValueAxis.of(curves, isLogarithmic());
        chart.setYAxisTitle(axis.title(up));
        style(chart, axis);
        List<Curve> drawn = curves.stream().map(axis::fit).toList();
        if (isSmoothed()) {
            for (int i = 0; i < drawn.size(); i++) {
                add(chart, drawn.get(i), i, Palette.faint(Palette.line(i)), THIN);
            }
        }
        List<Caption.Entry> entries = new ArrayList<>();
        for (int i = 0; i < drawn.size(); i++) {
            Curve curve = isSmoothed() ? drawn.get(i).smoothed(reach.part(MEANS)) : drawn.get(i);
            boolean dotted = look == Look.POINTS || curve.x().length == 1;
            Marker marker = dotted ? MARKERS[i % MARKERS.length] : SeriesMarkers.NONE;
            add(chart, curve, i, Palette.line(i), stroke(i)).setMarker(marker).setMarkerColor(Palette.line(i));
            entries.add(new Caption.Entry(label(curve), Palette.line(i), stroke(i), marker));
        }
        if (isSmoothed()) {
            entries.add(new Caption.Entry(note(), Palette.QUIET, NONE, SeriesMarkers.NONE));
        }
        int above = new Caption(title, detail, entries).paint(graphics, width);
        graphics.translate(0, above);
        chart.paint(graphics, width, height - above);
        graphics.translate(0, -above);
    }

    /** Whether its vertical axis is. */
    boolean isLogarithmic() {
        Extent positive = Extent.of(curves.stream().map(Curve::positive).map(Curve::y));
        return look == Look.SMOOTHED_BY_SIZE
                && positive.least() > 0
                && positive.greatest() > TWO_DECADES * positive.least();
    }

    private boolean isSmoothed() {
        return look != Look.POINTS && curves.stream().anyMatch(curve -> curve.x().length >= FEW);
    }

    private String note() {
        double width = reach.part(MEANS);
        String number = width >= 1 ? String.format(Locale.ROOT, "%,.0f", width) : Double.toString((float) width);
        return "faint: as recorded, bold: mean over " + number + " " + across + (width == 1 ? "" : "s");
    }

    private static String label(Curve curve) {
        for (double value : curve.y()) {
            if (!Double.isNaN(value)) {
                return curve.label();
            }
        }
        return curve.label() + " (never finite)";
    }

    private static XYSeries add(XYChart chart, Curve curve, int number, Color colour, BasicStroke stroke) {
        // names must differ; they are not shown
        XYSeries series =
                chart.addSeries(curve.label() + " " + number + " " + stroke.getLineWidth(), curve.x(), curve.y());
        series.setMarker(SeriesMarkers.NONE).setLineColor(colour).setLineStyle(stroke);
        return series;
    }

    private static BasicStroke stroke(int number) {
        return Palette.isFirstOfItsColour(number)
                ? BOLD
                : new BasicStroke(2, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND, 1, new float[] {6, 4}, 0);
    }

    private static BasicStroke round(float width) {
        return new BasicStroke(width, BasicStroke.CAP_ROUND, BasicStroke.JOIN_ROUND);
    }

    private void style(XYChart chart, ValueAxis axis) {
        XYStyler styler = chart.getStyler();
        styler.setLocale(Locale.ENGLISH)
                .setChartBackgroundColor(Color.WHITE)
                .setChartFontColor(Palette.INK)
                .setChartPadding(10)
                .setChartTitleVisible(false)
                .setLegendVisible(false)
                .setPlotBackgroundColor(Color.WHITE)
                .setPlotBorderVisible(false)
                .setPlotContentSize(1)
                .setMarkerSize(MARKER);
        Extent roomy = reach.roomy(0.015);
        styler.setAxisTitleFont(new Font(Font.SANS_SERIF, Font.PLAIN, 12))
                .setAxisTickLabelsFont(new Font(Font.SANS_SERIF, Font.PLAIN, 11))
                .setAxisTickMarksColor(Palette.INK)
                .setAxisTickLabelsColor(Palette.INK)
                .setPlotGridLinesColor(Palette.GRID)
                .setPlotGridLinesStroke(round(0.8f))
                .setPlotGridVerticalLinesVisible(false)
                .setPlotMargin(0)
                .setXAxisDecimalPattern("#,##0.###")
                .setXAxisMin(roomy.least())
                .setXAxisMax(roomy.greatest());
        axis.style(styler, chart.getHeight());
        // XChart asks the curves, not the bounds it was given, whether there is anything between them
        Curve corners = new Curve("corners", new double[] {roomy.least(), roomy.greatest()}, new double[] {
            axis.shown().least(), axis.shown().greatest()
        });
        add(chart, corners, 0, Color.WHITE, SeriesLines.NONE);
    }
}
