package hocket.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.annotation.processing.Processor;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

/** Compiles one source with a processor. */
final class Compiler {
    private Compiler() {}

    /** The source that a processor writes for another, which compile together. */
    static String written(Path folder, Processor processor, String name, String source, String written)
            throws IOException {
        compile(folder, processor, name, source);
        return Files.readString(folder.resolve("made").resolve(written + ".java"));
    }

    /** Compiles a source into a folder. */
    static void compile(Path folder, Processor processor, String name, String source) throws IOException {
        assertThat(compiles(folder, processor, name, source)).isTrue();
    }

    /** Compiles a source into a folder. Returns whether there were no errors. */
    static boolean compiles(Path folder, Processor processor, String name, String source) throws IOException {
        Path file = Files.writeString(folder.resolve(name + ".java"), source);
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (var files = compiler.getStandardFileManager(null, null, null)) {
            List<String> options = List.of("-d", folder.toString(), "-cp", System.getProperty("java.class.path"));
            JavaCompiler.CompilationTask task =
                    compiler.getTask(null, files, null, options, null, files.getJavaFileObjects(file));
            task.setProcessors(List.of(processor));
            return task.call();
        }
    }
}
