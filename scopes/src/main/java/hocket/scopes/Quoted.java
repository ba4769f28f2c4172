package hocket.scopes;

import java.util.Collection;
import java.util.stream.Collectors;

/**
 * Quotes a text in a message, shortened to its beginning if it is long. A damaged file may hold texts of megabytes.
 *
 * <p>For example:
 *
 * <pre>{@code
 * String part = Quoted.text("a text of a damaged file"); // at most its beginning
 * }</pre>
 */
public final class Quoted {
    private static final int TEXT = 40;
    private static final int NAME = 200;
    private static final int LIST = 10;

    private Quoted() {}

    /** A value: at most 40 characters of it, and {@code …} where there are more. */
    public static String text(String value) {
        return cut(value, TEXT);
    }

    /** Quotes a name, shortened to at most 200 characters. */
    public static String name(String name) {
        return cut(name, NAME);
    }

    /** A list as Java writes it, {@code [1, 2]}; a long one ends after ten: {@code [1, …, 10, and 990 more]}. */
    public static String list(Collection<?> items) {
        String end = items.size() > LIST ? ", and " + (items.size() - LIST) + " more]" : "]";
        return items.stream()
                .limit(LIST)
                .map(item -> name(String.valueOf(item)))
                .collect(Collectors.joining(", ", "[", end));
    }

    private static String cut(String text, int most) {
        if (text.length() <= most) {
            return text;
        }
        boolean isPair = Character.isHighSurrogate(text.charAt(most - 1));
        return text.substring(0, isPair ? most - 1 : most) + "…";
    }
}
