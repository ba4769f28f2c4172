package hocket.rl.search;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import hocket.rl.Golden;
import java.util.Arrays;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Compares the fit of the cross-entropy method and the estimate of evolution strategies with NumPy. */
class SearchGoldenTest {
    private static double[][] rows(JsonNode tensor) {
        double[] all = Golden.numbers(tensor);
        int width = Golden.shape(tensor).get(1);
        double[][] rows = new double[all.length / width][];
        Arrays.setAll(rows, i -> Arrays.copyOfRange(all, i * width, (i + 1) * width));
        return rows;
    }

    @Test
    @Tag("golden")
    void theFitIsThatOfTheElite() {
        for (JsonNode golden : Golden.read("losses/rl2.json").get("cem").get("cases")) {
            Diagonal old = new Diagonal(Golden.numbers(golden.get("old_mean")), Golden.numbers(golden.get("old_std")));
            Diagonal fitted = old.fitted(
                    rows(golden.get("samples")),
                    Golden.numbers(golden.get("scores")),
                    golden.get("n_elite").asInt(),
                    golden.get("smoothing").asDouble(),
                    golden.get("extra_std").asDouble());
            Golden.assertNear("mean", fitted.mean(), Golden.numbers(golden.get("new_mean")), 1e-12);
            Golden.assertNear("deviation", fitted.deviation(), Golden.numbers(golden.get("new_std")), 1e-12);
        }
    }

    @Test
    @Tag("golden")
    void theEstimateIsThatOfSalimans() {
        for (JsonNode golden : Golden.read("losses/rl2.json").get("openai_es").get("cases")) {
            double[][] noise = rows(golden.get("noise"));
            double[] returns = Golden.numbers(golden.get("returns"));
            double sigma = golden.get("sigma").asDouble();
            Golden.assertNear(
                    "ranks",
                    ReturnShaping.RANKS.weights(returns, sigma),
                    Golden.numbers(golden.get("centered_ranks")),
                    1e-12);
            Golden.assertNear(
                    "by ranks",
                    ReturnShaping.RANKS.gradient(noise, returns, sigma),
                    Golden.numbers(golden.get("gradient_rank_shaped")),
                    1e-12);
            Golden.assertNear(
                    "by returns",
                    ReturnShaping.RETURNS.gradient(noise, returns, sigma),
                    Golden.numbers(golden.get("gradient_raw")),
                    1e-12);
        }
    }

    @Test
    void equalReturnsHaveEqualRanks() {
        assertThat(ReturnShaping.RANKS.weights(new double[] {500, 500, 9, 500, 3}, 1))
                .containsExactly(0.25, 0.25, -0.25, 0.25, -0.5);
        assertThat(ReturnShaping.RANKS.gradient(new double[][] {{1}, {-3}}, new double[] {7, 7, 7, 7}, 1))
                .containsExactly(0);
    }
}
