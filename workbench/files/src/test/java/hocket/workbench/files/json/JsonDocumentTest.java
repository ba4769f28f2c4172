package hocket.workbench.files.json;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import hocket.workbench.testing.json.Parsed;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class JsonDocumentTest {
    private enum Kind {
        TRAIN
    }

    private record Facts(
            String someName,
            long count,
            double rate,
            Kind kind,
            List<Facts> parts,
            @Nullable Long unknown) {
        @SuppressWarnings("unused") // is not a component, so is not written
        String text() {
            return "facts";
        }
    }

    @Test
    void recordsBecomeObjectsOfTheirComponents() {
        Facts part = new Facts("ü \"x\"", Long.MAX_VALUE, Double.NaN, Kind.TRAIN, List.of(), null);
        Facts whole = new Facts("a", 1, 2e-4, Kind.TRAIN, Arrays.asList(part), 3L);
        JsonNode json = Parsed.document(JsonDocument.of(whole));
        assertThat(json.properties())
                .extracting(Map.Entry::getKey)
                .containsExactly("some_name", "count", "rate", "kind", "parts", "unknown");
        assertThat(json.path("rate").doubleValue()).isEqualTo(2e-4);
        JsonNode inner = json.path("parts").get(0);
        assertThat(inner.path("some_name").textValue()).isEqualTo("ü \"x\"");
        assertThat(inner.path("count").longValue()).isEqualTo(Long.MAX_VALUE);
        assertThat(inner.path("rate").textValue()).isEqualTo("NaN");
        assertThat(inner.path("kind").textValue()).isEqualTo("TRAIN");
        assertThat(inner.path("unknown").isNull()).isTrue();
    }
}
