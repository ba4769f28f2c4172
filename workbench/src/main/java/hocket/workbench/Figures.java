package hocket.workbench;

import java.util.Locale;

/** Numbers as people read them. */
final class Figures {
    private Figures() {}

    /** Two or three digits that matter: 0.91, 12.3, 1.2e+05. */
    static String shortly(double value) {
        double size = Math.abs(value);
        if (!Double.isFinite(value)) {
            return Double.toString(value);
        }
        return String.format(Locale.ROOT, size >= 10_000 ? "%.1e" : size >= 10 ? "%.1f" : "%.2f", value);
    }

    /** All digits, no more: 0.5, 8e-4, 16. */
    static String exactly(double value) {
        String plain = java.math.BigDecimal.valueOf(value).stripTrailingZeros().toPlainString();
        return plain.length() <= 6
                ? plain
                : Double.toString(value).replace(".0E", "e").replace("E", "e");
    }

    /** 14,000. */
    static String grouped(long value) {
        return String.format(Locale.ROOT, "%,d", value);
    }

    /** A rate: 142, 18.4, 0.73. */
    static String rate(double value) {
        return String.format(Locale.ROOT, value >= 100 ? "%.0f" : value >= 10 ? "%.1f" : "%.2f", value);
    }

    /** Seconds as 0:07, 1:58 or 2:03:20. */
    static String clock(double seconds) {
        long whole = Math.round(seconds);
        return whole < 3600
                ? String.format(Locale.ROOT, "%d:%02d", whole / 60, whole % 60)
                : String.format(Locale.ROOT, "%d:%02d:%02d", whole / 3600, whole / 60 % 60, whole % 60);
    }

    /** A name for a figure in narrow places: {@code error_rate} is an error. */
    static String narrow(String metric) {
        return metric.endsWith("_rate") ? metric.substring(0, metric.length() - "_rate".length()) : metric;
    }
}
