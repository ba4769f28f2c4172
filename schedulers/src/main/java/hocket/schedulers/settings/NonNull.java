package hocket.schedulers.settings;

import hocket.schedulers.state.State;
import hocket.schedulers.state.Stateful;
import org.jspecify.annotations.Nullable;

/** Checks of results of user-written classes, which may be null. */
public final class NonNull {
    private NonNull() {}

    /**
     * Checks a result.
     *
     * @param method the method that returned it, for the message: {@code next()}
     * @throws UserClassException if it is null, naming class and method
     */
    public static <T> T by(Object object, String method, @Nullable T value) {
        if (value == null) {
            throw new UserClassException(UserCodeFailure.named(object) + ": " + method + " gave null");
        }
        return value;
    }

    /** Checks the memory that a method returned. Throws as {@link #by}. */
    public static void toRemember(Object object, String method, @Nullable Record memory) {
        if (memory == null) {
            throw new UserClassException(
                    UserCodeFailure.named(object) + ": " + method + " returned null as its memory");
        }
    }

    /**
     * Restores the state of an object, and attributes failures of user-written classes to them.
     *
     * @param who names the object: {@code ring retry}
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

    /** Returns the state of an object. Throws as {@link #by}. */
    public static State saved(Stateful by) {
        return by(by, "save()", by.save());
    }
}
