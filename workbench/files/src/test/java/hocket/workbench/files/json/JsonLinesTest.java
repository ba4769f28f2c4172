package hocket.workbench.files.json;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JsonLinesTest {
    @Test
    void whatJsonHasNoNumberForIsAText() {
        Map<String, Object> values = new TreeMap<>(
                Map.of("a", Double.NaN, "b", Double.NEGATIVE_INFINITY, "c", 0.5, "d", 3L, "e", "say \"x\""));
        assertThat(JsonLines.line(values))
                .isEqualTo("{\"a\":\"NaN\",\"b\":\"-Infinity\",\"c\":0.5,\"d\":3,\"e\":\"say \\\"x\\\"\"}");
    }

    @Test
    void linesBeyondAStepAndUnfinishedOnesAreDropped(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("metrics.jsonl");
        Files.writeString(file, "{\"step\":1}\n{\"step\":2}\n{\"step\":3}\n{\"st");
        JsonLines.dropBeyond(file, 2);
        assertThat(file).hasContent("{\"step\":1}\n{\"step\":2}\n");
        JsonLines.dropBeyond(folder.resolve("none"), 2);
        assertThat(folder.resolve("none")).doesNotExist();
    }
}
