package hocket.schedulers;

import java.util.Arrays;

/** What a class of a user's own threw, in words. */
public final class Thrown {
    private Thrown() {}

    /**
     * That a class failed, and why, in one line: {@code class my.World failed: it needs class my.Missing, which is not
     * there}.
     *
     * @param className of the class
     * @param thrown by it, or while it was made ready for use
     */
    public static String by(String className, Throwable thrown) {
        return "class " + className + " failed: " + why(thrown);
    }

    /** The same, by the first class on its way that is not Java's own. */
    static String by(Throwable thrown) {
        return Arrays.stream(thrown.getStackTrace())
                .filter(frame -> frame.getModuleName() == null)
                .findFirst()
                .map(frame -> by(frame.getClassName(), thrown))
                .orElseGet(() -> why(thrown));
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
