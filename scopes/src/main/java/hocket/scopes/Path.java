package hocket.scopes;

import java.util.regex.Pattern;

/**
 * The name of a parameter or value: segments joined by {@code /}, such as {@code generator/up/conv1/weight}. A segment
 * consists of letters, digits and {@code _ . + -} and does not start with a dot; a call of a module has its number,
 * {@code discriminator#2}. Ordered as text.
 *
 * <p>For example:
 *
 * <pre>{@code
 * Path weight = Path.of("generator/up/conv1").resolve("weight");
 * String module = weight.module(); // generator
 * boolean isInside = weight.isUnder(Path.of("generator/up"));
 * }</pre>
 *
 * @param text the segments
 */
public record Path(String text) implements Comparable<Path> {
    private static final Pattern CALLS = Pattern.compile("#[0-9]+");

    /** @throws IllegalArgumentException if a segment is empty or holds another character */
    public Path {
        for (String segment : text.split("/", -1)) {
            if (!isSegment(segment)) {
                throw new IllegalArgumentException("\"" + text + "\" is not a path: segment \"" + segment
                        + "\" must be letters, digits, _ . + or -, at least one, the first not a dot");
            }
        }
    }

    /** Without a regular expression: graphs are full of paths. */
    private static boolean isSegment(String segment) {
        int call = segment.indexOf('#');
        int end = call < 0 ? segment.length() : call;
        boolean fits = end > 0 && segment.charAt(0) != '.' && call != segment.length() - 1;
        for (int i = 0; i < segment.length() && fits; i++) {
            char c = segment.charAt(i);
            boolean isDigit = c >= '0' && c <= '9';
            boolean isLetter = c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z';
            fits = isDigit || i == call || i < end && (isLetter || "_.+-".indexOf(c) >= 0);
        }
        return fits;
    }

    /**
     * The path with this text.
     *
     * @throws IllegalArgumentException if it is not one
     */
    public static Path of(String text) {
        return new Path(text);
    }

    /**
     * Returns this path with more segments: {@code generator} and {@code up/conv1} give {@code generator/up/conv1}.
     *
     * @throws IllegalArgumentException if they are not segments
     */
    public Path resolve(String more) {
        return new Path(text + "/" + more);
    }

    /** The last segment. */
    public String name() {
        return text.substring(text.lastIndexOf('/') + 1);
    }

    /** The first segment: the module. */
    public String module() {
        int slash = text.indexOf('/');
        return slash < 0 ? text : text.substring(0, slash);
    }

    /** Returns this path without call numbers: {@code discriminator#2/conv1} gives {@code discriminator/conv1}. */
    public Path withoutCalls() {
        return text.indexOf('#') < 0 ? this : new Path(CALLS.matcher(text).replaceAll(""));
    }

    /** Returns whether this path is {@code prefix} or under it. */
    public boolean isUnder(Path prefix) {
        return text.startsWith(prefix.text)
                && (text.length() == prefix.text.length() || text.charAt(prefix.text.length()) == '/');
    }

    /**
     * Returns this path with one leading part replaced by another.
     *
     * @throws IllegalArgumentException if this path is not under {@code from}
     */
    public Path rebase(Path from, Path to) {
        if (!isUnder(from)) {
            throw new IllegalArgumentException(text + " is not under " + from);
        }
        return new Path(to.text + text.substring(from.text.length()));
    }

    @Override
    public int compareTo(Path other) {
        return text.compareTo(other.text);
    }

    @Override
    public String toString() {
        return text;
    }
}
