package hocket.schedulers.settings;

import java.util.Arrays;
import java.util.Optional;

/** What a class of a user's own threw, in words. */
public final class UserCodeFailure {
    private static final String HOCKET = "hocket.";

    private UserCodeFailure() {}

    /**
     * That a class failed, and why, in one line: {@code class my.World failed: it needs class my.Missing, which is not
     * there}.
     *
     * @param className of the class
     * @param thrown by it, or while it was made ready for use
     */
    public static String by(String className, Throwable thrown) {
        return thrown instanceof UserClassException said
                ? String.valueOf(said.getMessage())
                : "class " + className + " failed: " + why(thrown);
    }

    /** What a part of a plan threw: what Hocket refused as it says so, all else by the first class that is not Java's own. */
    public static String inWords(Throwable thrown) {
        return isRefusal(thrown)
                ? String.valueOf(thrown.getMessage())
                : first(thrown).map(frame -> by(frame.getClassName(), thrown)).orElseGet(() -> why(thrown));
    }

    /**
     * What a class of a user's own threw when it was given back what it saved. What it refuses stays refused.
     *
     * @param who which object of the class it is: {@code World, environment 3}
     */
    public static RuntimeException restoring(String who, Object restored, Throwable thrown) {
        rethrowIfFatal(thrown);
        String message = who + ": " + named(restored) + " could not be restored: "
                + (isRefusal(thrown) ? thrown.getMessage() : why(thrown));
        return thrown instanceof IllegalArgumentException
                ? new IllegalArgumentException(message, thrown)
                : new UserClassException(message, thrown);
    }

    /** Throws on what no class is to blame for: no memory is left, or the virtual machine is at its end. */
    public static void rethrowIfFatal(Throwable thrown) {
        if (thrown instanceof VirtualMachineError fatal && !(fatal instanceof StackOverflowError)) {
            throw fatal;
        }
    }

    /** An object's class for messages; that of a lambda is where it is written. */
    static String named(Object object) {
        return "class " + object.getClass().getName().replaceFirst("\\$\\$Lambda.*", "");
    }

    static boolean isHockets(Object object) {
        return object.getClass().getName().startsWith(HOCKET);
    }

    /** Whether Hocket itself refused something, and not what it called. */
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
