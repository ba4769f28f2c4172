package hocket.programs.execution;

import static hocket.programs.Layers.batchNorm;
import static hocket.programs.Layers.dense;
import static hocket.programs.Operators.add;
import static hocket.programs.Operators.dropout;
import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.multiply;
import static hocket.programs.Operators.scale;
import static hocket.programs.Operators.square;
import static hocket.programs.Operators.stopGradient;
import static hocket.programs.Operators.subtract;
import static hocket.programs.Operators.sum;
import static hocket.programs.Operators.tanh;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import hocket.programs.Fixture;
import hocket.programs.Gradients;
import hocket.programs.Graph;
import hocket.programs.Mode;
import hocket.programs.Outcome;
import hocket.programs.Program;
import hocket.programs.RandomProgramsTest;
import hocket.programs.RandomVectors;
import hocket.programs.Value;
import hocket.programs.jvm.ReferenceLowering;
import hocket.programs.operators.Leaf;
import hocket.scopes.Declaration.Kind;
import hocket.scopes.ElementType;
import hocket.scopes.Parameters;
import hocket.scopes.Path;
import hocket.scopes.Scope;
import hocket.scopes.Shape;
import hocket.scopes.Tensor;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class SubstitutionTest {
    private static final int ROWS = 6;

    private final Graph graph = new Graph(ElementType.FLOAT64);

    @Test
    void whateverIsMadeAnewComputesWhatItDid() {
        Set<Class<?>> operators = new HashSet<>();
        for (int seed = 0; seed < 60; seed++) {
            Mode mode = seed % 3 == 0 ? Mode.EVAL : Mode.TRAIN;
            sameFor("vector " + seed, mode, RandomProgramsTest.vectors(seed), operators);
            sameFor("image " + seed, mode, RandomProgramsTest.images(300 + seed), operators);
        }
        assertThat(operators).hasSizeGreaterThan(25);
    }

    /** Every weight is replaced by half of its double. */
    private static void sameFor(String name, Mode mode, Function<Graph, Value> body, Set<Class<?>> operators) {
        Graph graph = new Graph(ElementType.FLOAT64);
        Value loss = body.apply(graph);
        Program original = Program.compile("original", mode, loss);
        if (original.reached().isEmpty()) {
            return;
        }
        original.values().forEach(value -> operators.add(value.operator().getClass()));
        Map<Value, Value> halves = new HashMap<>();
        original.parameters().values().forEach(weight -> {
            if (((Leaf.Variable) weight.operator()).declaration().kind() == Kind.WEIGHT) {
                halves.put(weight, scale(scale(weight, 2), 0.5));
            }
        });
        Program anew = Program.compile("anew", mode, Substitution.of(halves).in(loss));
        assertThat(anew.reached()).as(name).isEqualTo(original.reached());
        Outcome wanted = outcome(original, 0);
        if (outcome(original, 1e-12).isNear(wanted, 1e-7)) { // else rounding decides on which side of a kink it is
            try {
                outcome(anew, 0).assertNear(wanted, 1e-7);
            } catch (AssertionError e) {
                throw new AssertionError(name + ": " + e.getMessage() + "\n" + anew, e);
            }
        }
    }

    /** Loss and gradients, the loss by that name. */
    private static Outcome outcome(Program program, double moved) {
        Map<String, double[]> named = new LinkedHashMap<>();
        Outcome.of(new ReferenceLowering(), program, ROWS, RandomVectors.CLASSES, moved)
                .numbers()
                .forEach((name, numbers) -> named.put(name.startsWith("target") ? "loss" : name, numbers));
        return new Outcome(named);
    }

    @Test
    void aParameterCanBeReplacedByWhereAStepWouldTakeIt() {
        Value x;
        Value y;
        Value loss;
        try (Scope<Value> game = graph.module("game")) {
            x = Fixture.parameter(graph, "x", 2);
            y = Fixture.parameter(graph, "y", 2);
            loss = sum(multiply(tanh(x), square(y)));
        }
        Value step = subtract(y, scale(Gradients.of(loss, y).get(0), 0.1));
        Program moved = Program.compile(
                "moved", Mode.TRAIN, Substitution.of(Map.of(y, step)).in(loss));
        try (Parameters parameters = Fixture.store(graph);
                BoundProgram bound = Fixture.bind(new ReferenceLowering(), moved, parameters, moved.reached())) {
            parameters.set("game/x", 0.3, -1.2);
            parameters.set("game/y", 0.7, 0.4);
            bound.run(1, 0, 0);
            double t1 = Math.tanh(0.3);
            double t2 = Math.tanh(-1.2);
            double y1 = 0.7 - 0.1 * 2 * t1 * 0.7;
            double y2 = 0.4 - 0.1 * 2 * t2 * 0.4;
            assertThat(bound.loss()).isCloseTo(t1 * y1 * y1 + t2 * y2 * y2, within(1e-14));
            // d/dx1 (t1 y1²) with dy1/dt1 = -0.2·0.7, and dt1/dx1 = 1 - t1²
            assertThat(Fixture.gradient(bound, parameters, "game/x").doubles()[0])
                    .isCloseTo((y1 * y1 - t1 * 2 * y1 * 0.2 * 0.7) * (1 - t1 * t1), within(1e-14));
        }
    }

    @Test
    void whatDoesNotDependOnAReplacedValueIsShared() {
        Value noise = graph.noise("noise", Shape.of(3));
        Value fake;
        Value logit;
        try (Scope<Value> generator = graph.module("generator")) {
            fake = dropout("drop", dense("out", noise, 4), 0.5);
        }
        try (Scope<Value> discriminator = graph.module("discriminator")) {
            logit = dense("logit", fake, 1);
        }
        Value weight = graph.value("discriminator/logit/weight");
        Value other = Substitution.of(Map.of(weight, scale(weight, 3))).in(logit);
        assertThat(other).isNotSameAs(logit);
        assertThat(other.inputs().get(0)).isSameAs(fake);
        assertThat(other.inputs().get(2)).isSameAs(logit.inputs().get(2));
        assertThat(Substitution.of(Map.of(weight, scale(weight, 3))).in(fake)).isSameAs(fake);
        Value generatorWeight = graph.value("generator/out/weight");
        Value moved = Substitution.of(Map.of(generatorWeight, scale(generatorWeight, 3)))
                .in(logit);
        assertThat(Program.compile("p", Mode.TRAIN, logit, moved).noises())
                .as("the same noise and mask")
                .hasSize(2);
    }

    @Test
    void aStopGradientThatIsPassedStopsNoLonger() {
        Value loss;
        try (Scope<Value> module = graph.module("m")) {
            Value w = Fixture.parameter(graph, "w", 2);
            loss = sum(square(stopGradient(tanh(w))));
        }
        Value stop = graph.value("m/stop_gradient");
        Value through = Substitution.of(Map.of()).passing(List.of(stop)).in(loss);
        assertThat(Program.compile("p", Mode.TRAIN, loss).reached()).isEmpty();
        assertThat(Program.compile("p", Mode.TRAIN, through).reached()).containsExactly(Path.of("m/w"));
    }

    @Test
    void onlyTheOriginalsMoveRunningStatistics() {
        Value x = graph.input("x", Shape.of(3));
        Value norm;
        try (Scope<Value> module = graph.module("m")) {
            norm = batchNorm("norm", x);
        }
        Value loss = mean(square(norm));
        Substitution moved = Substitution.of(Map.of(x, scale(x, 2)));
        Program both = Program.compile("both", Mode.TRAIN, add(loss, moved.in(loss)));
        Set<Path> own = Set.of(Path.of("m/norm/scale"), Path.of("m/norm/shift"));
        assertThat(both.batchNormsOwnedBy(own)).containsExactly(norm);
        Value resting = Substitution.of(Map.of()).resting(List.of(norm)).in(loss);
        Program still = Program.compile("still", Mode.TRAIN, resting);
        assertThat(still.statisticsOwnedBy(own)).isEmpty();
        Tensor rows = Fixture.random(Shape.of(ROWS, 3), ElementType.FLOAT64, 1);
        try (Parameters parameters = Fixture.store(graph);
                BoundProgram bound = Fixture.bind(
                        new ReferenceLowering(),
                        Program.compile("p", Mode.TRAIN, loss, resting),
                        parameters,
                        Fixture.none())) {
            bound.feed("x", rows);
            bound.run(ROWS, 0, 0);
            assertThat(bound.target(1).doubles()[0]).isCloseTo(bound.loss(), within(1e-14));
        }
    }

    @Test
    void whatDoesNotFitIsRefusedByName() {
        Value x = graph.input("x", Shape.of(3));
        Value wide = graph.input("wide", Shape.of(4));
        Value foreign = new Graph(ElementType.FLOAT64).input("foreign", Shape.of(3));
        assertThatThrownBy(() -> Substitution.of(Map.of(x, wide)))
                .hasMessage("x (batch,3) FLOAT64 can only be replaced by a value of its shape and type, was wide"
                        + " (batch,4) FLOAT64");
        assertThatThrownBy(() -> Substitution.of(Map.of(x, foreign)))
                .hasMessage("foreign (batch,3) FLOAT64 belongs to another graph than x (batch,3) FLOAT64, which it"
                        + " replaces");
        assertThatThrownBy(() -> Substitution.of(Map.of(x, tanh(x))).in(tanh(foreign)))
                .hasMessageContaining("x (batch,3) FLOAT64 belongs to another graph than what it is substituted in");
        Value dropped = dropout("drop", x, 0.5);
        Value mask = dropped.inputs().get(1);
        Value normal = graph.noise("normal", Shape.of(3));
        assertThatThrownBy(() -> Substitution.of(Map.of(mask, normal)).in(dropped))
                .hasMessageContaining("drop: needs a mask like its input x");
        assertThatThrownBy(() -> Substitution.of(Map.of()).passing(List.of(x)))
                .hasMessage("x (batch,3) FLOAT64 is made by input: only a stopGradient can be passed");
        assertThatThrownBy(() -> Substitution.of(Map.of()).resting(List.of(x)))
                .hasMessage("x (batch,3) FLOAT64 is made by input: only a running statistic can be left at rest");
    }
}
