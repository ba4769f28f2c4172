package hocket.schedulers.optimizers;

/** The ranges that settings must lie in. Each check names the setting, the rule and the value. */
final class Require {
    private Require() {}

    /** What is wrong with a rate's value at an update. */
    static String badRate(String rule, long update, double rate) {
        return rule + ": the rate at update " + update + " must be finite and at least 0, was " + rate;
    }

    /** Evaluates a rate at up to 1,000 places from the first update to the last. */
    static void rates(String rule, Rate rate, Progress last) {
        long count = Math.max(1, last.update());
        Progress at = new Progress();
        for (int i = 0; i < 1000; i++) {
            long update = count <= 1000 ? Math.min(i + 1L, count) : 1 + Math.round((count - 1) * (i / 999.0));
            double share = count == 1 ? 0 : (update - 1.0) / (count - 1);
            at.set(update, Math.round(last.round() * share), last.epoch() * share);
            double value = rate.at(at);
            if (!(value >= 0 && value < Double.POSITIVE_INFINITY)) {
                throw new IllegalArgumentException(badRate(rule, update, value));
            }
        }
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

    static void withinOne(String name, double value) {
        if (!(value > -1 && value < 1)) {
            throw new IllegalArgumentException(name + ": must be above -1 and below 1, was " + value);
        }
    }

    static void atLeastOne(String name, long value) {
        if (value < 1) {
            throw new IllegalArgumentException(name + ": must be at least 1, was " + value);
        }
    }
}
