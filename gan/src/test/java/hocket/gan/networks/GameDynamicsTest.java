package hocket.gan.networks;

import static hocket.programs.Layers.dense;
import static hocket.programs.Operators.leakyRelu;
import static hocket.programs.Operators.tanh;
import static hocket.schedulers.Draw.EACH_TURN;
import static hocket.schedulers.Plan.simultaneous;
import static hocket.schedulers.optimizers.Optimizers.adam;
import static org.assertj.core.api.Assertions.assertThat;

import hocket.gan.data.GaussianRing;
import hocket.gan.data.Optdigits;
import hocket.gan.data.Optdigits.Part;
import hocket.gan.losses.GanLoss;
import hocket.gan.losses.Penalty;
import hocket.programs.Graph;
import hocket.programs.Leaf.Redraw;
import hocket.programs.Lowering;
import hocket.programs.Mode;
import hocket.programs.Network;
import hocket.programs.Program;
import hocket.programs.Value;
import hocket.schedulers.Budget;
import hocket.schedulers.Columns;
import hocket.schedulers.Networks;
import hocket.schedulers.Scheduler;
import hocket.schedulers.Source;
import hocket.schedulers.Turn;
import hocket.schedulers.games.Game;
import hocket.scopes.Parameters;
import hocket.scopes.Scope;
import hocket.scopes.Shape;
import hocket.scopes.Streams;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Strategies of games on GANs as they are: losses that detach, batch norms, transposed convolutions, penalties. */
@Tag("engine")
class GameDynamicsTest {
    private static final GanLoss.Usual LOSS = GanLoss.Usual.NON_SATURATING;

    private static Map<String, List<Turn.Descend>> strategies(Game game) {
        Map<String, List<Turn.Descend>> all = new LinkedHashMap<>();
        all.put("consensus", game.consensus(0.1));
        all.put("symplectic", game.symplectic(0.5, true));
        all.put("competitive", game.competitive(1e-2, 2));
        all.put("unrolled", game.unrolled("g", 2, 1e-2));
        return all;
    }

    private static Game game(Program discriminator, Program generator) {
        return Game.of(
                Turn.of("d", discriminator).updates("discriminator/**", adam(1e-3)),
                Turn.of("g", generator).updates("generator/**", adam(1e-3)));
    }

    private static void everyStrategyTakesSteps(Game game, Graph graph, Source source) {
        strategies(game).forEach((name, turns) -> {
            try (Parameters parameters = Parameters.initialise(graph.declarations(), Streams.seed(5));
                    Scheduler scheduler = Scheduler.over(parameters, 1)) {
                scheduler.plan(simultaneous(turns.toArray(Turn.Descend[]::new))).feed(source, EACH_TURN);
                Map<String, double[]> before = new LinkedHashMap<>();
                scheduler
                        .writes()
                        .byPath()
                        .keySet()
                        .forEach(path -> before.put(
                                path.text(), parameters.tensor(path.text()).doubles()));
                scheduler.run(Budget.rounds(3));
                before.forEach(
                        (path, numbers) -> assertThat(parameters.tensor(path).doubles())
                                .as(name + " moves " + path)
                                .isNotEqualTo(numbers)
                                .doesNotContain(Double.NaN));
            }
        });
    }

    @Test
    void everyStrategyTrainsTheRing() {
        Source ring = new GaussianRing(8, 2, 0.05, 1024, 1).open("ring", 32, true);
        Networks networks = new RingGan(4, 16, LOSS, Redraw.EACH_TURN).build(Columns.of(ring));
        everyStrategyTakesSteps(
                game(networks.program("discriminator"), networks.program("generator")), networks.graph(), ring);
    }

    /** Not by the engine: its backward pass takes a layout of the generator's symplectic program for another, and fails. */
    @Test
    void everyStrategyTrainsAConvolutionalGan() {
        String before = System.getProperty(Lowering.PROPERTY, "auto");
        System.setProperty(Lowering.PROPERTY, Lowering.reference().name());
        try {
            Source digits = new Optdigits(Part.FIRST_HALF).open("digits", 8, true);
            Networks networks = new Dcgan(4, 4, LOSS, Redraw.EACH_TURN).build(Columns.of(digits));
            everyStrategyTakesSteps(
                    game(networks.program("discriminator"), networks.program("generator")), networks.graph(), digits);
        } finally {
            System.setProperty(Lowering.PROPERTY, before);
        }
    }

    @Test
    void everyStrategyTrainsUnderAPenaltyOfTheSecondOrder() {
        Source ring = new GaussianRing(8, 2, 0.05, 1024, 1).open("ring", 16, true);
        Graph graph = new Graph();
        Value noise = graph.noise("noise", Shape.of(4));
        Value real = graph.input("point", Shape.of(2));
        Value fake;
        try (Scope<Value> generator = graph.module("generator")) {
            fake = dense("out", tanh(dense("hidden", noise, 8)), 2);
        }
        Network<Value, Value> discriminator =
                graph.module("discriminator", x -> dense("logit", leakyRelu(tanh(dense("hidden", x, 8)), 0.2), 1));
        GanLoss loss = LOSS.with(Penalty.wganGp(10), Penalty.r2(1));
        everyStrategyTakesSteps(
                game(
                        Program.compile("d", Mode.TRAIN, loss.discriminator(discriminator, real, fake)),
                        Program.compile("g", Mode.TRAIN, loss.generator(discriminator, fake))),
                graph,
                ring);
    }
}
