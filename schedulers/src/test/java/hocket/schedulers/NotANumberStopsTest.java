package hocket.schedulers;

import static hocket.programs.Layers.batchNorm;
import static hocket.programs.Layers.dense;
import static hocket.programs.Layers.normalisation;
import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.negate;
import static hocket.programs.Operators.relu;
import static hocket.programs.Operators.softplus;
import static hocket.programs.Operators.stopGradient;
import static hocket.schedulers.Budget.rounds;
import static hocket.schedulers.Plan.sequence;
import static hocket.schedulers.Plan.simultaneous;
import static hocket.schedulers.Resample.EACH_TURN;
import static hocket.schedulers.optimizers.Optimizers.adam;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hocket.programs.Graph;
import hocket.programs.Mode;
import hocket.programs.Network;
import hocket.programs.Operators;
import hocket.programs.Program;
import hocket.programs.Value;
import hocket.programs.execution.Lowering;
import hocket.schedulers.optimizers.UpdateRule;
import hocket.scopes.Parameters;
import hocket.scopes.Scope;
import hocket.scopes.Selection;
import hocket.scopes.Shape;
import hocket.scopes.Tensor;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** One NaN among the numbers of a run: the first turn that meets it stops, says where it is, and writes nothing. */
@Tag("engine")
class NotANumberStopsTest {
    private static final List<String> LOWERINGS = List.of("mxnet", "jvm", "reference");

    /** Which turn meets a NaN at a path first. The discriminator's first norm is frozen: its statistics are read. */
    private static final List<List<String>> PLACES = List.of(
            List.of("generator/in/weight", "d"),
            List.of("generator/in/bias", "d"),
            List.of("generator/norm/scale", "d"),
            List.of("generator/norm/shift", "d"),
            List.of("generator/norm/mean", "g"),
            List.of("generator/norm/variance", "g"),
            List.of("generator/out/weight", "d"),
            List.of("discriminator/in/weight", "d"),
            List.of("discriminator/frozen/scale", "d"),
            List.of("discriminator/frozen/mean", "d"),
            List.of("discriminator/frozen/variance", "d"),
            List.of("discriminator/norm/shift", "d"),
            List.of("discriminator/norm/mean", "d"),
            List.of("discriminator/norm/variance", "d"),
            List.of("discriminator/logit/bias", "d"),
            List.of("ema/generator/out/weight", "ema"),
            List.of("ema/generator/norm/scale", "ema"));

    private final Graph graph = new Graph();
    private final Turn.Descend d;
    private final Turn.Descend g;
    private final Turn.Follow ema = Turn.follow("ema", "generator/**", "ema/generator/**", 0.9);

    NotANumberStopsTest() {
        Value noise = graph.noise("noise", Shape.of(3));
        Value real = graph.input("image", Shape.of(4));
        Value fake;
        try (Scope<Value> generator = graph.module("generator")) {
            fake = dense("out", relu(batchNorm("norm", dense("in", noise, 5))), 4);
        }
        Network<Value, Value> discriminator = graph.module("discriminator", x -> {
            Value h =
                    relu(batchNorm("frozen", dense("in", x, 6), normalisation().frozenStatistics()));
            return dense("logit", relu(batchNorm("norm", dense("hidden", h, 5))), 1);
        });
        Value forReal = discriminator.apply(real);
        Value forFake = discriminator.apply(stopGradient(fake));
        Value game = Operators.add(mean(softplus(negate(forReal))), mean(softplus(forFake)));
        d = Turn.of("d", Program.compile("d_step", Mode.TRAIN, game));
        g = Turn.of("g", Program.compile("g_step", Mode.TRAIN, mean(softplus(negate(discriminator.apply(fake))))));
    }

    @AfterEach
    void anyLowering() {
        System.clearProperty(Lowering.PROPERTY);
    }

    static Stream<Arguments> placesByLowering() {
        return LOWERINGS.stream()
                .flatMap(lowering -> PLACES.stream().map(place -> Arguments.of(lowering, place.get(0), place.get(1))));
    }

    @ParameterizedTest
    @MethodSource("placesByLowering")
    void ofTheStore(String lowering, String path, String turn) {
        System.setProperty(Lowering.PROPERTY, lowering);
        try (Parameters parameters = store();
                Scheduler scheduler = Scheduler.over(parameters, 1)) {
            Plan plan = sequence(updating(d, adam(1e-3)), updating(g, adam(1e-3)), ema);
            scheduler
                    .plan(plan)
                    .feed(Toy.rows("image", 42, 4).batches(8), EACH_TURN)
                    .run(rounds(2));
            double[] numbers = parameters.tensor(path).doubles();
            numbers[numbers.length / 2] = Double.NaN;
            parameters.set(path, numbers);
            assertStops(scheduler, turn, path + " (");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"mxnet", "jvm", "reference"})
    void ofTheData(String lowering) {
        System.setProperty(Lowering.PROPERTY, lowering);
        float[] rows = new float[40 * 4];
        for (int i = 0; i < rows.length; i++) {
            rows[i] = i % 5;
        }
        rows[17 * 4 + 2] = Float.NaN; // in the third batch of 8
        Source images = Rows.of("image", Tensor.of(Shape.of(40, 4), rows)).batchesInOrder("image", 8);
        try (Parameters parameters = store();
                Scheduler scheduler = Scheduler.over(parameters, 1)) {
            scheduler
                    .plan(sequence(updating(d, adam(1e-3)), updating(g, adam(1e-3)), ema))
                    .feed(images, EACH_TURN)
                    .run(rounds(2));
            assertStops(scheduler, "d", "is input image\n  image (8,4): from 0.00000 to 4.00000; 1 NaN");
        }
    }

    static Stream<Arguments> ratesByLowering() {
        return LOWERINGS.stream()
                .flatMap(lowering -> Stream.of(Double.NaN, Double.POSITIVE_INFINITY)
                        .flatMap(rate -> Stream.of(true, false).map(alone -> Arguments.of(lowering, rate, alone))));
    }

    /** Of two turns that move at once the other does not write, either. */
    @ParameterizedTest
    @MethodSource("ratesByLowering")
    void ofARate(String lowering, double rate, boolean alone) {
        System.setProperty(Lowering.PROPERTY, lowering);
        Turn.Descend first = updating(d, adam(1e-3));
        Turn.Descend second = updating(g, adam(1e-3).rate(at -> at.update() < 3 ? 1e-3 : rate));
        try (Parameters parameters = store();
                Scheduler scheduler = Scheduler.over(parameters, 1)) {
            scheduler
                    .plan(alone ? sequence(first, second) : simultaneous(first, second))
                    .feed(Toy.rows("image", 42, 4).batches(8), EACH_TURN)
                    .run(rounds(2));
            assertStops(scheduler, "g", "adam: the rate at update 3 must be finite and at least 0, was " + rate);
        }
    }

    private static Turn.Descend updating(Turn.Descend turn, UpdateRule rule) {
        return turn.updates(turn.name().equals("d") ? "discriminator/**" : "generator/**", rule);
    }

    private Parameters store() {
        return Toy.store(graph, 7).copy("generator/**", "ema/generator/**");
    }

    private static void assertStops(Scheduler scheduler, String turn, String where) {
        Selection all = Selection.of("**");
        String[] digest = {scheduler.parameters().digest(all)};
        scheduler.listen(event -> digest[0] = scheduler.parameters().digest(all));
        assertThatThrownBy(() -> scheduler.run(rounds(3)))
                .hasMessageStartingWith("turn " + turn + " in round 2 (after ")
                .hasMessageContaining("the parameters are as before this turn")
                .hasMessageContaining(where);
        assertThat(scheduler.parameters().digest(all)).isEqualTo(digest[0]);
    }
}
