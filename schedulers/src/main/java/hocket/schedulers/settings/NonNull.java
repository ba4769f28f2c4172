package hocket.schedulers.settings;

import hocket.schedulers.state.State;
import hocket.schedulers.state.Stateful;
import org.jspecify.annotations.Nullable;

/** What classes of a user's own give, which no compiler keeps from being null. */
public final class NonNull {
    private NonNull() {}

    /**
     * What an object gave.
     *
     * @param method that gave it, for the message: {@code next()}
     * @throws UserClassException if it is null, naming class and method
     */
    public static <T> T by(Object object, String method, @Nullable T value) {
        if (value == null) {
            throw new UserClassException(UserCodeFailure.named(object) + ": " + method + " gave null");
        }
        return value;
    }

    /** Checks what an object gave to be remembered. Throws likewise. */
    public static void toRemember(Object object, String method, @Nullable Record memory) {
        if (memory == null) {
            throw new UserClassException(UserCodeFailure.named(object) + ": " + method + " gave null to remember");
        }
    }

    /**
     * Gives a saved state back to what saved it. What a class of a user's own throws then is said to be its.
     *
     * @param who which one it is: {@code ring retry}
     * @throws IllegalArgumentException if it refuses the state
     * @throws UserClassException if it fails otherwise
     */
    public static void back(String who, Stateful to, State state) {
        try {
            to.restore(state);
        } catch (Throwable e) {
            if (UserCodeFailure.isHockets(to)) {
                throw e;
            }
            throw UserCodeFailure.restoring(who, to, e);
        }
    }

    /** What an object says of its future. Throws likewise. */
    public static State saved(Stateful by) {
        return by(by, "save()", by.save());
    }
}
