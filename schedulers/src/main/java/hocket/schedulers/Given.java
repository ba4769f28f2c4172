package hocket.schedulers;

import org.jspecify.annotations.Nullable;

/** What classes of a user's own give, which no compiler keeps from being null. */
public final class Given {
    private Given() {}

    /**
     * What an object gave.
     *
     * @param method that gave it, for the message: {@code next()}
     * @throws OwnClassException if it is null, naming class and method
     */
    public static <T> T by(Object object, String method, @Nullable T value) {
        if (value == null) {
            throw new OwnClassException(Thrown.named(object) + ": " + method + " gave null");
        }
        return value;
    }

    /** Checks what an object gave to be remembered. Throws likewise. */
    static void toRemember(Object object, String method, @Nullable Record memory) {
        if (memory == null) {
            throw new OwnClassException(Thrown.named(object) + ": " + method + " gave null to remember");
        }
    }

    /**
     * Gives a saved state back to what saved it. What a class of a user's own throws then is said to be its.
     *
     * @param who which one it is: {@code ring retry}
     * @throws IllegalArgumentException if it refuses the state
     * @throws OwnClassException if it fails otherwise
     */
    static void back(String who, Stateful to, State state) {
        try {
            to.restore(state);
        } catch (Throwable e) {
            if (Thrown.isHockets(to)) {
                throw e;
            }
            throw Thrown.restoring(who, to, e);
        }
    }

    /** What an object says of its future. Throws likewise. */
    static State saved(Stateful by) {
        return by(by, "save()", by.save());
    }
}
