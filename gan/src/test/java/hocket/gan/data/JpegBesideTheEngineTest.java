package hocket.gan.data;

import static org.assertj.core.api.Assertions.assertThat;

import hocket.programs.execution.Lowering;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.ServiceLoader;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The engine's library holds a JPEG library of another version than Java's. */
@Tag("engine")
@Tag("processes")
class JpegBesideTheEngineTest {
    @TempDir
    Path folder;

    @Test
    void aJpegIsReadInAProcessThatLoadedTheEngineFirst() throws Exception {
        try (var picture = getClass().getResourceAsStream("/hocket/gan/data/pictures/rgb.jpg")) {
            assertThat(picture).isNotNull();
            Files.copy(picture, folder.resolve("rgb.jpg"));
        }
        Path output = folder.resolve("output.txt");
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        EngineThenPicture.class.getName(),
                        folder.toString())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
        assertThat(Files.readString(output, StandardCharsets.UTF_8))
                .contains("then 1 images")
                .containsPattern("\\[.*mxnet.*]");
    }

    /** What the process runs. */
    static final class EngineThenPicture {
        private EngineThenPicture() {}

        public static void main(String[] args) {
            List<Lowering> engines = ServiceLoader.load(Lowering.class).stream()
                    .map(ServiceLoader.Provider::get)
                    .filter(lowering -> lowering.unavailable().isEmpty())
                    .toList();
            System.out.println(
                    engines.stream().map(Lowering::name).toList() + ", then " + ImageFolder.read(Path.of(args[0]), 3));
        }
    }
}
