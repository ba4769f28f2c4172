package hocket.workbench.plot;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Graphics2D;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYSeries;
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

    /** A curve of fewer points is drawn as it is: a mean would hide what little there is. */
    private static final int FEW = 20;

    /** How many means lie side by side in a chart, at least. */
    private static final int MEANS = 30;

    private static final BasicStroke THIN = ChartStyle.round(1.1f);
    private static final BasicStroke BOLD = ChartStyle.round(2);
    private static final BasicStroke DASHED =
            new BasicStroke(2, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND, 1, new float[] {6, 4}, 0);
    private static final Marker[] MARKERS = {
        SeriesMarkers.CIRCLE, SeriesMarkers.SQUARE, SeriesMarkers.DIAMOND, SeriesMarkers.TRIANGLE_UP
    };

    /** Draws it into a rectangle from the origin. */
    void paint(Graphics2D graphics, int width, int height) {
        int above = new Caption(title, detail, legend()).paint(graphics, width);
        XYChart chart = chart(width, height - above);
        graphics.translate(0, above);
        chart.paint(graphics, width, height - above);
        graphics.translate(0, -above);
    }

    private XYChart chart(int width, int height) {
        XYChart chart = new XYChart(width, height);
        ChartStyle.apply(chart.getStyler());
        ValueAxis axis = look == Look.SMOOTHED_BY_SIZE ? ValueAxis.bySize(curves) : ValueAxis.linear(curves);
        ChartStyle.bound(chart, reach.roomy(0.015), axis.shown());
        chart.setXAxisTitle(across);
        axis.style(chart.getStyler(), height);
        chart.setYAxisTitle(axis.title(up));
        if (isSmoothed()) {
            for (int i = 0; i < curves.size(); i++) {
                add(chart, "recorded " + i, axis.fit(curves.get(i)))
                        .setLineColor(Palette.faint(Palette.line(i)))
                        .setLineStyle(THIN);
            }
        }
        for (int i = 0; i < curves.size(); i++) {
            Curve curve = isSmoothed() ? curves.get(i).smoothed(reach.part(MEANS)) : curves.get(i);
            add(chart, "curve " + i, axis.fit(curve))
                    .setMarker(marker(i))
                    .setMarkerColor(Palette.line(i))
                    .setLineColor(Palette.line(i))
                    .setLineStyle(stroke(i));
        }
        return chart;
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
        if (isSmoothed()) {
            double width = reach.part(MEANS);
            String number = width >= 1 ? Long.toString(Math.round(width)) : Float.toString((float) width);
            entries.add(new Caption.Entry(
                    "faint: as recorded, bold: mean over " + number + " " + across + (width == 1 ? "" : "s")));
        }
        return entries;
    }

    private boolean isSmoothed() {
        return look != Look.POINTS && curves.stream().anyMatch(curve -> curve.x().length >= FEW);
    }

    private static BasicStroke stroke(int number) {
        return Palette.isFirstOfItsColour(number) ? BOLD : DASHED;
    }

    private Marker marker(int number) {
        boolean dotted = look == Look.POINTS || curves.get(number).x().length == 1;
        return dotted ? MARKERS[number % MARKERS.length] : SeriesMarkers.NONE;
    }
}
