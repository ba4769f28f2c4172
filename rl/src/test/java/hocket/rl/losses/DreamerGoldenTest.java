package hocket.rl.losses;

import static hocket.programs.Operators.mean;
import static hocket.rl.losses.LossCase.golden;

import com.fasterxml.jackson.databind.JsonNode;
import hocket.programs.Value;
import hocket.programs.layers.Distributions.Categorical;
import hocket.rl.Golden;
import hocket.rl.losses.LossCase.Way;
import hocket.rl.models.ImaginedReturns;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Compares the losses and returns of a world model with PyTorch and RLax. */
@Tag("golden")
class DreamerGoldenTest {
    @ParameterizedTest
    @MethodSource(LossCase.WAYS)
    void lambdaReturnsAreThoseOfRlax(Way way) {
        for (JsonNode golden : golden("dreamer_lambda_returns").get("cases")) {
            double gamma = golden.get("gamma").asDouble();
            double[] rewards = Golden.numbers(golden.get("rewards"));
            double[] continues = Golden.numbers(golden.get("continues"));
            double[] values = Golden.numbers(golden.get("values"));
            int horizon = rewards.length - 1;
            double[] discounts =
                    Arrays.stream(later(continues)).map(each -> gamma * each).toArray();
            LossCase graph = new LossCase(way, 1);
            graph.condition(100); // returns of several rewards, whose sum may cancel
            ImaginedReturns imagined = new ImaginedReturns(
                    graph.fed("rewards", later(rewards), horizon), graph.fed("discounts", discounts, horizon));
            Value of = graph.fed("values", values, values.length);
            graph.expect("returns", imagined.lambda(of, golden.get("lambda").asDouble()), golden.get("returns"));
            double[] weights = Golden.numbers(golden.get("weights"));
            graph.expect("weights", imagined.weights(), Arrays.copyOf(weights, horizon));
            graph.check();
        }
    }

    /** Of the states after the first one, to which rewards and continuations belong. */
    private static double[] later(double[] all) {
        return Arrays.copyOfRange(all, 1, all.length);
    }

    @ParameterizedTest
    @MethodSource(LossCase.WAYS)
    void symlogAndItsInverseAreThoseOfRlax(Way way) {
        JsonNode golden = golden("symlog_two_hot");
        double[] x = Golden.numbers(golden.get("x"));
        double[] y = Golden.numbers(golden.get("y"));
        LossCase logarithm = new LossCase(way, x.length);
        logarithm.expect("symlog", Symlog.symlog(logarithm.fed("x", golden.get("x"))), golden.get("symlog"));
        logarithm.check();
        LossCase inverse = new LossCase(way, y.length);
        inverse.condition(40); // the largest argument times its error
        inverse.expect("symexp", Symlog.symexp(inverse.fed("y", golden.get("y"))), golden.get("symexp"));
        inverse.check();
    }

    @ParameterizedTest
    @MethodSource(LossCase.WAYS)
    void twoHotOfSymlogOrInBinsOfSymexpAreThoseOfHafner(Way way) {
        JsonNode golden = golden("symlog_two_hot");
        int rows = Golden.numbers(golden.get("targets")).length;
        for (String bins : List.of("symlog_bins", "symexp_bins")) {
            JsonNode expected = golden.get(bins);
            CategoricalAtoms atoms = CategoricalAtoms.of(Golden.numbers(expected.get("bins")));
            LossCase graph = new LossCase(way, rows);
            graph.condition(1000); // a share of a bin is a difference of numbers of up to its size
            Value target = graph.fed("targets", golden.get("targets"));
            Value logits = graph.trained("logits", expected.get("logits"));
            boolean inSymlog = bins.equals("symlog_bins");
            Value encoded = atoms.twoHot(inSymlog ? Symlog.symlog(target) : target);
            Value prediction = atoms.expectation(logits);
            graph.expect("two_hot", encoded, expected.get("two_hot"));
            graph.expect("prediction", inSymlog ? Symlog.symexp(prediction) : prediction, expected.get("prediction"));
            Value each = atoms.crossEntropy(logits, encoded);
            graph.expect("per_sample_loss", each, expected.get("per_sample_loss"));
            graph.descend("loss", mean(each), expected.get("loss"), Map.of("logits", expected.get("grad_logits")));
            graph.check();
        }
    }

    @ParameterizedTest
    @MethodSource(LossCase.WAYS)
    void theBalancedDivergenceIsThatOfHafner(Way way) {
        JsonNode golden = golden("balanced_kl");
        int rows = Golden.shape(golden.get("posterior_logits")).get(0);
        for (JsonNode one : golden.get("cases")) {
            LossCase graph = new LossCase(way, rows);
            graph.condition(100); // a divergence is a sum of terms of both signs
            double share = one.get("unimix").asDouble();
            Categorical posterior =
                    new Categorical(graph.trained("q", golden.get("posterior_logits"))).mixedWithUniform(share);
            Categorical prior = new Categorical(graph.trained("p", golden.get("prior_logits"))).mixedWithUniform(share);
            graph.expect("kl", BalancedKl.divergence(posterior, prior), one.get("kl"));
            JsonNode third = one.get("v3");
            JsonNode second = one.get("v2_no_free");
            double balance = second.get("balance").asDouble();
            descend(
                    graph,
                    third,
                    new BalancedKl(
                            third.get("beta_dyn").asDouble(),
                            third.get("beta_rep").asDouble(),
                            third.get("free_nats").asDouble()),
                    posterior,
                    prior);
            descend(graph, second, new BalancedKl(balance, 1 - balance, 0), posterior, prior);
            graph.check();
        }
    }

    private static void descend(
            LossCase graph, JsonNode expected, BalancedKl balance, Categorical posterior, Categorical prior) {
        graph.descend(
                balance.toString(),
                balance.loss(posterior, prior),
                expected.get("loss"),
                Map.of("q", expected.get("grad_posterior_logits"), "p", expected.get("grad_prior_logits")));
    }
}
