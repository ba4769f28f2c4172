package hocket.schedulers.games;

import static hocket.programs.Layers.batchNorm;
import static hocket.programs.Layers.dense;
import static hocket.programs.Operators.add;
import static hocket.programs.Operators.greater;
import static hocket.programs.Operators.leakyRelu;
import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.multiply;
import static hocket.programs.Operators.negate;
import static hocket.programs.Operators.relu;
import static hocket.programs.Operators.scale;
import static hocket.programs.Operators.softplus;
import static hocket.programs.Operators.square;
import static hocket.programs.Operators.stopGradient;
import static hocket.programs.Operators.straightThrough;
import static hocket.programs.Operators.sum;
import static hocket.programs.Operators.tanh;
import static hocket.schedulers.Plan.sequence;
import static hocket.schedulers.optimizers.Optimizers.adam;
import static hocket.schedulers.optimizers.Optimizers.sgd;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hocket.programs.Graph;
import hocket.programs.Loss;
import hocket.programs.Mode;
import hocket.programs.Network;
import hocket.programs.Program;
import hocket.programs.Value;
import hocket.schedulers.Event;
import hocket.schedulers.Resample;
import hocket.schedulers.Rows;
import hocket.schedulers.Scheduler;
import hocket.schedulers.Turn;
import hocket.scopes.Declaration;
import hocket.scopes.Declaration.Fan;
import hocket.scopes.Declaration.Kind;
import hocket.scopes.Initialiser;
import hocket.scopes.Parameters;
import hocket.scopes.Scope;
import hocket.scopes.Shape;
import hocket.scopes.Streams;
import hocket.scopes.Tensor;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class GameTest {
    private final Graph graph = new Graph();

    /** A GAN on the plane, as one is usually written: the discriminator's loss detaches the generator's points. */
    private record Gan(Value fake, Turn.Descend d, Turn.Descend g) {
        Game game() {
            return Game.of(d, g);
        }
    }

    private Gan gan(UnaryOperator<Value> ofGenerator, boolean normed) {
        Value noise = graph.noise("noise", Shape.of(4));
        Value real = graph.input("point", Shape.of(2));
        Value fake;
        try (Scope<Value> generator = graph.module("generator")) {
            Value h = dense("hidden", noise, 8);
            fake = dense("out", ofGenerator.apply(relu(normed ? batchNorm("norm", h) : h)), 2);
        }
        Network<Value, Value> discriminator = graph.module("discriminator", x -> {
            Value h = dense("hidden", x, 8);
            return dense("logit", leakyRelu(normed ? batchNorm("norm", h) : h, 0.2), 1);
        });
        Value forReal = discriminator.apply(stopGradient(real));
        Value forFake = discriminator.apply(stopGradient(fake));
        Loss d = Loss.of(add(mean(softplus(negate(forReal))), mean(softplus(forFake))))
                .metric("fooled", mean(greater(forFake, scale(forFake, 0))));
        Loss g = Loss.of(mean(softplus(negate(discriminator.apply(fake)))));
        return new Gan(
                fake,
                Turn.of("d", Program.compile("d_step", Mode.TRAIN, d)).updates("discriminator/**", adam(1e-2)),
                Turn.of("g", Program.compile("g_step", Mode.TRAIN, g))
                        .updates("generator/**", adam(1e-2))
                        .observes(fake));
    }

    private static Rows points() {
        float[] numbers = new float[32];
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = (float) Math.sin(1 + 3 * i);
        }
        return Rows.of("point", Tensor.of(Shape.of(16, 2), numbers));
    }

    /** What one turn reports and computes, from the same start each time. */
    private record Taken(Event.Descended event, float[] gradient, double[] mean) {}

    private Taken taken(Turn.Descend turn, String weight, boolean normed) {
        try (Parameters parameters = Parameters.initialise(graph.declarations(), Streams.seed(3));
                Scheduler scheduler = Scheduler.over(parameters, 1)) {
            scheduler
                    .plan(turn)
                    .feed(points().batchesInOrder("points", 16), Resample.EACH_TURN)
                    .batch(16);
            Event.Descended event = (Event.Descended) scheduler.step(turn);
            double[] gradient = scheduler.gradient(turn, weight).doubles();
            float[] floats = new float[gradient.length];
            for (int i = 0; i < floats.length; i++) {
                floats[i] = (float) gradient[i];
            }
            double[] mean =
                    normed ? parameters.tensor("discriminator/norm/mean").doubles() : new double[0];
            return new Taken(event, floats, mean);
        }
    }

    @Test
    void aStrategyWithoutWeightIsThePlainFieldAndReportsThePlainLoss() {
        Gan gan = gan(x -> x, false);
        for (List<Turn.Descend> turns : List.of(
                gan.game().consensus(0),
                gan.game().symplectic(0, false),
                gan.game().competitive(1e-12, 2))) {
            for (int i = 0; i < 2; i++) {
                Turn.Descend plain = gan.game().players().get(i);
                String weight = i == 0 ? "discriminator/hidden/weight" : "generator/hidden/weight";
                Taken before = taken(plain, weight, false);
                Taken after = taken(turns.get(i), weight, false);
                assertThat(after.event().loss()).isEqualTo(before.event().loss());
                assertThat(after.event().metrics())
                        .hasToString(before.event().metrics().toString());
                assertThat(distance(after.gradient(), before.gradient())).isLessThan(1e-6);
                assertThat(turns.get(i).name()).isEqualTo(plain.name());
                assertThat(turns.get(i).updates()).isEqualTo(plain.updates());
                assertThat(turns.get(i).observed()).isEqualTo(plain.observed());
                assertThat(turns.get(i).series()).isEqualTo(plain.series());
            }
        }
    }

    @Test
    void aDiscriminatorsLossDependsOnTheGeneratorAlthoughItDetachesThePoints() {
        Gan gan = gan(x -> x, false);
        Taken plain = taken(gan.g(), "generator/hidden/weight", false);
        Turn.Descend consensus = gan.game().consensus(1).get(1);
        assertThat(distance(taken(consensus, "generator/hidden/weight", false).gradient(), plain.gradient()))
                .isGreaterThan(1e-4);
        // With the detached loss alone the adjustment would be made of the generator's loss only.
        Turn.Descend adjusted = gan.game().symplectic(1, false).get(1);
        assertThat(adjusted.program().inputs()).extracting(Value::toString).containsExactly("point (batch,2)");
        Value zeroSum = gan.d().program().targets().get(0);
        Turn.Descend g = Turn.of(
                        "g",
                        Program.compile(
                                "g_zero",
                                Mode.TRAIN,
                                add(gan.g().program().targets().get(0), scale(zeroSum, 0))))
                .updates("generator/**", sgd(1));
        // Here the generator's loss holds the stopGradient too: nothing is passed, so nothing is adjusted through it.
        List<Turn.Descend> hidden = Game.of(gan.d(), g).symplectic(1, false);
        assertThat(distance(
                        taken(hidden.get(0), "discriminator/hidden/weight", false)
                                .gradient(),
                        taken(gan.game().symplectic(1, false).get(0), "discriminator/hidden/weight", false)
                                .gradient()))
                .isGreaterThan(1e-5);
    }

    @Test
    void whatStopsWithinAGeneratorStopsStill() {
        Gan gan = gan(x -> straightThrough(greater(x, scale(x, 0)), tanh(x)), false);
        Turn.Descend plain = gan.g();
        Turn.Descend same = gan.game().consensus(0).get(1);
        float[] before = taken(plain, "generator/hidden/weight", false).gradient();
        assertThat(distance(before, new float[before.length])).isGreaterThan(1e-4);
        assertThat(distance(taken(same, "generator/hidden/weight", false).gradient(), before))
                .isLessThan(1e-6);
    }

    @Test
    void runningStatisticsMoveAsInThePlainTurn() {
        Gan gan = gan(x -> x, true);
        Taken plain = taken(gan.d(), "discriminator/hidden/weight", true);
        for (List<Turn.Descend> turns : List.of(
                gan.game().consensus(0.1),
                gan.game().symplectic(0.1, true),
                gan.game().competitive(0.01, 2),
                gan.game().unrolled("d", 2, 0.1))) {
            assertThat(taken(turns.get(0), "discriminator/hidden/weight", true).mean())
                    .as(turns.get(0).program().name())
                    .containsExactly(plain.mean());
        }
    }

    @Test
    void onlyThePlayerThatLooksAheadIsUnrolled() {
        Gan gan = gan(x -> x, false);
        List<Turn.Descend> turns = gan.game().unrolled("g", 3, 0.1);
        assertThat(turns.get(0)).isSameAs(gan.d());
        assertThat(turns.get(1)).isNotEqualTo(gan.g());
        assertThat(turns.get(1).name()).isEqualTo("g");
        assertThat(sequence(turns.get(0), turns.get(1))).hasToString("sequence(d, g)");
    }

    @Test
    void threePlayersReachConsensusAndAreAdjusted() {
        Value a = weight("a");
        Value b = weight("b");
        Value c = weight("c");
        Game game = Game.of(
                turn("a", sum(add(multiply(a, b), square(a))), "a/**"),
                turn("b", sum(add(multiply(b, c), square(b))), "b/**"),
                turn("c", sum(multiply(c, negate(multiply(a, b)))), "c/**"));
        // At a = b = c = 1 the field is (b + 2a, c + 2b, -ab) = (3, 3, -1), its Jacobian [2 1 0; 0 2 1; -1 -1 0].
        assertThat(first(game.consensus(1).get(0), "a/w")).isEqualTo(3 + 2 * 3 + 0 * 3 + 1);
        assertThat(first(game.consensus(1).get(1), "b/w")).isEqualTo(3 + 1 * 3 + 2 * 3 + 1);
        // Aᵀξ = (Jᵀξ - Jξ)/2 = ((7, 10, 3) - (9, 5, -6))/2
        assertThat(first(game.symplectic(1, false).get(0), "a/w")).isEqualTo(3 - 1);
        assertThat(first(game.symplectic(1, false).get(1), "b/w")).isEqualTo(3 + 2.5);
        assertThat(first(game.symplectic(1, false).get(2), "c/w")).isEqualTo(-1 + 4.5);
        assertThatThrownBy(() -> game.competitive(0.1, 3))
                .hasMessage("competitive gradient descent needs two players, this game has [a, b, c]");
    }

    private double first(Turn.Descend turn, String weight) {
        try (Parameters parameters = Parameters.initialise(graph.declarations(), Streams.seed(3));
                Scheduler scheduler = Scheduler.over(parameters, 1)) {
            parameters.declarations().forEach(each -> parameters.set(each.path().text(), 1));
            scheduler.plan(turn);
            scheduler.step(turn);
            return scheduler.gradient(turn, weight).doubles()[0];
        }
    }

    private Value weight(String module) {
        try (Scope<Value> scope = graph.module(module)) {
            return graph.parameter(
                    "w",
                    (path, type) ->
                            new Declaration(path, Shape.of(1), type, Initialiser.constant(1), Fan.NONE, Kind.WEIGHT));
        }
    }

    private static Turn.Descend turn(String name, Value loss, String selection) {
        return Turn.of(name, Program.compile(name, Mode.TRAIN, loss)).updates(selection, sgd(0.1));
    }

    @Test
    void whatIsNoGameIsRefused() {
        Value a = weight("a");
        Value b = weight("b");
        Value loss = sum(multiply(a, b));
        Turn.Descend first = turn("first", loss, "a/**");
        assertThatThrownBy(() -> Game.of(first)).hasMessage("a game needs at least two players, got [first]");
        assertThatThrownBy(() -> Game.of(first, turn("first", loss, "b/**")))
                .hasMessage("two players of the game are called first");
        assertThatThrownBy(() -> Game.of(first, turn("second", loss, "*/w")))
                .hasMessage("players first and second both own a/w: in a game a weight belongs to one");
        assertThatThrownBy(() -> Game.of(first, turn("second", sum(square(a)), "b/**")))
                .hasMessage("player second: the gradient of program second reaches none of the weights that the turn"
                        + " updates, [b/**]");
        Graph other = new Graph();
        Value stranger;
        try (Scope<Value> scope = other.module("m")) {
            stranger = mean(dense("d", other.input("x", Shape.of(2)), 1));
        }
        assertThatThrownBy(() -> Game.of(first, turn("second", stranger, "m/**")))
                .hasMessage("players first and second descend programs of different graphs: a game is played on one");
        Program elsewhere = Program.compile("second", Mode.TRAIN, loss).reading("a", "target/a");
        assertThatThrownBy(() -> Game.of(first, Turn.of("second", elsewhere).updates("b/**", sgd(1))))
                .hasMessageStartingWith("player second: program second reads other parameters than its graph names");
        Game game = Game.of(first, turn("second", negate(loss), "b/**"));
        assertThatThrownBy(() -> game.consensus(-1)).hasMessage("gamma must be a number of at least 0, was -1.0");
        assertThatThrownBy(() -> game.symplectic(Double.NaN, false))
                .hasMessage("lambda must be a finite number, was NaN");
        assertThatThrownBy(() -> game.competitive(0, 3)).hasMessage("rate must be a number above 0, was 0.0");
        assertThatThrownBy(() -> game.competitive(0.1, 0))
                .hasMessage("steps must be a whole number of at least 1, was 0");
        assertThatThrownBy(() -> game.unrolled("fist", 1, 0.1))
                .hasMessage("no player is called fist; did you mean first?");
    }

    private static double distance(float[] a, float[] b) {
        assertThat(a).hasSameSizeAs(b);
        double largest = 0;
        for (int i = 0; i < a.length; i++) {
            largest = Math.max(largest, Math.abs(a[i] - b[i]));
        }
        return largest;
    }
}
