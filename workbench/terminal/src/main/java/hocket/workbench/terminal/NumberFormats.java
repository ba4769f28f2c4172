package hocket.workbench.terminal;

import hocket.schedulers.settings.NumberText;
import java.util.Locale;

/** Formats numbers for people. */
public final class NumberFormats {
    private NumberFormats() {}

    /** Formats with two or three significant digits: 0.91, 12.3, 1.2e+05, 0.0043, 4.3e-05. */
    public static String shortly(double value) {
        double size = Math.abs(value);
        if (!Double.isFinite(value)) {
            return Double.toString(value);
        }
        if (size > 0 && size < 0.01) {
            return String.format(Locale.ROOT, size < 0.001 ? "%.1e" : "%.4f", value);
        }
        return String.format(Locale.ROOT, size >= 10_000 ? "%.1e" : size >= 10 ? "%.1f" : "%.2f", value);
    }

    /** Formats a fraction as 25 %, 3.7 % or 0.41 %. */
    public static String percent(double part) {
        double hundred = 100 * part;
        String format = hundred >= 10 || hundred == Math.rint(hundred) ? "%.0f" : hundred >= 1 ? "%.1f" : "%.2f";
        return String.format(Locale.ROOT, format + " %%", hundred);
    }

    /** Formats a score: 0.000400, 0.9120, 153.21. */
    public static String score(double value) {
        double size = Math.abs(value);
        return String.format(Locale.ROOT, size > 0 && size < 0.01 ? "%.6f" : size < 100 ? "%.4f" : "%.2f", value);
    }

    /** Formats all digits: 0.5, 8e-4, 16. */
    public static String exactly(double value) {
        return NumberText.exactly(value);
    }

    /** Formats a count: 14,000. */
    public static String grouped(long value) {
        return NumberText.grouped(value);
    }

    /** Formats a count with its noun: 1 array, 14,000 arrays. */
    public static String counted(long value, String noun) {
        return NumberText.counted(value, noun);
    }

    /** Formats a count in at most six characters: 9,999, 65.5k, 1.05M, 33.6G. */
    public static String briefly(long count) {
        return count < 10_000 ? grouped(count) : scaled(count, "");
    }

    /** Formats bytes in powers of 1,000: 512 B, 664 kB, 1.86 MB. */
    public static String bytes(long count) {
        return count < 1000 ? count + " B" : scaled(count, " ") + "B";
    }

    /** Formats three digits and a letter for thousands. */
    private static String scaled(long count, String gap) {
        String letters = "kMGTPE";
        double rest = count / 1000.0;
        int letter = 0;
        while (rest >= 999.5) {
            rest /= 1000;
            letter++;
        }
        String digits = rest < 9.995 ? "%.2f" : rest < 99.95 ? "%.1f" : "%.0f";
        return String.format(Locale.ROOT, digits, rest) + gap + letters.charAt(letter);
    }

    /** Formats a rate: 142, 18.4, 0.73. */
    public static String rate(double value) {
        return String.format(Locale.ROOT, value >= 100 ? "%.0f" : value >= 10 ? "%.1f" : "%.2f", value);
    }

    /** Formats seconds as 0:07, 1:58 or 2:03:20. */
    public static String clock(double seconds) {
        long whole = Math.round(seconds);
        return whole < 3600
                ? String.format(Locale.ROOT, "%d:%02d", whole / 60, whole % 60)
                : String.format(Locale.ROOT, "%d:%02d:%02d", whole / 3600, whole / 60 % 60, whole % 60);
    }

    /** Returns a short name of a metric: {@code error} for {@code error_rate}. */
    public static String narrow(String metric) {
        return metric.endsWith("_rate") ? metric.substring(0, metric.length() - "_rate".length()) : metric;
    }
}
