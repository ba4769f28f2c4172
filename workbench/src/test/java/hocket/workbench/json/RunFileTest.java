package hocket.workbench.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunFileTest {
    @TempDir
    Path folder = Path.of("");

    @Test
    void whatIsWrittenIsReadBackAsText() {
        Map<String, Object> settings = new LinkedHashMap<>();
        settings.put("seed", 7L);
        settings.put("rate", 2e-4);
        settings.put("data", "no: # \"such\" folder");
        settings.put("empty", "");
        new RunFile("digits-gan", "1.0", "mxnet 1.9.0", "vector", 2, settings).write(file());
        RunFile read = RunFile.read(file());
        assertThat(read.experiment()).isEqualTo("digits-gan");
        assertThat(read.threads()).isEqualTo(2);
        assertThat(Double.valueOf(String.valueOf(read.settings().get("rate")))).isEqualTo(2e-4);
        assertThat(read.settings())
                .containsEntry("seed", "7")
                .containsEntry("data", "no: # \"such\" folder")
                .containsEntry("empty", "");
    }

    @Test
    void aMalformedFileIsRefusedWithItsNameAndLine() throws IOException {
        assertRefused("experiment: a\nsettings: {seed: 7\n", "experiment.yaml:", "is no YAML");
        assertRefused("3", "must hold keys and values");
        assertRefused("experimnt: a", "there is no key experimnt; did you mean experiment?");
        assertRefused("experiment: a", "settings must be keys and values");
        assertRefused("settings: {seed: [7]}", "settings/seed must be a single value");
        assertRefused("settings: {}", "experiment must be a text");
        assertRefused(
                "{experiment: a, hocket: b, lowering: c, kernels: d, threads: 0, settings: {}}",
                "threads must be a whole number of at least 1, was 0");
    }

    private void assertRefused(String text, String... messages) throws IOException {
        Files.writeString(file(), text);
        assertThatThrownBy(() -> RunFile.read(file()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll(messages);
    }

    private Path file() {
        return folder.resolve("experiment.yaml");
    }
}
