package hocket.rl.losses;

import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.multiply;
import static hocket.programs.Operators.scale;
import static hocket.programs.Operators.sum;
import static hocket.programs.Operators.transpose;
import static hocket.rl.losses.LossCase.golden;
import static hocket.rl.losses.ReturnDistribution.chosen;

import com.fasterxml.jackson.databind.JsonNode;
import hocket.programs.Value;
import hocket.programs.layers.Weights;
import hocket.rl.Golden;
import hocket.rl.losses.LossCase.Way;
import hocket.rl.networks.NoisyDense;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Compares distributions of returns with RLax and sb3-contrib, and noisy layers with TorchRL. */
@Tag("golden")
class DistributionGoldenTest {
    @ParameterizedTest
    @MethodSource(LossCase.WAYS)
    void noisyLayersAreThoseOfTheReferenceImplementation(Way way) {
        for (JsonNode golden : golden("noisy_linear").get("cases")) {
            int rows = Golden.shape(golden.get("x")).get(0);
            LossCase graph = new LossCase(way, rows);
            Value x = graph.trained("x", golden.get("x"));
            Value left = graph.constant(
                    Golden.numbers(golden.get("noise_in")), x.shape().get(0));
            int units = Golden.shape(golden.get("noise_out")).get(0);
            Value right = graph.constant(Golden.numbers(golden.get("noise_out")), units);
            Map<String, JsonNode> gradients = new HashMap<>(Map.of("x", golden.get("grad_x")));
            Value output;
            try (var scope = graph.graph.module("q")) {
                output = NoisyDense.of("layer", x, units, Weights.standard(), 0.5, left, right);
            }
            for (String kind : List.of("weight", "bias")) {
                graph.parameter("q/layer/" + kind, golden.get(kind + "_mu"));
                graph.parameter("q/layer_sigma/" + kind, golden.get(kind + "_sigma"));
                gradients.put("q/layer/" + kind, golden.get("grad_" + kind + "_mu"));
                gradients.put("q/layer_sigma/" + kind, golden.get("grad_" + kind + "_sigma"));
            }
            graph.expect("output", output, golden.get("output"));
            Value weighed = sum(multiply(output, graph.fed("upstream", golden.get("upstream"))), 0);
            double[] outputs = Golden.numbers(golden.get("output"));
            double[] upstream = Golden.numbers(golden.get("upstream"));
            double total = 0;
            for (int i = 0; i < outputs.length; i++) {
                total += outputs[i] * upstream[i];
            }
            Map<String, double[]> numbers = new HashMap<>();
            gradients.forEach((path, node) -> numbers.put(path, Golden.numbers(node)));
            graph.descend("sum", scale(mean(weighed), rows), total, numbers);
            graph.check();
        }
    }

    @ParameterizedTest
    @MethodSource(LossCase.WAYS)
    void categoricalReturnsWithDoubleQLearningAreThoseOfRlax(Way way) {
        JsonNode golden = golden("c51_double");
        double[] atoms = Golden.numbers(golden.get("atoms"));
        ReturnDistribution distribution =
                new CategoricalReturn(atoms.length, atoms[0], atoms[atoms.length - 1]); // equidistant, as in C51
        LossCase graph = new LossCase(way, Golden.shape(golden.get("rewards")).get(0));
        Value logits = graph.trained("online_logits", golden.get("online_logits"));
        Value next = graph.fed("target_logits_next", golden.get("target_logits_next"));
        Value chooses = graph.fed("online_logits_next", golden.get("online_logits_next"));
        Value reward = graph.fed("rewards", golden.get("rewards"));
        Value discount = graph.fed("discounts", golden.get("discounts"));
        Value taken = chosen(logits, graph.fed("actions", golden.get("actions")));
        Value target = distribution.target(reward, discount, next, distribution.expectation(chooses));
        Value loss = distribution.loss(taken, target);
        graph.expect("selector_q", distribution.expectation(chooses), golden.get("selector_q"));
        graph.expect("projected_target", target, golden.get("projected_target"));
        graph.expect("per_sample_loss", loss, golden.get("per_sample_loss"));
        graph.expect("divergence", distribution.error(taken, target, loss), divergences(golden));
        Value single = distribution.target(reward, discount, next, distribution.expectation(next));
        graph.expect("single", distribution.loss(taken, single), golden.get("single_selection_per_sample_loss"));
        graph.descend(
                "loss",
                mean(multiply(graph.fed("weights", golden.get("weights")), loss)),
                golden.get("loss"),
                Map.of("online_logits", golden.get("grad_online_logits")));
        graph.check();
    }

    /** The losses without the entropies of their targets. */
    private static double[] divergences(JsonNode golden) {
        double[] losses = Golden.numbers(golden.get("per_sample_loss"));
        double[] targets = Golden.numbers(golden.get("projected_target"));
        for (int i = 0; i < targets.length; i++) {
            losses[i / (targets.length / losses.length)] += targets[i] == 0 ? 0 : targets[i] * Math.log(targets[i]);
        }
        return losses;
    }

    @ParameterizedTest
    @MethodSource(LossCase.WAYS)
    void quantilesWithAndWithoutDoubleQLearningAreThoseOfRlax(Way way) {
        JsonNode golden = golden("qr_dqn_double");
        for (Iterator<Map.Entry<String, JsonNode>> all = golden.get("variants").fields(); all.hasNext(); ) {
            Map.Entry<String, JsonNode> variant = all.next();
            double kappa = variant.getKey().endsWith("_1") ? 1 : 0;
            boolean isDouble = variant.getKey().startsWith("double");
            int quantiles = Golden.shape(golden.get("quantiles")).get(1);
            ReturnDistribution distribution = new QuantileReturn(quantiles, kappa);
            LossCase graph =
                    new LossCase(way, Golden.shape(golden.get("rewards")).get(0));
            Value outputs = graph.trained("quantiles", golden.get("quantiles"));
            Value frozen = transpose(graph.fed("target_quantiles_next", golden.get("target_quantiles_next")), 1, 0);
            Value trained = transpose(graph.fed("online_quantiles_next", golden.get("online_quantiles_next")), 1, 0);

            Value target = distribution.target(
                    graph.fed("rewards", golden.get("rewards")),
                    graph.fed("discounts", golden.get("discounts")),
                    frozen,
                    distribution.expectation(isDouble ? trained : frozen));
            Value taken = chosen(transpose(outputs, 1, 0), graph.fed("actions", golden.get("actions")));
            Value loss = distribution.loss(taken, target);
            graph.expect(variant.getKey(), loss, variant.getValue().get("per_sample_loss"));
            graph.descend(
                    variant.getKey(),
                    mean(loss),
                    variant.getValue().get("loss"),
                    Map.of("quantiles", variant.getValue().get("grad_quantiles")));
            graph.check();
        }
    }
}
