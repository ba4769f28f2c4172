package hocket.workbench.plot;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.util.List;
import java.util.Locale;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.Styler.LegendLayout;
import org.knowm.xchart.style.Styler.LegendPosition;
import org.knowm.xchart.style.XYStyler;
import org.knowm.xchart.style.markers.Marker;
import org.knowm.xchart.style.markers.SeriesMarkers;

/**
 * One chart.
 *
 * @param title stands above it
 * @param across what the horizontal axis counts, shared by all curves
 * @param up what the vertical axis shows
 * @param look how its curves are drawn
 * @param reach where the horizontal axis begins and ends
 * @param curves in the order of their colours
 */
record Panel(String title, String across, String up, Look look, Extent reach, List<Curve> curves) {
    /** How curves are drawn. */
    enum Look {
        /** As recorded, faint, and a mean over it. */
        SMOOTHED,
        /** Likewise, over a logarithmic axis where they span more than two decades. */
        SMOOTHED_BY_SIZE,
        /** Points with lines between them. */
        POINTS
    }

    private static final double DECADES = 100;
    private static final BasicStroke THIN = round(1.1f);
    private static final BasicStroke BOLD = round(2f);

    private static BasicStroke round(float width, float... dashes) {
        return new BasicStroke(
                width, BasicStroke.CAP_ROUND, BasicStroke.JOIN_ROUND, 1, dashes.length == 0 ? null : dashes, 0);
    }

    /** Draws it into a rectangle from the origin. */
    void paint(Graphics2D graphics, int width, int height) {
        XYChart chart = new XYChart(width, height);
        chart.setTitle(title);
        chart.setXAxisTitle(across);
        chart.setYAxisTitle(up);
        style(chart.getStyler());
        boolean logarithmic = look == Look.SMOOTHED_BY_SIZE && spansDecades();
        List<Curve> drawn = logarithmic ? curves.stream().map(Curve::positive).toList() : curves;
        Extent values = Extent.of(drawn.stream().map(Curve::y));
        Extent shown = logarithmic ? values.roomyByFactor() : values.roomy();
        chart.getStyler()
                .setXAxisMin(reach.least())
                .setXAxisMax(reach.greatest())
                .setYAxisMin(shown.least())
                .setYAxisMax(shown.greatest())
                .setYAxisLogarithmic(logarithmic);
        add(chart, drawn);
        chart.paint(graphics, width, height);
    }

    private boolean spansDecades() {
        Extent positive = Extent.of(curves.stream().map(Curve::positive).map(Curve::y));
        return positive.greatest() > DECADES * positive.least();
    }

    private void add(XYChart chart, List<Curve> drawn) {
        int window = look == Look.POINTS
                ? 1
                : Curve.window(
                        drawn.stream().mapToInt(curve -> curve.x().length).max().orElse(0));
        if (window > 1) {
            for (int i = 0; i < drawn.size(); i++) {
                XYSeries recorded = add(chart, "recorded " + i, drawn.get(i), Palette.faint(Palette.line(i)), THIN);
                recorded.setShowInLegend(false);
            }
        }
        for (int i = 0; i < drawn.size(); i++) {
            Curve curve = drawn.get(i).smoothed(window);
            XYSeries line = add(chart, curve.label(), curve, Palette.line(i), stroke(i));
            if (look == Look.POINTS || curve.x().length == 1) {
                line.setMarker(marker(i)).setMarkerColor(Palette.line(i));
            }
        }
        if (window > 1) {
            Curve note = new Curve(
                    "mean of " + window + " points; faint: as recorded", new double[1], new double[] {Double.NaN});
            add(chart, note.label(), note, Palette.QUIET, BOLD);
        }
    }

    private static XYSeries add(XYChart chart, String name, Curve curve, Color colour, BasicStroke stroke) {
        XYSeries series = chart.addSeries(name, curve.x(), curve.y());
        series.setMarker(SeriesMarkers.NONE).setLineColor(colour).setLineStyle(stroke);
        return series;
    }

    private static BasicStroke stroke(int number) {
        return Palette.isFirstOfItsColour(number) ? BOLD : round(2, 6, 4);
    }

    private static Marker marker(int number) {
        Marker[] markers = {SeriesMarkers.CIRCLE, SeriesMarkers.SQUARE, SeriesMarkers.DIAMOND, SeriesMarkers.TRIANGLE_UP
        };
        return markers[number % markers.length];
    }

    private static void style(XYStyler styler) {
        styler.setLocale(Locale.ENGLISH)
                .setChartBackgroundColor(Color.WHITE)
                .setChartFontColor(Palette.INK)
                .setChartPadding(12)
                .setChartTitleFont(new Font(Font.SANS_SERIF, Font.PLAIN, 15))
                .setChartTitleBoxVisible(false)
                .setPlotBackgroundColor(Color.WHITE)
                .setPlotBorderVisible(false)
                .setPlotContentSize(1)
                .setLegendPosition(LegendPosition.OutsideS)
                .setLegendLayout(LegendLayout.Horizontal)
                .setLegendBorderColor(Color.WHITE)
                .setLegendFont(new Font(Font.SANS_SERIF, Font.PLAIN, 12))
                .setMarkerSize(7)
                .setAntiAlias(true);
        styler.setAxisTitleFont(new Font(Font.SANS_SERIF, Font.PLAIN, 12))
                .setAxisTickLabelsFont(new Font(Font.SANS_SERIF, Font.PLAIN, 11))
                .setAxisTickMarksColor(Palette.INK)
                .setAxisTickLabelsColor(Palette.INK)
                .setPlotGridLinesColor(Palette.GRID)
                .setPlotGridLinesStroke(round(0.8f))
                .setPlotGridVerticalLinesVisible(false)
                .setPlotMargin(0)
                .setYAxisLogarithmicDecadeOnly(true);
    }
}
