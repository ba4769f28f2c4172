package hocket.gan.augmentations;

import static hocket.programs.Layers.dense;
import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.multiply;
import static hocket.programs.Operators.sign;
import static hocket.schedulers.optimizers.Optimizers.sgd;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import hocket.gan.Golden;
import hocket.programs.Graph;
import hocket.programs.Loss;
import hocket.programs.Mode;
import hocket.programs.Program;
import hocket.programs.Value;
import hocket.schedulers.Budget;
import hocket.schedulers.Resample;
import hocket.schedulers.Rows;
import hocket.schedulers.Scheduler;
import hocket.schedulers.Trigger;
import hocket.schedulers.Turn;
import hocket.scopes.ElementType;
import hocket.scopes.Parameters;
import hocket.scopes.Scope;
import hocket.scopes.Shape;
import hocket.scopes.Streams;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/** The probability of an adaptive augmentation over a run whose discriminator's outputs are given, against StyleGAN2-ADA's. */
@Tag("golden")
@Tag("engine")
class AdjustAugmentationTest {
    @TestFactory
    Stream<DynamicTest> theProbabilityIsThatOfThePublicCode() {
        return Golden.all(Golden.read("gan-steps2.json"), "ada").stream()
                .flatMap(golden -> Stream.of(ElementType.FLOAT64, ElementType.FLOAT32)
                        .map(type -> DynamicTest.dynamicTest(
                                golden.get("name").asText() + " " + type, () -> check(golden, type))));
    }

    private static void check(JsonNode golden, ElementType type) {
        int batch = golden.get("batch").asInt();
        int every = golden.get("every").asInt();
        AdjustAugmentation adjust = new AdjustAugmentation(
                "d/real_sign",
                "augment/p",
                golden.get("target").asDouble(),
                every,
                batch,
                golden.get("kimg").asDouble());
        Graph graph = new Graph(type);
        Value logit = graph.input("logit", Shape.of(1));
        Value loss;
        try (Scope<Value> augment = graph.module("augment")) {
            loss = mean(multiply(
                    graph.setting(Adaptive.PROBABILITY, golden.get("p_start").asDouble()), logit));
        }
        Value any = graph.module("any", (Value x) -> dense("layer", x, 1)).apply(logit);
        Turn.Descend d = Turn.of(
                        "d",
                        Program.compile(
                                "d",
                                Mode.TRAIN,
                                Loss.of(mean(multiply(loss, any))).metric("real_sign", mean(sign(logit)))))
                .updates("any/**", sgd(0));
        int rows = Golden.shape(golden.get("real_logits")).get(0);
        JsonNode sequence = golden.get("sequence");
        List<Double> probabilities = new ArrayList<>();
        try (Parameters parameters = Parameters.initialise(graph.declarations(), Streams.seed(1));
                Scheduler scheduler = Scheduler.over(parameters, 1)) {
            scheduler
                    .plan(d)
                    .feed(
                            Rows.of(
                                            "logit",
                                            Golden.tensor(
                                                    Shape.of(rows * batch, 1),
                                                    type,
                                                    Golden.numbers(golden.get("real_logits"))))
                                    .batchesInOrder("logits", batch),
                            Resample.EACH_TURN);
            scheduler.on(new Trigger.EveryRounds(every), run -> {
                adjust.accept(run);
                probabilities.add(run.setting("augment/p"));
            });
            scheduler.run(Budget.rounds(rows));
        }
        assertThat(probabilities).hasSameSizeAs(sequence);
        for (int i = 0; i < sequence.size(); i++) {
            assertThat(probabilities.get(i))
                    .as("adjustment %d", i)
                    .isCloseTo(sequence.get(i).get("p").asDouble(), within(type == ElementType.FLOAT64 ? 1e-12 : 1e-6));
        }
    }
}
