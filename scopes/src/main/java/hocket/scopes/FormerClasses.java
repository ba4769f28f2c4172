package hocket.scopes;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The full names that classes had in the release before, as {@code META-INF/hocket/former-classes} of each module lists
 * them: the former and the present one, a line each. Files with former names are readable for one release.
 *
 * <p>For example:
 *
 * <pre>{@code
 * List<String> former = FormerClasses.simpleNames(Path.class); // none, until the class is renamed
 * }</pre>
 */
public final class FormerClasses {
    /** The name of the lists. */
    public static final String RESOURCE = "META-INF/hocket/former-classes";

    private static final Map<String, List<String>> SIMPLE = simple();

    private FormerClasses() {}

    private static Map<String, List<String>> simple() {
        return lines().map(line -> line.split(" +"))
                .collect(Collectors.groupingBy(
                        names -> names[1],
                        Collectors.mapping(names -> names[0].replaceFirst(".*[.$]", ""), Collectors.toList())));
    }

    private static Stream<String> lines() {
        try {
            Stream<String> lines = Stream.empty();
            for (URL url : Collections.list(FormerClasses.class.getClassLoader().getResources(RESOURCE))) {
                try (InputStream in = url.openStream()) {
                    lines = Stream.concat(lines, new String(in.readAllBytes(), StandardCharsets.UTF_8).lines());
                }
            }
            return lines.filter(line -> !line.isBlank() && !line.startsWith("#"));
        } catch (IOException e) {
            throw new UncheckedIOException(RESOURCE + " cannot be read: " + e.getMessage(), e);
        }
    }

    /** Returns a class's former names without packages. */
    public static List<String> simpleNames(Class<?> type) {
        return SIMPLE.getOrDefault(type.getName(), List.of());
    }
}
