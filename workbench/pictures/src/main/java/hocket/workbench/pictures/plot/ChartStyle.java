package hocket.workbench.pictures.plot;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.FontMetrics;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Locale;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.style.XYStyler;
import org.knowm.xchart.style.lines.SeriesLines;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** The style of all charts: two axes, light grid lines, no boxes. */
final class ChartStyle {
    static final Font BOLD = new Font(Font.SANS_SERIF, Font.BOLD, 14);
    static final Font PLAIN = new Font(Font.SANS_SERIF, Font.PLAIN, 14);
    static final Font SMALL = new Font(Font.SANS_SERIF, Font.PLAIN, 12);
    static final Font TICKS = new Font(Font.SANS_SERIF, Font.PLAIN, 11);

    /** The size of a point. */
    static final int MARKER = 7;

    private static final MathContext DIGITS = new MathContext(6);
    private static final Color CLEAR = new Color(0, 0, 0, 0);

    private ChartStyle() {}

    /** Sets the common style; {@link Caption} paints titles and legends. */
    static void apply(XYStyler styler) {
        styler.setLocale(Locale.ENGLISH)
                .setChartBackgroundColor(CLEAR)
                .setChartFontColor(Palette.INK)
                .setChartPadding(14)
                .setChartTitleVisible(false)
                .setLegendVisible(false)
                .setPlotBackgroundColor(CLEAR)
                .setPlotBorderVisible(false)
                .setPlotContentSize(1)
                .setMarkerSize(MARKER);
        styler.setAxisTitleFont(SMALL)
                .setAxisTickLabelsFont(TICKS)
                .setAxisTickMarksColor(Palette.INK)
                .setAxisTickLabelsColor(Palette.INK)
                .setPlotGridLinesColor(Palette.GRID)
                .setPlotGridLinesStroke(round(0.8f))
                .setPlotGridVerticalLinesVisible(false)
                .setPlotMargin(0)
                .setXAxisTickLabelsFormattingFunction(ChartStyle::across);
    }

    /** Formats a value of the horizontal axis: 0.25, 500, 200k, 1.2M. Long numbers would not fit below its end. */
    static String across(double value) {
        double size = Math.abs(value);
        int power = size >= 1e9 ? 9 : size >= 1e6 ? 6 : size >= 1e4 ? 3 : 0;
        BigDecimal rounded = BigDecimal.valueOf(value).movePointLeft(power).round(DIGITS);
        String digits =
                rounded.signum() == 0 ? "0" : rounded.stripTrailingZeros().toPlainString();
        return digits + (power == 0 ? "" : power == 3 ? "k" : power == 6 ? "M" : "G");
    }

    /** Returns as much of a text as fits into a width, with an ellipsis for the rest. */
    static String fitting(String text, FontMetrics metrics, int width) {
        if (metrics.stringWidth(text) <= width) {
            return text;
        }
        int kept = text.length();
        while (kept > 0 && metrics.stringWidth(text.substring(0, kept) + "…") > width) {
            kept--;
        }
        return kept == 0 ? "" : text.substring(0, kept).strip() + "…";
    }

    /**
     * Sets the range of the axes. XChart would draw no numbers for single points, and label evenly spaced points
     * instead of round values. An invisible curve along both axes prevents this.
     */
    static void bound(XYChart chart, Extent across, Extent up) {
        chart.getStyler()
                .setXAxisMin(across.least())
                .setXAxisMax(across.greatest())
                .setYAxisMin(up.least())
                .setYAxisMax(up.greatest());
        chart.addSeries("bounds", uneven(across), uneven(up))
                .setMarker(SeriesMarkers.NONE)
                .setLineStyle(SeriesLines.NONE);
    }

    private static double[] uneven(Extent extent) {
        return new double[] {extent.least(), extent.least() + 0.01 * extent.size(), extent.greatest()};
    }

    static BasicStroke round(float width) {
        return new BasicStroke(width, BasicStroke.CAP_ROUND, BasicStroke.JOIN_ROUND);
    }
}
