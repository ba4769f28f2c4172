package hocket.rl.settings;

import hocket.schedulers.settings.ClassChecks;
import hocket.schedulers.settings.UserCodeFailure;
import java.lang.reflect.InvocationTargetException;
import java.util.Objects;
import java.util.function.Supplier;

/** A class of a user's own that a setting names, such as an expert to imitate. */
public final class UserClass {
    private UserClass() {}

    /** Returns whether there is a class of that name. */
    static boolean isThere(String name) {
        return is(name, Object.class);
    }

    /** Returns whether there is a class of that name that is of a type. */
    static boolean is(String name, Class<?> type) {
        try {
            return type.isAssignableFrom(
                    Class.forName(name, false, Thread.currentThread().getContextClassLoader()));
        } catch (ClassNotFoundException | LinkageError e) { // the latter where another's letters differ in size only
            return false;
        }
    }

    /**
     * Makes a new one each time.
     *
     * @param setting that named it, for messages
     * @param name of the class
     * @param kind type that it must implement or extend
     * @throws IllegalArgumentException if there is no such class, it is of another kind, or has no public constructor
     *     that takes nothing
     */
    public static <T> Supplier<T> named(String setting, String name, Class<T> kind) {
        try {
            Class<? extends T> type = Class.forName(
                            name, true, Thread.currentThread().getContextClassLoader())
                    .asSubclass(kind);
            requireMakeable(setting, type);
            var constructor = type.getConstructor();
            return () -> {
                try {
                    return constructor.newInstance();
                } catch (InvocationTargetException e) {
                    Throwable cause = Objects.requireNonNull(e.getCause());
                    UserCodeFailure.rethrowIfFatal(cause);
                    throw new IllegalArgumentException(setting + ": " + UserCodeFailure.by(name, cause), e);
                } catch (ReflectiveOperationException e) {
                    throw new IllegalArgumentException(setting + ": " + UserCodeFailure.by(name, e), e);
                }
            };
        } catch (ClassNotFoundException e) {
            throw new IllegalArgumentException(
                    setting + ": there is no class " + name + "; --classpath adds the jar or folder that has it", e);
        } catch (ClassCastException e) {
            throw new IllegalArgumentException(
                    setting + ": class " + name + " does not implement " + kind.getName(), e);
        } catch (NoSuchMethodException e) {
            throw new IllegalArgumentException(
                    setting + ": class " + name + " needs a public constructor that takes nothing", e);
        } catch (LinkageError e) {
            throw new IllegalArgumentException(setting + ": " + UserCodeFailure.by(name, e), e);
        }
    }

    private static void requireMakeable(String setting, Class<?> type) {
        try {
            ClassChecks.requireMakeable(type);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(setting + ": " + e.getMessage(), e);
        }
    }
}
