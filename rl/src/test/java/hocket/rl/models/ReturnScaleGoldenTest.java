package hocket.rl.models;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import hocket.programs.Graph;
import hocket.rl.Golden;
import java.util.Arrays;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Compares the scale of returns with NumPy's percentiles. */
@Tag("golden")
class ReturnScaleGoldenTest {
    /** Of returns in single precision, whose rounding errors are 6e-8 of the largest. */
    private static final double ERROR = 1e-5;

    @Test
    void theAveragesOfPercentilesAreThoseOfHafner() {
        ReturnScale scale = new ReturnScale(new Graph(), 0.99);
        double low = 0;
        double high = 0;
        for (JsonNode event :
                Golden.read("losses/rl2.json").get("dreamer_return_scale").get("events")) {
            double[] numbers = Golden.numbers(event.get("returns"));
            float[] returns = new float[numbers.length];
            for (int i = 0; i < returns.length; i++) {
                returns[i] = (float) numbers[i];
            }
            Arrays.sort(returns);
            double below = ReturnScale.percentile(returns, ReturnScale.LOW);
            double above = ReturnScale.percentile(returns, ReturnScale.HIGH);
            near(below, event, "percentile_5");
            near(above, event, "percentile_95");
            double factor = event.get("times_40_after_update").asBoolean() ? 40 : 1;
            low = factor * scale.average(low, below);
            high = factor * scale.average(high, above);
            near(low, event, "low");
            near(high, event, "high");
            near(ReturnScale.scale(low, high), event, "scale");
        }
    }

    private static void near(double actual, JsonNode event, String name) {
        assertThat(actual).as(name).isCloseTo(event.get(name).asDouble(), within(ERROR));
    }
}
