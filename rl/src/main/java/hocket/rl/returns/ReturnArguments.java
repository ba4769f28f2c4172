package hocket.rl.returns;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Checks of the arguments of this package's functions. Each message names the argument, the rule and both values. */
final class ReturnArguments {
    private ReturnArguments() {}

    /** Checks that an argument is not null; the message lists the possible values. */
    static <T> void given(String name, @Nullable T value, T[] all) {
        if (value == null) {
            throw new IllegalArgumentException(name + ": must be one of " + Arrays.toString(all) + ", was null");
        }
    }

    static void notNegative(String name, double value) {
        if (!(value >= 0)) {
            throw new IllegalArgumentException(name + ": must be at least 0, was " + value);
        }
    }

    static void length(String name, int length, int wanted, String what) {
        if (length != wanted) {
            throw new IllegalArgumentException(
                    name + ": must have " + wanted + " elements, " + what + ", had " + length);
        }
    }
}
