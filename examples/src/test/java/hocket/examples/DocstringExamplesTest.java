package hocket.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each public type of the packages that users import has an example in its docstring, which compiles; those of scopes run. */
class DocstringExamplesTest {
    private static final Pattern EXAMPLE =
            Pattern.compile(" \\* <p>For example:\n \\*\n \\* <pre>\\{@code\n(.*?) \\* }</pre>\n", Pattern.DOTALL);

    private static final Pattern PUBLIC = Pattern.compile("^public ", Pattern.MULTILINE);

    private static final String OF_SCOPES = """
            import hocket.scopes.*;
            import java.nio.ByteBuffer;
            import java.util.*;
            """;

    private static final String OF_OTHERS = """
            import static hocket.programs.Layers.*;
            import static hocket.programs.Operators.*;
            import static hocket.schedulers.Budget.*;
            import static hocket.schedulers.Plan.*;
            import static hocket.schedulers.Resample.*;
            import static hocket.schedulers.Trigger.*;
            import static hocket.schedulers.optimizers.Optimizers.*;

            import hocket.programs.*;
            import hocket.schedulers.*;
            import hocket.schedulers.plans.Repeat;
            import hocket.scopes.ElementType;
            import hocket.scopes.Parameters;
            import hocket.scopes.Shape;
            import hocket.scopes.Streams;
            import hocket.scopes.Tensor;
            import java.util.*;
            """;

    /** The parts of the GAN of docs/java.md. */
    private static final String NAMES = """
            Graph graph;
            Value real;
            Value fake;
            Network<Value, Value> discriminator;
            Program dStep;
            Program draw;
            Turn.Descend d;
            Turn.Descend g;
            Turn.Follow ema;
            Rows digits;
            Source images;
            Parameters parameters;
            Scheduler scheduler;
            Setup setup;
            Definition definition;
            Run run;
            """;

    @TempDir
    Path folder;

    @ParameterizedTest
    @CsvSource({"scopes, 20", "programs, 10", "schedulers, 25"})
    void eachTypeHasAnExampleThatCompiles(String module, int least) throws Exception {
        Path sources = Path.of(System.getProperty("hocket.root", ".."), module, "src/main/java/hocket", module);
        List<Path> files;
        try (Stream<Path> listed = Files.list(sources)) {
            files = listed.filter(file -> file.toString().endsWith(".java")).toList();
        }
        StringBuilder methods = new StringBuilder();
        int types = 0;
        for (Path file : files) {
            String text = Files.readString(file);
            if (!PUBLIC.matcher(text).find()) {
                continue;
            }
            types++;
            String name = file.getFileName().toString().replace(".java", "");
            Matcher example = EXAMPLE.matcher(text);
            assertThat(example.find()).as(name + " has an example").isTrue();
            methods.append("public void ").append(name).append("() throws Exception {\n");
            methods.append(example.group(1).replaceAll("(?m)^ \\* ?", "")).append("}\n");
        }
        assertThat(types).isGreaterThan(least);
        boolean isScopes = module.equals("scopes");
        SourceCompiler.compile(
                folder,
                "Examples.java",
                (isScopes ? OF_SCOPES : OF_OTHERS) + "public class Examples {\n" + (isScopes ? "" : NAMES) + methods
                        + "}\n");
        if (isScopes) {
            run();
        }
    }

    /** Runs the examples, which need nothing from elsewhere. */
    private void run() throws Exception {
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {folder.toUri().toURL()})) {
            Class<?> examples = loader.loadClass("Examples");
            for (Method example : examples.getDeclaredMethods()) {
                if (!example.isSynthetic()) {
                    example.invoke(examples.getConstructor().newInstance());
                }
            }
        }
    }
}
