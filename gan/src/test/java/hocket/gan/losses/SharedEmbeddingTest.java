package hocket.gan.losses;

import static hocket.programs.Layers.dense;
import static hocket.programs.Layers.embedding;
import static hocket.programs.Operators.concat;
import static hocket.programs.Operators.stopGradient;
import static hocket.programs.Operators.tanh;
import static hocket.schedulers.optimizers.Optimizers.sgd;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import hocket.gan.Golden;
import hocket.programs.Graph;
import hocket.programs.Mode;
import hocket.programs.Network;
import hocket.programs.Program;
import hocket.programs.Session.Feeds;
import hocket.programs.Value;
import hocket.schedulers.Event;
import hocket.schedulers.Scheduler;
import hocket.schedulers.Turn;
import hocket.scopes.ElementType;
import hocket.scopes.Parameters;
import hocket.scopes.Scope;
import hocket.scopes.Shape;
import hocket.scopes.Streams;
import hocket.scopes.Tensor;
import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A conditional toy whose generator and discriminator read one embedding, against PyTorch (shared-embedding.py). */
@Tag("engine")
class SharedEmbeddingTest {
    private record Toy(Graph graph, Turn.Descend d, Turn.Descend g) {}

    private final JsonNode golden = read();

    @Test
    void anEmbeddingThatBothNetworksReadIsUpdatedByBothTurnsAsInPyTorch() {
        check(toy(false, true), golden.get("shared"));
    }

    @Test
    void aDetachedEmbeddingIsUpdatedThroughTheGeneratorAloneAsInPyTorch() {
        check(toy(true, false), golden.get("detached"));
    }

    @Test
    void aTurnThatSelectsTheDetachedEmbeddingIsRefused() {
        Toy toy = toy(true, true);
        try (Parameters parameters = Parameters.initialise(toy.graph.declarations(), Streams.seed(1));
                Scheduler scheduler = Scheduler.over(parameters, 1)) {
            assertThatThrownBy(() -> scheduler.plan(toy.d))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage(
                            "turn d selects embed/labels/table by embed/**, but the gradient of its loss d_loss does"
                                    + " not reach it: it is cut by discriminator#1/stop_gradient and discriminator#2/stop_gradient and stop_gradient_2");
        }
    }

    /** @param both whether the discriminator's turn selects the embedding too */
    private static Toy toy(boolean detach, boolean both) {
        Graph graph = new Graph(ElementType.FLOAT64);
        Value noise = graph.input("noise", Shape.of(4));
        Value label = graph.input("label", Shape.scalar(), ElementType.INT64);
        Value real = graph.input("real", Shape.of(6));
        Network<Value, Value> embed = graph.module("embed", y -> embedding("labels", y, 3, 2));
        Value fake;
        try (Scope<Value> generator = graph.module("generator")) {
            fake = tanh(dense("out", concat(0, noise, embed.apply(label)), 6));
        }
        Network<Value, Value> discriminator = graph.module("discriminator", x -> {
            Value e = embed.apply(label);
            Value h = tanh(dense("hidden", concat(0, x, detach ? stopGradient(e) : e), 7));
            return dense("logit", h, 1);
        });
        GanLoss loss = GanLoss.nonSaturating();
        var forD = loss.discriminator(discriminator, real, fake);
        graph.name("d_loss", forD.value());
        Turn.Descend d = Turn.of("d", Program.compile("d", Mode.TRAIN, forD)).updates("discriminator/**", sgd(0.1));
        Turn.Descend g = Turn.of("g", Program.compile("g", Mode.TRAIN, loss.generator(discriminator, fake)))
                .updates("generator/**", sgd(0.1))
                .shares("embed/**", sgd(0.1));
        return new Toy(graph, both ? d.shares("embed/**", sgd(0.1)) : d, g);
    }

    private void check(Toy toy, JsonNode turns) {
        try (Parameters parameters = Parameters.initialise(toy.graph.declarations(), Streams.seed(1));
                Scheduler scheduler = Scheduler.over(parameters, 1)) {
            golden.get("weights")
                    .fields()
                    .forEachRemaining(
                            entry -> parameters.set(stored(entry.getKey()), Golden.numbers(entry.getValue())));
            for (int i = 0; i < turns.size(); i++) {
                JsonNode expected = turns.get(i);
                JsonNode round = golden.get("rounds").get(i / 2);
                boolean isD = expected.get("turn").asText().equals("d");
                Turn.Descend turn = isD ? toy.d : toy.g;
                Feeds feeds = Feeds.of("noise", tensor(round.get(isD ? "noise_d" : "noise_g")))
                        .and("label", labels(round.get("label")));
                Event.Descended event =
                        scheduler.step(turn, isD ? feeds.and("real", tensor(round.get("real"))) : feeds);
                Golden.assertNear("loss", new double[] {event.loss()}, Golden.numbers(expected.get("loss")), 1e-12);
                expected.get("grads")
                        .fields()
                        .forEachRemaining(entry -> Golden.assertNear(
                                "gradient by " + entry.getKey(),
                                scheduler.gradient(turn, stored(entry.getKey())).doubles(),
                                Golden.numbers(entry.getValue()),
                                1e-12));
                expected.get("params_after")
                        .fields()
                        .forEachRemaining(entry -> Golden.assertNear(
                                entry.getKey(),
                                parameters.tensor(stored(entry.getKey())).doubles(),
                                Golden.numbers(entry.getValue()),
                                1e-12));
            }
        }
    }

    private static Tensor tensor(JsonNode node) {
        return Golden.tensor(node, ElementType.FLOAT64);
    }

    private static Tensor labels(JsonNode labels) {
        return Tensor.of(
                Shape.of(labels.size()),
                LongStream.range(0, labels.size())
                        .map(i -> labels.get((int) i).asLong())
                        .toArray());
    }

    private static String stored(String name) {
        return name.replace("embed.table", "embed.labels.table").replace('.', '/');
    }

    private static JsonNode read() {
        try (InputStream in =
                Objects.requireNonNull(SharedEmbeddingTest.class.getResourceAsStream("shared-embedding.json"))) {
            return new ObjectMapper().readTree(in);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
