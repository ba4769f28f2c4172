package hocket.scopes;

import java.util.Arrays;

/**
 * A location in the user's source, for messages.
 *
 * <p>For example:
 *
 * <pre>{@code
 * SourceLocation place = SourceLocation.ofCaller(); // such as MyGan.java:42 (main)
 * }</pre>
 *
 * @param text for example {@code MyGan.java:42 (main)}
 */
public record SourceLocation(String text) {
    private static final StackWalker WALKER = StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);

    /**
     * The innermost caller outside the libraries. A class belongs to a library when it stands in the same package and
     * came from the same jar or folder as one of {@code libraries} (or as this class): so a test in a library's
     * package counts as a user.
     */
    public static SourceLocation ofCaller(Class<?>... libraries) {
        return WALKER.walk(frames -> frames.filter(frame -> !isLibrary(frame.getDeclaringClass(), libraries))
                .findFirst()
                .map(SourceLocation::of)
                .orElse(new SourceLocation("unknown place")));
    }

    /** Code compiled without line numbers is named by its class. */
    private static SourceLocation of(StackWalker.StackFrame frame) {
        String source = frame.getFileName() == null || frame.getLineNumber() < 0
                ? frame.getClassName()
                : frame.getFileName() + ":" + frame.getLineNumber();
        return new SourceLocation(source + " (" + frame.getMethodName() + ")");
    }

    private static boolean isLibrary(Class<?> type, Class<?>... libraries) {
        return type.getPackageName().startsWith("java.")
                || sameHome(type, SourceLocation.class)
                || Arrays.stream(libraries).anyMatch(library -> sameHome(type, library));
    }

    private static boolean sameHome(Class<?> type, Class<?> library) {
        return (type.getPackageName() + ".").startsWith(library.getPackageName() + ".")
                && type.getProtectionDomain().getCodeSource()
                        == library.getProtectionDomain().getCodeSource();
    }

    @Override
    public String toString() {
        return text;
    }
}
