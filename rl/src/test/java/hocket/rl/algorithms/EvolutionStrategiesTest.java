package hocket.rl.algorithms;

import static hocket.schedulers.optimizers.Optimizers.sgd;

import com.fasterxml.jackson.databind.JsonNode;
import hocket.programs.Graph;
import hocket.programs.Loss;
import hocket.programs.Mode;
import hocket.programs.Program;
import hocket.programs.Session.Feeds;
import hocket.programs.Value;
import hocket.rl.Golden;
import hocket.rl.search.MirroredSearch;
import hocket.schedulers.Scheduler;
import hocket.schedulers.Turn;
import hocket.scopes.Declaration;
import hocket.scopes.ElementType;
import hocket.scopes.Parameters;
import hocket.scopes.Shape;
import hocket.scopes.Streams;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class EvolutionStrategiesTest {
    @Test
    @Tag("golden")
    void anUpdateFollowsTheEstimate() {
        for (JsonNode golden : Golden.read("losses/rl2.json").get("openai_es").get("cases")) {
            double[] theta = Golden.numbers(golden.get("theta"));
            Graph graph = new Graph(ElementType.FLOAT64);
            Value weights;
            try (var actor = graph.module("actor")) {
                weights =
                        graph.parameter("theta", (path, type) -> Declaration.zeros(path, Shape.of(theta.length), type));
            }
            Program policy = Program.compile("act", Mode.EVAL, weights);
            double decay = golden.get("l2coeff").asDouble();
            Loss loss = Loss.of(EvolutionStrategies.loss(graph, policy, decay));
            Turn.Descend update = Turn.of("update", Program.compile("update", Mode.TRAIN, loss))
                    .updates("actor/**", sgd(golden.get("learning_rate").asDouble()));
            try (Parameters store = Parameters.initialise(graph.declarations(), Streams.seed(1));
                    Scheduler scheduler = Scheduler.over(store, 1)) {
                store.set("actor/theta", theta);
                double[] estimate = Golden.numbers(golden.get("gradient_rank_shaped"));
                scheduler.step(
                        update,
                        Feeds.rows(1)
                                .and(
                                        MirroredSearch.ASCENT,
                                        Golden.tensor(Shape.of(1, theta.length), ElementType.FLOAT64, estimate)));
                Golden.assertNear(
                        "theta",
                        store.tensor("actor/theta").doubles(),
                        Golden.numbers(golden.get("theta_after_sgd")),
                        1e-12);
            }
        }
    }
}
