package hocket.workbench.command;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.ToolProvider;

/** Classes of a user's own, compiled for a test, and an experiment to put them into. */
final class OwnClasses {
    /** Takes a moment. */
    static final String RING = """
            include: gaussian-ring
            feeds: {ring: {rows: 64, batch: 8}}
            network: {width: 8}
            evaluation: {samples: 100}
            on: []
            budget: {rounds: 20}
            """;

    private static final Pattern PACKAGE = Pattern.compile("(?m)^package (\\S+);");
    private static final Pattern NAME = Pattern.compile("public (?:record|class) (\\w+)");

    private OwnClasses() {}

    /** The experiment with a key of one's own, in place of its own of that name. */
    static String ringWith(String use) {
        String key = use.substring(0, use.indexOf(':') + 1);
        return RING.lines().filter(line -> !line.startsWith(key)).collect(joining("\n")) + "\n" + use + "\n";
    }

    /** A folder of classes in a test's folder. Each source is of one public class, with what is beside it. */
    static Path folder(Path here, String... sources) throws IOException {
        Path classes = Files.createDirectories(here.resolve("classes"));
        List<String> arguments = new ArrayList<>(List.of(
                "-d", classes.toString(), "-parameters", "-proc:none", "-cp", System.getProperty("java.class.path")));
        for (String source : sources) {
            Matcher named = NAME.matcher(source);
            assertThat(named.find()).isTrue();
            Matcher inside = PACKAGE.matcher(source);
            Path folder = inside.find() ? here.resolve(inside.group(1).replace('.', '/')) : here;
            Path file = Files.createDirectories(folder).resolve(named.group(1) + ".java");
            Files.writeString(file, source);
            arguments.add(file.toString());
        }
        assertThat(ToolProvider.getSystemJavaCompiler().run(null, null, null, arguments.toArray(String[]::new)))
                .isZero();
        return classes;
    }

    /** The same as a jar. */
    static Path jar(Path here, String... sources) throws IOException {
        Path classes = folder(here, sources);
        Path jar = here.resolve("own.jar");
        try (OutputStream out = Files.newOutputStream(jar);
                JarOutputStream entries = new JarOutputStream(out);
                Stream<Path> files = Files.walk(classes)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                entries.putNextEntry(new JarEntry(classes.relativize(file).toString()));
                Files.copy(file, entries);
            }
        }
        return jar;
    }
}
