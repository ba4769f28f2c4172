package hocket.schedulers.optimizers;

/** The ranges that settings must lie in. Each check names the setting, the rule and the value. */
final class Require {
    private Require() {}

    /** The rate that a rule has at an update. */
    static double rate(UpdateRule rule, long count) {
        if (count < 1) {
            throw new IllegalArgumentException("updates are counted from 1, was " + count);
        }
        double rate = rule.rate().at(count);
        if (!(rate >= 0 && rate < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException(
                    rule.name() + ": the rate at update " + count + " must be finite and at least 0, was " + rate);
        }
        return rate;
    }

    static void notNegative(String name, double value) {
        if (!(value >= 0 && value < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException(name + ": must be finite and at least 0, was " + value);
        }
    }

    static void positive(String name, double value) {
        if (!(value > 0 && value < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException(name + ": must be finite and above 0, was " + value);
        }
    }

    static void belowOne(String name, double value) {
        if (!(value >= 0 && value < 1)) {
            throw new IllegalArgumentException(name + ": must be at least 0 and below 1, was " + value);
        }
    }

    static void atMostOne(String name, double value) {
        if (!(value >= 0 && value <= 1)) {
            throw new IllegalArgumentException(name + ": must be between 0 and 1, was " + value);
        }
    }
}
