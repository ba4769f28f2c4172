package hocket.rl.losses;

import hocket.programs.Value;

/** Checks of the arguments of losses. Each message names the loss, the rule and the argument. */
final class LossArguments {
    private LossArguments() {}

    /**
     * Checks that two arguments have the same shape, so that nothing is broadcast; one number a row may have the shape ()
     * or (1).
     */
    static void alike(String loss, String name, Value a, String other, Value b) {
        boolean single = a.shape().size() == 1 && b.shape().size() == 1;
        if (!single && !a.shape().equals(b.shape())) {
            throw new IllegalArgumentException(
                    loss + ": " + name + " must be of the shape of " + other + ", got " + a + " and " + b);
        }
    }

    static void oneNumber(String loss, String name, Value x) {
        if (x.shape().size() != 1) {
            throw new IllegalArgumentException(loss + ": " + name + " must be one number a row, got " + x);
        }
    }

    static void vector(String loss, String name, Value x) {
        if (x.shape().rank() < 1) {
            throw new IllegalArgumentException(loss + ": " + name + " must be (…, n), got " + x);
        }
    }

    static void atLeastOne(String loss, String name, Value[] values) {
        if (values.length == 0) {
            throw new IllegalArgumentException(loss + ": needs at least one of " + name + ", got none");
        }
    }
}
