package hocket.workbench.runs;

import java.nio.file.Path;
import java.util.Comparator;
import java.util.regex.Pattern;

/** Names with numbers, such as {@code round-000999} and {@code round-1000000}. */
public final class NumberedNames {
    /** The order of names in which numbers count by their value. */
    public static final Comparator<String> ORDER = Comparator.comparing(NumberedNames::padded);

    /** The same order of files. */
    public static final Comparator<Path> OF_FILES =
            Comparator.comparing(file -> String.valueOf(file.getFileName()), ORDER);

    private static final Pattern NUMBER = Pattern.compile("\\d+");
    private static final int DIGITS = 18;

    private NumberedNames() {}

    private static String padded(String name) {
        return NUMBER.matcher(name)
                .replaceAll(number ->
                        "0".repeat(Math.max(0, DIGITS - number.group().length())) + number.group());
    }
}
