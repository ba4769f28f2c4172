package hocket.workbench.sweeps;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import hocket.schedulers.evaluation.Evaluation.Range;
import hocket.workbench.testing.json.Parsed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SeedFactsTest {
    @TempDir
    Path here = Path.of("");

    private SeedFacts facts(String one, String other, Map<String, Range> ranges) throws IOException {
        Path first = Files.writeString(here.resolve("one.json"), one);
        Path second = Files.writeString(here.resolve("other.json"), other);
        return SeedFacts.of("toy", List.of(1L, 2L), List.of(first, second), ranges);
    }

    @Test
    void anIntervalIsCutWhereTheScoreCannotBe() throws IOException {
        SeedFacts facts = facts(
                "{\"error_rate\":0.01,\"distance\":1,\"free\":1}",
                "{\"error_rate\":0.03,\"distance\":3,\"free\":3}",
                Map.of("error_rate", Range.SHARE, "distance", Range.FROM_ZERO));
        assertThat(facts.lines())
                .anyMatch(line -> line.matches("error_rate +0.0200 +0.0141 +0.0000 to 0.1471"))
                .anyMatch(line -> line.matches("distance +2.0000 +1.4142 +0.0000 to 14.7062"))
                .anyMatch(line -> line.matches("free +2.0000 +1.4142 +-10.7062 to 14.7062"));
    }

    @Test
    void theEndsOfAnIntervalHaveNoIntervalOfTheirOwn() throws IOException {
        SeedFacts facts = facts(
                "{\"return_mean\":1,\"return_mean_low\":0,\"return_mean_high\":2,\"ceiling_high\":5}",
                "{\"return_mean\":2,\"return_mean_low\":1,\"return_mean_high\":3,\"ceiling_high\":6}",
                Map.of());
        assertThat(facts.lines())
                .anyMatch(line -> line.startsWith("return_mean "))
                .anyMatch(line -> line.startsWith("ceiling_high "))
                .noneMatch(line -> line.contains("return_mean_"));
        JsonNode low = Parsed.document(facts.json()).get("scores").get("return_mean_low");
        assertThat(low.get("mean").asDouble()).isEqualTo(0.5);
        assertThat(low.get("mean_low").isNull()).isTrue();
        assertThat(low.get("standard_deviation").isNull()).isTrue();
    }
}
