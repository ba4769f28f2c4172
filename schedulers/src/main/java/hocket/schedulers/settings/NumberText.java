package hocket.schedulers.settings;

import java.math.BigDecimal;
import java.util.Locale;

/** Numbers as people read them in a sentence. */
public final class NumberText {
    private NumberText() {}

    /** All digits, no more: 0.5, 8e-4, 16. */
    public static String exactly(double value) {
        String plain = BigDecimal.valueOf(value).stripTrailingZeros().toPlainString();
        return plain.length() <= 6
                ? plain
                : Double.toString(value).replace(".0E", "e").replace("E", "e");
    }

    /** 14,000. */
    public static String grouped(long value) {
        return String.format(Locale.ROOT, "%,d", value);
    }

    /** 1 array, 14,000 arrays. */
    public static String counted(long value, String noun) {
        return grouped(value) + " " + noun + (value == 1 ? "" : "s");
    }

    /** Every round, every 20 rounds. */
    public static String every(long count, String unit) {
        return "every " + (count == 1 ? unit : counted(count, unit));
    }

    /** The values of a series that a condition looks at: d/loss, the mean of the last 50 of d/loss. */
    public static String mean(String series, int window) {
        return window == 1 ? series : "the mean of the last " + window + " of " + series;
    }
}
