package hocket.gan.losses;

import static hocket.programs.Layers.dense;
import static hocket.schedulers.optimizers.Optimizers.sgd;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hocket.programs.Graph;
import hocket.programs.Mode;
import hocket.programs.Network;
import hocket.programs.Program;
import hocket.programs.Session.Feeds;
import hocket.programs.Value;
import hocket.schedulers.Event;
import hocket.schedulers.Scheduler;
import hocket.schedulers.Turn;
import hocket.schedulers.Writes;
import hocket.scopes.Parameters;
import hocket.scopes.Scope;
import hocket.scopes.Shape;
import hocket.scopes.Streams;
import hocket.scopes.Tensor;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a GAN loss does beside its formula. */
class GanLossTest {
    @Test
    void theDiscriminatorsLossDoesNotReachTheGenerator() {
        Graph graph = new Graph();
        Value real = graph.input("real", Shape.of(2));
        Value fake;
        try (Scope<Value> generator = graph.module("generator")) {
            fake = dense("out", graph.noise("noise", Shape.of(3)), 2);
        }
        Network<Value, Value> discriminator = graph.module("discriminator", x -> dense("logit", x, 1));
        for (GanLoss loss : List.of(GanLoss.nonSaturating(), GanLoss.leastSquares())) {
            Program forD = Program.compile("d", Mode.TRAIN, loss.discriminator(discriminator, real, fake));
            Program forG = Program.compile("g", Mode.TRAIN, loss.generator(discriminator, fake));
            assertThatThrownBy(() -> Writes.of(
                            List.of(Turn.of("d", forD).updates("generator/**", sgd(1))), graph.declarations()))
                    .hasMessageContaining("turn d selects generator/out/bias")
                    .hasMessageContaining("is cut by stop_gradient");
            assertThat(forD.reached()).hasToString("[discriminator/logit/bias, discriminator/logit/weight]");
            assertThat(forG.reached()).hasSize(4);
            assertThat(forG.inputs()).isEmpty();
        }
    }

    @Test
    void aWassersteinDiscriminatorIsKeptSmoothByAPenaltyOfItsGradientThatWeighsSomething() {
        GanLoss game = GanLoss.wasserstein();
        assertThat(game.needsSmoothness()).isTrue();
        assertThat(game.with(Penalty.wganGp(10)).needsSmoothness()).isFalse();
        assertThat(game.with(Penalty.wganGp(0)).needsSmoothness()).isTrue();
        Penalty consistency = Penalty.consistency(10, rows -> rows);
        assertThat(game.with(consistency, Penalty.balancedConsistency(10, rows -> rows))
                        .needsSmoothness())
                .isTrue();
        assertThat(game.with(consistency).with(Penalty.r1(10)).needsSmoothness())
                .isFalse();
        assertThat(GanLoss.hinge().with(consistency).needsSmoothness()).isFalse();
    }

    @Test
    @Tag("engine")
    void theErrorRateIsTheShareOfRowsOnTheWrongSideOfTheBoundary() {
        for (GanLoss loss : List.of(GanLoss.nonSaturating(), GanLoss.leastSquares())) {
            Graph graph = new Graph();
            Value real = graph.input("real", Shape.of(1));
            Value fake = graph.input("fake", Shape.of(1));
            Network<Value, Value> discriminator = graph.module("discriminator", x -> dense("logit", x, 1));
            Turn.Descend d = Turn.of(
                            "d", Program.compile("d", Mode.TRAIN, loss.discriminator(discriminator, real, fake)))
                    .updates("discriminator/**", sgd(0.1));
            try (Parameters parameters = Parameters.initialise(graph.declarations(), Streams.seed(1));
                    Scheduler scheduler = Scheduler.over(parameters, 1)) {
                parameters.set("discriminator/logit/weight", 1);
                float b = (float) loss.boundary();
                // of four real rows one is taken for generated, of four generated ones two for real
                Event.Descended event = scheduler.step(
                        d,
                        Feeds.of("real", Tensor.of(Shape.of(4, 1), b + 1, b + 2, b - 1, b + 3))
                                .and("fake", Tensor.of(Shape.of(4, 1), b + 1, b - 2, b - 1, b + 3)));
                assertThat(event.metrics().get("error_rate")).isEqualTo(3.0 / 8);
            }
        }
    }
}
