package hocket.workbench.pictures.plot;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Arrays;
import java.util.List;
import org.knowm.xchart.style.AxesChartStyler.TextAlignment;
import org.knowm.xchart.style.XYStyler;

/**
 * The vertical axis of a chart.
 *
 * @param logarithmic whether exponents of ten are drawn; values that are not positive are omitted
 * @param power on a linear axis, the power of ten by which values are divided, so that its numbers are short
 * @param whole whether its numbers are integers
 * @param shown its range, as drawn
 */
record ValueAxis(boolean logarithmic, int power, boolean whole, Extent shown) {
    private static final double TWO_DECADES = 100;
    private static final double LONG_FROM = 1e5;
    private static final double LONG_BELOW = 1e-3;
    private static final int TICKS_APART = 44; // least distance, in units of the chart
    private static final double AXIS = 0.7; // maximum share of the chart's height; XChart draws no tick beyond
    private static final double ROOM = 0.05;

    /** Returns an axis that shows all curves. */
    static ValueAxis linear(List<Curve> curves) {
        Extent values = Extent.of(curves.stream().map(Curve::y));
        double largest = Math.max(Math.abs(values.least()), Math.abs(values.greatest()));
        int power = power(largest);
        boolean whole = curves.stream()
                .flatMapToDouble(curve -> Arrays.stream(curve.y()))
                .allMatch(y -> !Double.isFinite(y) || y == Math.rint(y));
        boolean counts = whole && power == 0;
        Extent shown = new Extent(divided(values.least(), power), divided(values.greatest(), power));
        return new ValueAxis(false, power, counts, counts && shown.size() == 0 ? toItsNeighbour(shown.least()) : shown)
                .roomy();
    }

    /** Returns a range for a constant count, which would have a single label. */
    private static Extent toItsNeighbour(double count) {
        return count > 0 ? new Extent(count - 1, count) : new Extent(count, count + 1);
    }

    /** Returns the power of ten that shortens numbers up to this one; XChart writes all digits, or loops forever. */
    static int power(double largest) {
        boolean handy = largest == 0 || (largest >= LONG_BELOW && largest < LONG_FROM);
        return handy ? 0 : 3 * (int) Math.floor(Math.log10(largest) / 3);
    }

    /** Returns an axis that shows all curves, logarithmic if their positive values span more than two decades. */
    static ValueAxis bySize(List<Curve> curves) {
        Extent sizes = Extent.of(curves.stream()
                .map(curve -> Arrays.stream(curve.y()).filter(y -> y > 0).toArray()));
        return sizes.least() > 0 && sizes.greatest() / sizes.least() > TWO_DECADES
                ? new ValueAxis(true, 0, false, new Extent(Math.log10(sizes.least()), Math.log10(sizes.greatest())))
                        .roomy()
                : linear(curves);
    }

    private ValueAxis roomy() {
        return new ValueAxis(logarithmic, power, whole, shown.roomy(ROOM));
    }

    /** Returns a curve as it is drawn on this axis. */
    Curve fit(Curve curve) {
        double[] y = Arrays.stream(curve.y())
                .map(value -> logarithmic ? Math.log10(value) : divided(value, power))
                .map(value -> Double.isFinite(value) ? value : Double.NaN)
                .toArray();
        return new Curve(curve.label(), curve.x(), y);
    }

    static double divided(double value, int power) {
        // in two steps, since 10^-324 underflows
        return value / Math.pow(10, power / 2) / Math.pow(10, power - power / 2);
    }

    /** Returns the title of the axis. */
    String title(String what) {
        return title(what, power);
    }

    static String title(String what, int power) {
        return power == 0 ? what : what + " / " + tenTo(power);
    }

    /** Sets the labels of the axis. */
    void style(XYStyler styler, int height) {
        styler.setYAxisMin(shown.least()).setYAxisMax(shown.greatest()).setYAxisLabelAlignment(TextAlignment.Right);
        if (logarithmic) {
            int decade = (int) (height / shown.size());
            styler.setYAxisTickMarkSpacingHint(Math.max(TICKS_APART, decade));
            styler.setYAxisTickLabelsFormattingFunction(exponent -> tenTo((int) Math.round(exponent)));
        } else {
            // a tick at every integer if there would be more; else as many decimals as a tick needs. XChart accepts
            // 0.75 to 1.5 for 1, of the axis' length: about 3/4 of the chart's
            double one = whole ? AXIS * height / shown.size() : 0;
            double step = shown.size() / height * TICKS_APART;
            int decimals =
                    (int) Math.max(0, 1 - Math.floor(Math.log10(step))); // 2.5 needs one decimal more than 2 and 5
            styler.setYAxisTickMarkSpacingHint((int) Math.max(TICKS_APART, Math.ceil(one)));
            styler.setYAxisTickLabelsFormattingFunction(value -> rounded(value, decimals));
        }
    }

    private static String rounded(double value, int decimals) {
        BigDecimal rounded = BigDecimal.valueOf(value).setScale(decimals, RoundingMode.HALF_EVEN);
        return rounded.signum() == 0 ? "0" : rounded.stripTrailingZeros().toPlainString();
    }

    private static String tenTo(int exponent) {
        StringBuilder text = new StringBuilder("10");
        for (char digit : Integer.toString(exponent).toCharArray()) {
            text.append(digit == '-' ? '⁻' : "⁰¹²³⁴⁵⁶⁷⁸⁹".charAt(digit - '0'));
        }
        return text.toString();
    }
}
