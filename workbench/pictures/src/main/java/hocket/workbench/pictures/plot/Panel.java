package hocket.workbench.pictures.plot;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.FontMetrics;
import java.awt.Graphics2D;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.lines.SeriesLines;
import org.knowm.xchart.style.markers.Marker;
import org.knowm.xchart.style.markers.SeriesMarkers;

/**
 * A chart.
 *
 * @param title the title above it
 * @param detail a text next to the title, such as the run's name; may be empty
 * @param across the unit of the horizontal axis, in the singular; shared by all curves
 * @param up the title of the vertical axis
 * @param style the style of its curves
 * @param range the range of the horizontal axis
 * @param curves in the order of their colours, at least one
 * @param bands outlines of faint areas behind the curves, in the colours of the curves with the same index; may be
 *     empty
 */
record Panel(
        String title,
        String detail,
        String across,
        String up,
        Style style,
        Extent range,
        List<Curve> curves,
        List<Curve> bands) {
    /** The style of curves. */
    enum Style {
        /** The recorded values, faint, and their moving average. */
        SMOOTHED,
        /** As {@link #SMOOTHED}, with a logarithmic axis if values span more than two decades. */
        SMOOTHED_BY_SIZE,
        /** Points joined by lines. */
        POINTS,
        /** Lines without smoothing. */
        PLAIN,
        /** Steps without smoothing; coinciding lines all remain visible. */
        STAIRS
    }

    /** The label of a band that is not in the legend. */
    static final String UNLISTED = "";

    /** A curve with fewer points is not smoothed. */
    private static final int FEW = 20;

    /** The least number of windows of the moving average in a chart. */
    private static final int MEANS = 30;

    private static final int BESIDE = 60; // below the vertical axis
    private static final int MOST_WIDE = 4; // maximum offset of coinciding steps, in line widths
    private static final BasicStroke THIN = ChartStyle.round(1.1f);
    private static final BasicStroke BOLD = ChartStyle.round(2);
    private static final BasicStroke DASHED =
            new BasicStroke(2, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND, 1, new float[] {6, 4}, 0);
    private static final BasicStroke BAND = ChartStyle.round(8); // in the legend
    private static final Marker[] MARKERS = {
        SeriesMarkers.CIRCLE, SeriesMarkers.SQUARE, SeriesMarkers.DIAMOND, SeriesMarkers.TRIANGLE_UP
    };

    /** Creates a chart without bands. */
    Panel(String title, String detail, String across, String up, Style style, Extent range, List<Curve> curves) {
        this(title, detail, across, up, style, range, curves, List.of());
    }

    /** Draws the chart into a rectangle from the origin. */
    void paint(Graphics2D graphics, int width, int height) {
        int above = new Caption(title, detail, legend()).paint(graphics, width);
        XYChart chart = chart(width, height - above, graphics.getFontMetrics(ChartStyle.SMALL));
        graphics.translate(0, above);
        chart.paint(graphics, width, height - above);
        graphics.translate(0, -above);
    }

    private XYChart chart(int width, int height, FontMetrics letters) {
        XYChart chart = new XYChart(width, height);
        ChartStyle.apply(chart.getStyler());
        ValueAxis axis = style == Style.SMOOTHED_BY_SIZE ? ValueAxis.bySize(curves) : ValueAxis.linear(drawn());
        ChartStyle.bound(chart, range.roomy(0.015), axis.shown());
        chart.setXAxisTitle(across);
        axis.style(chart.getStyler(), height);
        chart.setYAxisTitle(ChartStyle.fitting(axis.title(up), letters, height - BESIDE));
        for (int i = 0; i < bands.size(); i++) {
            XYSeries band = add(chart, "band " + i, axis.fit(bands.get(i)));
            band.setXYSeriesRenderStyle(XYSeries.XYSeriesRenderStyle.PolygonArea);
            band.setFillColor(Palette.translucent(Palette.line(i)));
            band.setLineStyle(SeriesLines.NONE);
        }
        if (isSmoothed()) {
            for (int i = 0; i < curves.size(); i++) {
                add(chart, "recorded " + i, axis.fit(curves.get(i)))
                        .setLineColor(Palette.faint(Palette.line(i)))
                        .setLineStyle(THIN);
            }
        }
        for (int i = 0; i < curves.size(); i++) {
            Curve curve = isSmoothed() ? curves.get(i).smoothed(range.part(MEANS)) : curves.get(i);
            add(chart, "curve " + i, axis.fit(curve))
                    .setMarker(marker(i))
                    .setMarkerColor(Palette.line(i))
                    .setLineColor(Palette.line(i))
                    .setLineStyle(stroke(i));
        }
        return chart;
    }

    private List<Curve> drawn() {
        return Stream.concat(curves.stream(), bands.stream()).toList();
    }

    private static XYSeries add(XYChart chart, String name, Curve curve) {
        XYSeries series = chart.addSeries(name, curve.x(), curve.y());
        series.setMarker(SeriesMarkers.NONE).setMarkerColor(Color.WHITE);
        return series;
    }

    private List<Caption.Entry> legend() {
        List<Caption.Entry> entries = new ArrayList<>();
        for (int i = 0; i < curves.size(); i++) {
            boolean seen = Arrays.stream(curves.get(i).y()).anyMatch(Double::isFinite);
            String label = curves.get(i).label() + (seen ? "" : " (never finite)");
            entries.add(new Caption.Entry(label, Palette.line(i), stroke(i), marker(i)));
        }
        for (int i = 0; i < bands.size(); i++) {
            String label = bands.get(i).label();
            if (!label.equals(UNLISTED)) {
                entries.add(new Caption.Entry(label, Palette.faint(Palette.line(i)), BAND, SeriesMarkers.NONE));
            }
        }
        if (isSmoothed()) {
            double width = range.part(MEANS);
            String number = width >= 1 ? Long.toString(Math.round(width)) : Float.toString((float) width);
            entries.add(new Caption.Entry(
                    "faint: as recorded, bold: mean over " + number + " " + across + (width == 1 ? "" : "s")));
        }
        return entries;
    }

    private boolean isSmoothed() {
        return (style == Style.SMOOTHED || style == Style.SMOOTHED_BY_SIZE)
                && curves.stream().anyMatch(curve -> curve.x().length >= FEW);
    }

    private BasicStroke stroke(int number) {
        if (style == Style.STAIRS) {
            return ChartStyle.round(BOLD.getLineWidth() * Math.min(MOST_WIDE, curves.size() - number));
        }
        return Palette.isFirstOfItsColour(number) ? BOLD : DASHED;
    }

    private Marker marker(int number) {
        boolean dotted = style == Style.POINTS
                || (style != Style.STAIRS && curves.get(number).x().length == 1);
        return dotted ? MARKERS[number % MARKERS.length] : SeriesMarkers.NONE;
    }
}
