package hocket.schedulers;

import static hocket.programs.Operators.exp;
import static hocket.programs.Operators.log;
import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.multiply;
import static hocket.programs.Operators.scale;
import static hocket.programs.Operators.sqrt;
import static hocket.programs.Operators.sum;
import static hocket.schedulers.Budget.rounds;
import static hocket.schedulers.Plan.sequence;
import static hocket.schedulers.Resample.EACH_TURN;
import static hocket.schedulers.optimizers.Optimizers.adam;
import static hocket.schedulers.optimizers.Optimizers.sgd;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import hocket.programs.Graph;
import hocket.programs.Loss;
import hocket.programs.Mode;
import hocket.programs.Program;
import hocket.programs.Session.Feeds;
import hocket.programs.Value;
import hocket.programs.checks.Anomaly;
import hocket.schedulers.turns.DivergedException;
import hocket.scopes.Parameters;
import hocket.scopes.Scope;
import hocket.scopes.Shape;
import hocket.scopes.Tensor;
import java.util.Arrays;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A scheduler that looks for the first number that is not finite. */
@Tag("engine")
class AnomalyTest {
    /** What stops a turn over a number {@code m/x}. */
    private static DivergedException stopped(UnaryOperator<Value> function, double x) {
        Graph graph = new Graph();
        Value loss;
        try (Scope<Value> module = graph.module("m")) {
            loss = sum(function.apply(Toy.number(graph, "x")));
        }
        Turn.Descend turn = Turn.of("t", Program.compile("p", Mode.TRAIN, loss)).updates("m/**", adam(0.1));
        try (Parameters parameters = Toy.store(graph, 1);
                Scheduler scheduler = Scheduler.over(parameters, 1)) {
            scheduler.detectAnomalies().plan(turn);
            parameters.set("m/x", x);
            DivergedException stopped = catchThrowableOfType(DivergedException.class, () -> scheduler.run(rounds(4)));
            assertThat(parameters.tensor("m/x").doubles()).containsExactly((float) x);
            assertThat(scheduler.position().step()).isZero();
            return stopped;
        }
    }

    @Test
    void theFirstOperatorOfANaNIsNamedWithWhatWentIn() {
        assertThat(stopped(x -> scale(exp(log(x)), 2), -1)).hasMessage("""
                        turn t in round 0 (after 0 turns): the loss is NaN; the parameters are as before this turn
                        the first that is not finite is m/log, made by log
                          m/log (1): nothing finite; 1 NaN, 0 infinite of 1
                        from
                          m/x (1): -1.00000""");
    }

    @Test
    void anOverflowIsNamedWhereItIsInTheTypeOfTheProgram() {
        assertThat(stopped(x -> multiply(exp(x), exp(x)), 60).anomaly()).hasValueSatisfying(found -> {
            assertThat(found.kind()).isIn("multiply", "square");
            assertThat(found.result().infinities()).isOne();
            assertThat(found.inputs()).allMatch(Anomaly.Range::isFinite);
        });
    }

    @Test
    void anOperatorOfAGradientIsNamedToo() {
        assertThat(stopped(x -> sqrt(x), 0))
                .hasMessageContaining("the gradient's norm is Infinity")
                .hasMessageContaining("is gradients#1/divide, made by divide")
                .hasMessageContaining("  m/sqrt (1): 0");
    }

    @Test
    void aParameterThatIsNotFiniteIsNamedAsSuch() {
        assertThat(stopped(x -> scale(x, 2), Double.NaN)).hasMessageContaining("is parameter m/x\n  m/x (1): nothing");
    }

    @Test
    void aFeedThatIsNotFiniteIsNamedAsSuch() {
        Toy.Gan gan = Toy.gan();
        try (Parameters parameters = gan.parameters(7);
                Scheduler scheduler = Scheduler.over(parameters, 2)) {
            float[] rows = new float[32];
            rows[9] = Float.NaN;
            rows[10] = Float.NEGATIVE_INFINITY;
            scheduler.detectAnomalies();
            assertThatThrownBy(() -> scheduler.step(gan.d(), Feeds.of("image", Tensor.of(Shape.of(8, 4), rows))))
                    .hasMessageContaining("is input image\n  image (8,4): 0.00000; 1 NaN, 1 infinite of 32");
        }
    }

    /** Noise is drawn again as it was: as many logarithms fail as were given a negative number. */
    @Test
    void theTurnThatIsComputedAgainHasTheNoiseThatItHad() {
        Graph graph = new Graph();
        Value noise = graph.noise("noise", Shape.of(3));
        Value loss;
        try (Scope<Value> module = graph.module("m")) {
            loss = mean(multiply(log(noise), Toy.number(graph, "x")));
        }
        Turn.Descend turn = Turn.of("t", Program.compile("p", Mode.TRAIN, loss))
                .updates("m/**", sgd(1))
                .observes(noise);
        try (Parameters parameters = Toy.store(graph, 1);
                Scheduler scheduler = Scheduler.over(parameters, 1)) {
            scheduler.batch(40).detectAnomalies();
            DivergedException stopped = catchThrowableOfType(DivergedException.class, () -> scheduler.step(turn));
            double[] drawn = scheduler.observed(turn, noise).doubles();
            Anomaly found = stopped.anomaly().orElseThrow();
            assertThat(found.result().path()).isEqualTo("m/log");
            assertThat(found.result().nans())
                    .isEqualTo(Arrays.stream(drawn).filter(z -> z < 0).count());
            assertThat(found.inputs().get(0).most())
                    .isEqualTo(Arrays.stream(drawn).max().orElseThrow());
        }
    }

    @Test
    void aMetricThatIsNotFiniteStopsARunThatLooksForIt() {
        Graph graph = new Graph();
        Turn.Descend turn;
        try (Scope<Value> module = graph.module("m")) {
            Value x = Toy.number(graph, "x");
            Loss loss = Loss.of(multiply(x, x)).metric("odd", log(x));
            turn = Turn.of("t", Program.compile("p", Mode.TRAIN, loss)).updates("m/**", sgd(1));
        }
        try (Parameters parameters = Toy.store(graph, 1);
                Scheduler scheduler = Scheduler.over(parameters, 1)) {
            parameters.set("m/x", -2);
            scheduler.step(turn);
            scheduler.detectAnomalies();
            parameters.set("m/x", -2);
            assertThatThrownBy(() -> scheduler.step(turn)).hasMessageContaining("after 1 turns): m/log is not finite");
        }
    }

    @Test
    void weightsThatOverflowStopTheRunBeforeTheyAreSaved() {
        Graph graph = new Graph();
        Value loss;
        try (Scope<Value> module = graph.module("m")) {
            loss = sum(scale(Toy.number(graph, "x"), 1e33));
        }
        Turn.Descend turn = Turn.of("t", Program.compile("p", Mode.TRAIN, loss)).updates("m/**", sgd(1e6));
        try (Parameters parameters = Toy.store(graph, 1);
                Scheduler scheduler = Scheduler.over(parameters, 1)) {
            scheduler.detectAnomalies().plan(turn).on(Trigger.everyRounds(1), run -> {
                throw new AssertionError("saved");
            });
            assertThatThrownBy(() -> scheduler.run(rounds(1)))
                    .isInstanceOf(DivergedException.class)
                    .hasMessageContaining("an updated value is not finite, though the gradient's norm is ")
                    .hasMessageContaining("m/x (1): nothing finite; 0 NaN, 1 infinite of 1");
        }
    }

    @Test
    void lookingChangesNothing() {
        String[] digests = new String[2];
        for (int i = 0; i < 2; i++) {
            Toy.Gan gan = Toy.gan();
            try (Parameters parameters = gan.parameters(7);
                    Scheduler scheduler = Scheduler.over(parameters, 2)) {
                if (i == 1) {
                    scheduler.detectAnomalies();
                }
                scheduler
                        .plan(sequence(gan.d(), gan.g()))
                        .feed(Toy.rows("image", 42, 4).batches(8), EACH_TURN)
                        .run(rounds(20));
                digests[i] = parameters.digest();
            }
        }
        assertThat(digests[1]).isEqualTo(digests[0]);
    }
}
