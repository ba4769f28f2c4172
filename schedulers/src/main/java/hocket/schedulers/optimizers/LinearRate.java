package hocket.schedulers.optimizers;

import java.math.BigDecimal;

/** One rate, then a straight line to another, which stays. */
record LinearRate(double start, double end, long begin, long length) implements Rate {
    LinearRate {
        Require.notNegative("rate", start);
        Require.notNegative("rate at the end", end);
        if (begin < 0 || length < 1) {
            throw new IllegalArgumentException(
                    "a rate's line must begin after at least 0 updates and take at least 1, was " + begin + " and "
                            + length);
        }
    }

    @Override
    public double at(long count) {
        double share = Math.min(1, Math.max(0, (count - 1.0 - begin) / length));
        return start + share * (end - start);
    }

    @Override
    public String describe() {
        return plain(start) + ", from update " + begin + " to " + (begin + length) + " in a line to " + plain(end);
    }

    private static String plain(double rate) {
        return BigDecimal.valueOf(rate).stripTrailingZeros().toPlainString();
    }

    @Override
    public String toString() {
        return describe();
    }
}
