package hocket.workbench.plot;

import java.util.List;
import java.util.stream.Stream;
import org.knowm.xchart.style.AxesChartStyler.TextAlignment;
import org.knowm.xchart.style.XYStyler;

/**
 * The vertical axis of a chart.
 *
 * @param logarithmic whether it is
 * @param power by which power of ten values are divided before they are drawn, so that its numbers are short
 * @param shown from where to where it goes, after the division
 */
record ValueAxis(boolean logarithmic, int power, Extent shown) {
    private static final double SHORT = 1e5;
    private static final double LONG = 1e-3;
    private static final int APART = 44; // pixels between ticks, at least
    private static final int MOST_DECADES = 8;

    /** One on which all curves can be seen; a logarithmic one shows only what is above zero. */
    static ValueAxis of(List<Curve> curves, boolean logarithmic) {
        if (logarithmic) {
            Extent values = Extent.of(curves.stream().map(Curve::positive).map(Curve::y));
            return new ValueAxis(true, 0, values.roomyByFactor());
        }
        Extent values = Extent.of(curves.stream().map(Curve::y));
        double largest = Math.max(Math.abs(values.least()), Math.abs(values.greatest()));
        boolean handy = largest == 0 || (largest >= LONG && largest < SHORT);
        int power = handy ? 0 : 3 * (int) Math.floor(Math.log10(largest) / 3);
        Extent scaled = Extent.of(Stream.of(divided(new double[] {values.least(), values.greatest()}, power)));
        return new ValueAxis(false, power, scaled.roomy(0.05));
    }

    /** A curve as it is drawn on this axis. */
    Curve fit(Curve curve) {
        Curve kept = logarithmic ? curve.positive() : curve;
        return new Curve(kept.label(), kept.x(), divided(kept.y(), power));
    }

    private static double[] divided(double[] values, int power) {
        double[] divided = values.clone();
        for (int i = 0; i < divided.length; i++) {
            // in two steps, since 10^-324 is no number
            divided[i] = divided[i] / Math.pow(10, power / 2) / Math.pow(10, power - power / 2);
        }
        return divided;
    }

    /** What stands beside it. */
    String title(String what) {
        return power == 0 ? what : what + " / " + tenTo(power);
    }

    /** Sets bounds and labels. */
    void style(XYStyler styler, int height) {
        styler.setYAxisMin(shown.least())
                .setYAxisMax(shown.greatest())
                .setYAxisLogarithmic(logarithmic)
                .setYAxisLogarithmicDecadeOnly(true)
                .setYAxisTickMarkSpacingHint(APART)
                .setYAxisLabelAlignment(TextAlignment.Right);
        if (logarithmic) {
            int decades = (int) Math.ceil(Math.log10(shown.greatest()) - Math.log10(shown.least()));
            int each = 1 + decades / MOST_DECADES;
            styler.setYAxisTickLabelsFormattingFunction(value -> {
                int exponent = (int) Math.round(Math.log10(value));
                return Math.floorMod(exponent, each) == 0 ? tenTo(exponent) : " ";
            });
        } else {
            // as many decimals as the closest ticks that XChart may choose need, and the same for all
            double step = shown.size() / height * APART;
            int decimals = (int) Math.max(0, -Math.floor(Math.log10(step)));
            styler.setYAxisDecimalPattern("#,##0" + (decimals == 0 ? "" : "." + "0".repeat(decimals)));
        }
    }

    private static String tenTo(int exponent) {
        StringBuilder text = new StringBuilder("10");
        for (char digit : Integer.toString(exponent).toCharArray()) {
            text.append(digit == '-' ? '⁻' : "⁰¹²³⁴⁵⁶⁷⁸⁹".charAt(digit - '0'));
        }
        return text.toString();
    }
}
