package hocket.schedulers;

import static hocket.programs.Layers.batchNorm;
import static hocket.programs.Layers.dense;
import static hocket.programs.Layers.normalisation;
import static hocket.programs.Operators.add;
import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.square;
import static hocket.schedulers.Budget.rounds;
import static hocket.schedulers.Plan.sequence;
import static hocket.schedulers.Plan.simultaneous;
import static hocket.schedulers.Resample.EACH_TURN;
import static hocket.schedulers.optimizers.Optimizers.adam;
import static hocket.schedulers.optimizers.Optimizers.sgd;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import hocket.programs.Graph;
import hocket.programs.Mode;
import hocket.programs.Network;
import hocket.programs.Program;
import hocket.programs.Session.Feeds;
import hocket.programs.Value;
import hocket.programs.layers.Weights;
import hocket.scopes.ElementType;
import hocket.scopes.Parameters;
import hocket.scopes.Path;
import hocket.scopes.Selection;
import hocket.scopes.Shape;
import hocket.scopes.Snapshot;
import hocket.scopes.Tensor;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.SortedSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What one turn reads and writes. */
@Tag("engine")
class TurnsTest {
    private final Toy.Gan gan = Toy.gan();

    @Test
    void aTurnReadsWhatAnotherWroteIntoTheOneArrayOfAPath() {
        try (Parameters parameters = gan.parameters(7);
                Parameters others = gan.parameters(7);
                Scheduler scheduler = Scheduler.over(parameters, 1);
                Scheduler other = Scheduler.over(others, 1)) {
            Feeds rows = Feeds.of("noise", Tensor.of(Shape.of(4, 3), new float[] {1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 5, 2}));
            double before = scheduler.step(gan.g(), rows).loss();
            assertThat(other.step(gan.g(), rows).loss()).isEqualTo(before);
            other.step(gan.d(), Toy.rows("image", 24, 4).batches(8));
            assertThat(other.step(gan.g(), rows).loss())
                    .isNotEqualTo(scheduler.step(gan.g(), rows).loss());
        }
    }

    @Test
    void followAveragesWeightsAndCopiesStatistics() {
        try (Parameters parameters = gan.parameters(7);
                Scheduler scheduler = Scheduler.over(parameters, 1)) {
            scheduler.batch(8);
            double[] old = parameters.tensor("ema/generator/out/weight").doubles();
            scheduler.step(gan.g());
            double[] now = parameters.tensor("generator/out/weight").doubles();
            assertThat(now).isNotEqualTo(old);
            scheduler.step(gan.ema());
            double[] average = parameters.tensor("ema/generator/out/weight").doubles();
            for (int i = 0; i < old.length; i++) {
                assertThat(average[i]).isCloseTo(0.9 * old[i] + 0.1 * now[i], within(1e-7));
            }
            assertThat(parameters.tensor("ema/generator/norm/variance"))
                    .isEqualTo(parameters.tensor("generator/norm/variance"))
                    .isNotEqualTo(Tensor.of(Shape.of(5), 1f, 1, 1, 1, 1));
        }
    }

    @Test
    void runningStatisticsMoveOnlyInTheirOwnersTurn() {
        try (Parameters parameters = gan.parameters(7);
                Scheduler scheduler = Scheduler.over(parameters, 1)) {
            Source images = Toy.rows("image", 24, 4).batches(8);
            Selection ofG = Selection.of("generator/norm/mean, generator/norm/variance");
            Selection ofD = Selection.of("discriminator/norm/mean, discriminator/norm/variance");
            String g = parameters.digest(ofG);
            String d = parameters.digest(ofD);
            scheduler.step(gan.d(), images);
            assertThat(parameters.digest(ofG)).isEqualTo(g);
            assertThat(parameters.digest(ofD)).isNotEqualTo(d);
            d = parameters.digest(ofD);
            scheduler.step(gan.g());
            assertThat(parameters.digest(ofG)).isNotEqualTo(g);
            assertThat(parameters.digest(ofD)).isEqualTo(d);
        }
    }

    @Test
    void runningStatisticsMoveOnceACallInCallOrder() {
        Graph graph = new Graph(ElementType.FLOAT64);
        Value a = graph.input("a", Shape.of(1));
        Value b = graph.input("b", Shape.of(1));
        Network<Value, Value> net = graph.module(
                "net", x -> dense("out", batchNorm("norm", x, normalisation().momentum(0.25)), 1));
        Value first = net.apply(a);
        Value second = net.apply(b);
        Turn.Descend turn = Turn.of("t", Program.compile("t", Mode.TRAIN, mean(square(add(second, first)))))
                .updates("net/**", sgd(0.1));
        try (Parameters parameters = Toy.store(graph, 7);
                Scheduler scheduler = Scheduler.over(parameters, 1)) {
            scheduler.step(
                    turn,
                    Feeds.of("a", Tensor.of(Shape.of(2, 1), 1.0, 3.0)).and("b", Tensor.of(Shape.of(2, 1), 10.0, 16.0)));
            // mean 2, unbiased variance 2, then 13 and 18, from 0 and 1; the call on a was made first
            double mean = 0.75 * (0.25 * 2) + 0.25 * 13;
            double variance = 0.75 * (0.75 * 1 + 0.25 * 2) + 0.25 * 18;
            assertThat(parameters.tensor("net/norm/mean").doubles()[0]).isCloseTo(mean, within(1e-9));
            assertThat(parameters.tensor("net/norm/variance").doubles()[0]).isCloseTo(variance, within(1e-6));
        }
    }

    @Test
    void spectralNormFollowsTheWeightInTurnsThatUpdateIt() {
        Graph graph = new Graph(ElementType.FLOAT64);
        Value x = graph.input("x", Shape.of(3));
        Network<Value, Value> net =
                graph.module("net", in -> dense("out", in, 2, Weights.standard().spectralNorm()));
        Program program = Program.compile("t", Mode.TRAIN, mean(square(net.apply(x))));
        Turn.Descend all = Turn.of("all", program).shares("net/**", sgd(0));
        Turn.Descend bias = Turn.of("bias", program).shares("net/out/bias", sgd(0));
        Tensor rows = Tensor.of(Shape.of(1, 3), 1.0, 2.0, 3.0);
        try (Parameters parameters = Toy.store(graph, 7);
                Scheduler scheduler = Scheduler.over(parameters, 1)) {
            String before = parameters.digest(Selection.of("net/out/u, net/out/v"));
            scheduler.step(bias, Feeds.of("x", rows));
            assertThat(parameters.digest(Selection.of("net/out/u, net/out/v"))).isEqualTo(before);
            scheduler.step(all, Feeds.of("x", rows));
            assertThat(parameters.digest(Selection.of("net/out/u, net/out/v"))).isNotEqualTo(before);
            assertThat(scheduler.writes().paths("all")).contains(Path.of("net/out/u"), Path.of("net/out/v"));
            assertThat(scheduler.writes().paths("bias")).containsExactly(Path.of("net/out/bias"));
            double[] u = parameters.tensor("net/out/u").doubles();
            assertThat(u[0] * u[0] + u[1] * u[1]).isCloseTo(1, within(1e-12));
        }
    }

    @Test
    void statisticsStayWhereATurnSelectsNotBothScaleAndShift() {
        try (Parameters parameters = gan.parameters(7);
                Scheduler scheduler = Scheduler.over(parameters, 1)) {
            Turn.Descend part = Turn.of("part", gan.g().program()).updates("generator/norm/scale", adam(1e-2));
            String statistics = parameters.digest(Selection.of("generator/norm/mean, generator/norm/variance"));
            scheduler.batch(8).step(part);
            assertThat(parameters.digest(Selection.of("generator/norm/mean, generator/norm/variance")))
                    .isEqualTo(statistics);
            assertThat(scheduler.writes().paths("part")).hasSize(1);
        }
    }

    @Test
    void aTurnWritesNothingThatItDoesNotOwn() {
        try (Parameters parameters = gan.parameters(7);
                Scheduler scheduler = Scheduler.over(parameters, 1)) {
            scheduler
                    .plan(sequence(gan.d(), gan.g(), gan.ema()))
                    .feed(Toy.rows("image", 24, 4).batches(8), EACH_TURN);
            scheduler.run(rounds(2));
            for (Turn turn : new Turn[] {gan.d(), gan.g(), gan.ema()}) {
                Snapshot before = parameters.snapshot();
                Map<Path, Long> versions = new HashMap<>();
                before.tensors().keySet().forEach(path -> versions.put(path, parameters.version(path.text())));
                scheduler.step(turn);
                SortedSet<Path> owned = scheduler.writes().paths(turn.name());
                parameters.snapshot().tensors().forEach((path, tensor) -> {
                    boolean changed = !tensor.equals(before.tensor(path.text()));
                    assertThat(changed).as("%s in turn %s", path, turn).isEqualTo(owned.contains(path));
                    assertThat(!Objects.equals(versions.get(path), parameters.version(path.text())))
                            .as("version of %s in turn %s", path, turn)
                            .isEqualTo(owned.contains(path));
                });
            }
        }
    }

    @Test
    void noiseIsKeyedByTheTurnAndADrawnStepCanBeRepeated() {
        try (Parameters parameters = gan.parameters(7);
                Scheduler scheduler = Scheduler.over(parameters, 1)) {
            Turn.Descend g = gan.g().observes(gan.fake());
            scheduler.batch(8).step(g);
            Tensor first = scheduler.observed(g, gan.fake());
            scheduler.step(g);
            assertThat(scheduler.observed(g, gan.fake())).isNotEqualTo(first);
            assertThat(first.shape()).isEqualTo(Shape.of(8, 4));
            assertThatThrownBy(() -> scheduler.observed(gan.d(), gan.fake()))
                    .hasMessage("turn d does not observe generator/image: declare it with .observes(…)");
        }
    }

    @Test
    void aGradientIsACopyOfWhatTheTurnMovedBy() {
        Toy.Game game = Toy.bilinear();
        try (Parameters parameters = Toy.store(game.graph(), 1);
                Scheduler scheduler = Scheduler.over(parameters, 1)) {
            Turn.Descend x = Turn.of("x", game.forX()).updates("game/x", sgd(0.1));
            assertThatThrownBy(() -> scheduler.gradient(x, "game/x"))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("program for_x has not run");
            parameters.set("game/y", 3);
            Event.Descended event = (Event.Descended) scheduler.step(x);
            Tensor gradient = scheduler.gradient(x, "game/x");
            assertThat(gradient.doubles()).containsExactly(3);
            assertThat(event.loss()).isEqualTo(3);
            assertThat(event.gradientNorm()).isEqualTo(3);
            parameters.set("game/y", 5);
            scheduler.step(x);
            assertThat(gradient.doubles()).containsExactly(3);
            assertThatThrownBy(() -> scheduler.gradient(x, "game/y"))
                    .hasMessage("turn x does not move game/y; did you mean game/x?");
        }
    }

    @Test
    void turnsTakenTogetherAllComputeBeforeTheFirstWrites() {
        Toy.Game game = Toy.bilinear();
        Turn.Descend x = Turn.of("x", game.forX()).updates("game/x", sgd(0.5));
        Turn.Descend y = Turn.of("y", game.forY()).updates("game/y", sgd(0.5));
        try (Parameters parameters = Toy.store(game.graph(), 1);
                Scheduler scheduler = Scheduler.over(parameters, 1)) {
            scheduler.plan(simultaneous(x, y)).run(rounds(1));
            assertThat(parameters.tensor("game/x").doubles()).containsExactly(0.5);
            assertThat(parameters.tensor("game/y").doubles()).containsExactly(1.5);
        }
        try (Parameters parameters = Toy.store(game.graph(), 1);
                Scheduler scheduler = Scheduler.over(parameters, 1)) {
            scheduler.plan(sequence(x, y)).run(rounds(1));
            assertThat(parameters.tensor("game/y").doubles()).containsExactly(1.25);
        }
    }

    @Test
    void turnsTakenTogetherGiveTheGradientsThatTheyGiveAlone() {
        try (Parameters together = gan.parameters(7);
                Parameters alone = gan.parameters(7);
                Scheduler a = Scheduler.over(together, 2);
                Scheduler b = Scheduler.over(alone, 2)) {
            a.plan(simultaneous(gan.d(), gan.g()))
                    .feed(Toy.rows("image", 24, 4).batches(8), EACH_TURN)
                    .run(rounds(1));
            b.step(gan.d(), Toy.rows("image", 24, 4).batches(8));
            assertThat(a.gradient(gan.d(), "discriminator/in/weight"))
                    .isEqualTo(b.gradient(gan.d(), "discriminator/in/weight"));
            assertThat(together.digest(Selection.of("discriminator/**")))
                    .isEqualTo(alone.digest(Selection.of("discriminator/**")));
        }
    }

    @Test
    void whatRunsInsideATurnMayOnlyLook() {
        try (Parameters parameters = gan.parameters(7);
                Scheduler scheduler = Scheduler.over(parameters, 1)) {
            String refusal = "a turn is being taken: code inside it may only read";
            scheduler.batch(8);
            assertThatThrownBy(() -> scheduler.step(Turn.act("steps", run -> scheduler.step(gan.g()))))
                    .hasMessage(refusal);
            assertThatThrownBy(() -> scheduler.step(Turn.act("saves", run -> scheduler.save())))
                    .hasMessage(refusal);
            assertThat(scheduler.position().step()).isZero();
            scheduler.step(
                    Turn.act("looks", run -> assertThat(run.position().step()).isZero()));
            assertThat(scheduler.position().step()).isEqualTo(1);
        }
    }
}
