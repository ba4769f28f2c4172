package hocket.schedulers.settings;

import java.util.Arrays;
import java.util.Optional;

/** Describes failures of user-written classes. */
public final class UserCodeFailure {
    private static final String HOCKET = "hocket.";

    private UserCodeFailure() {}

    /**
     * Returns one line that a class failed, and why: {@code class my.World failed: it needs class my.Missing, which is
     * not there}.
     *
     * @param className of the class
     * @param thrown by it, or while it was loaded
     */
    public static String by(String className, Throwable thrown) {
        return thrown instanceof UserClassException said
                ? String.valueOf(said.getMessage())
                : "class " + className + " failed: " + why(thrown);
    }

    /** Describes a failure of a part of a plan: Hocket's own message, or the first class that is not Java's. */
    public static String inWords(Throwable thrown) {
        return isRefusal(thrown)
                ? String.valueOf(thrown.getMessage())
                : first(thrown).map(frame -> by(frame.getClassName(), thrown)).orElseGet(() -> why(thrown));
    }

    /**
     * Describes a failure of a user-written class in restoring its state. A refusal stays a refusal.
     *
     * @param who names the object of the class: {@code World, environment 3}
     */
    public static RuntimeException restoring(String who, Object restored, Throwable thrown) {
        rethrowIfFatal(thrown);
        String message = who + ": " + named(restored) + " could not be restored: "
                + (isRefusal(thrown) ? thrown.getMessage() : why(thrown));
        return thrown instanceof IllegalArgumentException
                ? new IllegalArgumentException(message, thrown)
                : new UserClassException(message, thrown);
    }

    /** Rethrows errors that no class causes: no memory is left, or the virtual machine fails. */
    public static void rethrowIfFatal(Throwable thrown) {
        if (thrown instanceof VirtualMachineError fatal && !(fatal instanceof StackOverflowError)) {
            throw fatal;
        }
    }

    /** Returns an object's class for messages; for a lambda, the place where it is written. */
    static String named(Object object) {
        return "class " + object.getClass().getName().replaceFirst("\\$\\$Lambda.*", "");
    }

    static boolean isHockets(Object object) {
        return object.getClass().getName().startsWith(HOCKET);
    }

    /** Returns whether Hocket itself refused something, and not code that it called. */
    private static boolean isRefusal(Throwable thrown) {
        boolean isMessage = thrown instanceof IllegalArgumentException || thrown instanceof IllegalStateException;
        return isMessage
                && thrown.getMessage() != null
                && first(thrown)
                        .filter(frame -> frame.getClassName().startsWith(HOCKET))
                        .isPresent();
    }

    private static Optional<StackTraceElement> first(Throwable thrown) {
        return Arrays.stream(thrown.getStackTrace())
                .filter(frame -> frame.getModuleName() == null)
                .findFirst();
    }

    private static String why(Throwable thrown) {
        String message = String.valueOf(thrown.getMessage());
        if (thrown instanceof ExceptionInInitializerError && thrown.getCause() != null) {
            return "its static initialiser threw " + thrown.getCause();
        } else if (thrown instanceof NoClassDefFoundError && !message.contains(" ")) {
            return "it needs class " + message.replace('/', '.') + ", which is not there";
        }
        return thrown.toString();
    }
}
