package hocket.schedulers.settings;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * The limits of settings, for the constructors of records that experiment files name. Each check names the setting as the
 * file calls it, the rule and the value: {@code width: must be at least 1, was 0}.
 */
public final class Limits {
    /** A largest value from here on keeps out slips, and is named only to a value above it. */
    private static final double LARGE = 1e6;

    private Limits() {}

    /** @throws IllegalArgumentException if a whole number is below its least */
    public static void atLeast(long least, String setting, long value) {
        whole(setting, value, least, Double.POSITIVE_INFINITY);
    }

    /**
     * The product of whole numbers of at least 1: how many elements an array has.
     *
     * @throws IllegalArgumentException if it is more than 2^31 - 1
     */
    public static int elements(String what, int... extents) {
        BigInteger product = BigInteger.ONE;
        for (int extent : extents) {
            product = product.multiply(BigInteger.valueOf(extent));
        }
        if (product.bitLength() >= Integer.SIZE) {
            throw new IllegalArgumentException(what + ": must have at most 2147483647 elements, "
                    + Arrays.stream(extents).mapToObj(Integer::toString).collect(Collectors.joining(" · ")) + " are "
                    + product);
        }
        return product.intValue();
    }

    /** @throws IllegalArgumentException unless a real number is finite and above 0 */
    public static void positive(String setting, double value) {
        real(setting, value, Double.MIN_VALUE, Double.POSITIVE_INFINITY);
    }

    /** @throws IllegalArgumentException unless a real number is finite and at least 0 */
    public static void notNegative(String setting, double value) {
        real(setting, value, 0, Double.POSITIVE_INFINITY);
    }

    /** @throws IllegalArgumentException unless a real number is between 0 and 1 */
    public static void fraction(String setting, double value) {
        real(setting, value, 0, 1);
    }

    /**
     * Holds a whole number to the range of its {@link Setting}.
     *
     * @throws IllegalArgumentException if it is outside, naming the bound that it is beyond
     */
    public static void whole(String setting, long value, double least, double most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(setting + ": must be " + (value < least ? "at least " : "at most ")
                    + plain(value < least ? least : most) + ", was " + value);
        }
    }

    /**
     * Holds a real number to the range of its {@link Setting}. A bound next to a whole number, such as 0.9999999999 or
     * 1e-30, is that number, which itself is outside.
     *
     * @throws IllegalArgumentException if it is outside or not finite, naming the range
     */
    public static void real(String setting, double value, double least, double most) {
        double from = nearest(least);
        double to = nearest(most);
        boolean isWithin = (from == least ? value >= from : value > from) && (to == most ? value <= to : value < to);
        if (!isWithin || Double.isInfinite(value)) {
            throw new IllegalArgumentException(setting + ": must be " + range(value, least, most) + ", was " + value);
        }
    }

    private static double nearest(double bound) {
        return Math.abs(bound - Math.rint(bound)) < 1e-8 ? Math.rint(bound) : bound;
    }

    private static String range(double value, double least, double most) {
        boolean isOneSided = most >= LARGE && !(value > most && Double.isFinite(value));
        if (Double.isInfinite(least)) {
            return isOneSided ? "finite" : "finite and at most " + plain(most);
        }
        String from = (nearest(least) == least ? "at least " : "above ") + plain(nearest(least));
        if (isOneSided) {
            return "finite and " + from;
        }
        boolean isClosed = nearest(least) == least && nearest(most) == most;
        String to = (nearest(most) == most ? "at most " : "below ") + plain(nearest(most));
        return isClosed ? "between " + plain(least) + " and " + plain(most) : from + " and " + to;
    }

    private static String plain(double bound) {
        return bound == (long) bound ? Long.toString((long) bound) : Double.toString(bound);
    }
}
