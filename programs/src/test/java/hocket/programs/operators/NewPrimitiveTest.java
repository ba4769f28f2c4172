package hocket.programs.operators;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A primitive operator is its record and a rule in each lowering's table: the compiler names the tables that lack one. */
class NewPrimitiveTest {
    private static final String PLAIN = "jvm/PlainTable.java";
    private static final String DENSE = "jvm/dense/DenseTable.java";
    private static final String ENGINE = "mxnet/EngineTable.java";

    private static final String CUBE = """
            package hocket.programs.operators;

            public record Cube() implements Primitive {
                @Override
                public <R> R rule(Rules<R> rules) {
                    return rules.cube(this);
                }
            }
            """;

    @TempDir
    private Path classes;

    /** A source file in memory. */
    private static final class Source extends SimpleJavaFileObject {
        private final String text;

        Source(String file, String text) {
            super(URI.create("string:///" + file), Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }

    private static String main(String file) throws IOException {
        return Files.readString(
                Path.of(System.getProperty("hocket.root", ".."), "programs/src/main/java/hocket/programs", file));
    }

    /** Compiles sources against the compiled rest, and returns the errors: file, then message. */
    private List<String> errors(List<Source> sources) {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
        List<String> options =
                List.of("-proc:none", "-d", classes.toString(), "-classpath", System.getProperty("java.class.path"));
        compiler.getTask(null, null, found, options, null, sources).call();
        return found.getDiagnostics().stream()
                .filter(diagnostic -> diagnostic.getKind() == Diagnostic.Kind.ERROR)
                .map(error -> error.getSource().getName() + ": " + error.getMessage(Locale.ROOT))
                .toList();
    }

    @Test
    void theCompilerNamesEachTableThatLacksTheRuleOfANewPrimitive() throws IOException {
        String primitive = main("operators/Primitive.java")
                .replaceFirst("permits Leaf,", "permits Cube, Leaf,")
                .replaceFirst("interface Rules<R> \\{", "interface Rules<R> { R cube(Cube operator);");
        List<Source> sources =
                new ArrayList<>(List.of(new Source("Primitive.java", primitive), new Source("Cube.java", CUBE)));
        assertThat(errors(sources)).isEmpty();
        for (String table : List.of(PLAIN, DENSE, ENGINE)) {
            sources.add(new Source(table, main(table)));
        }
        assertThat(errors(sources))
                .hasSize(3)
                .allSatisfy(error -> assertThat(error)
                        .contains("is not abstract and does not override abstract method", "cube(", "Cube"))
                .anySatisfy(error -> assertThat(error).startsWith("/" + PLAIN))
                .anySatisfy(error -> assertThat(error).startsWith("/" + DENSE))
                .anySatisfy(error -> assertThat(error).startsWith("/" + ENGINE));
    }

    @ParameterizedTest
    @ValueSource(strings = {PLAIN, DENSE, ENGINE})
    void theCompilerNamesTheOperatorWhoseRuleATableLost(String table) throws IOException {
        String whole = main(table);
        assertThat(errors(List.of(new Source(table, whole)))).isEmpty();
        String less = whole.replaceFirst("(?s) {4}@Override\\s+public [^(;{]*\\boneHot\\([^}]*}\n", "");
        assertThat(less).isNotEqualTo(whole);
        assertThat(errors(List.of(new Source(table, less))))
                .singleElement()
                .asString()
                .contains("does not override abstract method oneHot(hocket.programs.operators.Arrangement.OneHot)");
    }
}
