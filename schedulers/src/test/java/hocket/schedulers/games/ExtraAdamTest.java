package hocket.schedulers.games;

import static hocket.programs.Operators.multiply;
import static hocket.programs.Operators.negate;
import static hocket.programs.Operators.sum;
import static hocket.schedulers.optimizers.Optimizers.adam;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import hocket.programs.Graph;
import hocket.programs.Mode;
import hocket.programs.Program;
import hocket.programs.Value;
import hocket.schedulers.Budget;
import hocket.schedulers.Scheduler;
import hocket.schedulers.Turn;
import hocket.scopes.Declaration;
import hocket.scopes.Declaration.Fan;
import hocket.scopes.Declaration.Kind;
import hocket.scopes.ElementType;
import hocket.scopes.Initialiser;
import hocket.scopes.Parameters;
import hocket.scopes.Shape;
import hocket.scopes.Streams;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Extragradient under Adam on the game x·y, beside the rule in float64: moments of both steps, or of the second only. */
class ExtraAdamTest {
    private static final double RATE = 0.1;
    private static final double BETA1 = 0.5;
    private static final double BETA2 = 0.9;
    private static final double EPSILON = 1e-8;

    /** One number with its moments. */
    private static final class Player {
        double w = 1;
        double m;
        double v;
        int count;

        double step(double gradient) {
            count++;
            m = BETA1 * m + (1 - BETA1) * gradient;
            v = BETA2 * v + (1 - BETA2) * gradient * gradient;
            double mean = m / (1 - Math.pow(BETA1, count));
            return RATE * mean / (Math.sqrt(v / (1 - Math.pow(BETA2, count))) + EPSILON);
        }

        /** A step ahead from here; the moments stay as they were unless both steps update them. */
        double ahead(double gradient, boolean both) {
            double m0 = m;
            double v0 = v;
            double ahead = w - step(gradient);
            if (!both) {
                m = m0;
                v = v0;
                count--;
            }
            return ahead;
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void momentsAreUpdatedByBothStepsOrByTheSecond(boolean both) {
        Dynamics dynamics = both ? new Dynamics.ExtraAdam(false) : new Dynamics.Extragradient(false);
        Graph graph = new Graph(ElementType.FLOAT64);
        Value x;
        Value y;
        try (var game = graph.module("game")) {
            x = number(graph, "x");
            y = number(graph, "y");
        }
        Value f = sum(multiply(x, y));
        var rule = adam(RATE).beta1(BETA1).beta2(BETA2).epsilon(EPSILON);
        Turn.Descend first =
                Turn.of("x", Program.compile("for_x", Mode.TRAIN, f)).updates("game/x", rule);
        Turn.Descend second =
                Turn.of("y", Program.compile("for_y", Mode.TRAIN, negate(f))).updates("game/y", rule);
        Player a = new Player();
        Player b = new Player();
        try (Parameters parameters = Parameters.initialise(graph.declarations(), Streams.seed(1));
                Scheduler scheduler = Scheduler.over(parameters, 1)) {
            scheduler.plan(dynamics.plan(first, second));
            for (int round = 1; round <= 20; round++) {
                double xAhead = a.ahead(b.w, both);
                double yAhead = b.ahead(-a.w, both);
                a.w -= a.step(yAhead);
                b.w -= b.step(-xAhead);
                scheduler.run(Budget.rounds(round));
                // The same operations in float64 in nearly the same order, and numbers of about 1.
                assertThat(parameters.tensor("game/x").doubles()[0]).isCloseTo(a.w, within(1e-12));
                assertThat(parameters.tensor("game/y").doubles()[0]).isCloseTo(b.w, within(1e-12));
            }
        }
    }

    private static Value number(Graph graph, String name) {
        return graph.parameter(
                name,
                (path, type) ->
                        new Declaration(path, Shape.of(1), type, Initialiser.constant(1), Fan.NONE, Kind.WEIGHT));
    }
}
