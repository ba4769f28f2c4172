package hocket.schedulers;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * The limits of settings, for the constructors of records that experiment files name. Each check names the setting as the
 * file calls it, the rule and the value: {@code width: must be at least 1, was 0}.
 */
public final class Limits {
    private Limits() {}

    /** @throws IllegalArgumentException if a whole number is below its least */
    public static void atLeast(long least, String setting, long value) {
        if (value < least) {
            throw new IllegalArgumentException(setting + ": must be at least " + least + ", was " + value);
        }
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
        if (!(value > 0 && value < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException(setting + ": must be finite and above 0, was " + value);
        }
    }

    /** @throws IllegalArgumentException unless a real number is finite and at least 0 */
    public static void notNegative(String setting, double value) {
        if (!(value >= 0 && value < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException(setting + ": must be finite and at least 0, was " + value);
        }
    }
}
