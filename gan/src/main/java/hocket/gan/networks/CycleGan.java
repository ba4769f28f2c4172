package hocket.gan.networks;

import static hocket.programs.Operators.abs;
import static hocket.programs.Operators.add;
import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.scale;
import static hocket.programs.Operators.subtract;

import hocket.gan.losses.GanLoss;
import hocket.gan.parts.Discriminator;
import hocket.gan.parts.Generator;
import hocket.gan.parts.Pass;
import hocket.gan.parts.RowCondition;
import hocket.gan.parts.SamplePool;
import hocket.gan.parts.Scored;
import hocket.gan.terms.Term;
import hocket.programs.Graph;
import hocket.programs.Loss;
import hocket.programs.Mode;
import hocket.programs.Network;
import hocket.programs.Program;
import hocket.programs.Value;
import hocket.schedulers.Columns;
import hocket.schedulers.settings.NetworkDefinition;
import hocket.schedulers.settings.Networks;
import hocket.schedulers.settings.Setting;
import hocket.scopes.Scope;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * A CycleGAN (Zhu et al. 2017): two games on one graph, and a cycle. It learns to translate between two sets of rows without
 * pairs, the columns {@code a} and {@code b}. Translator G makes rows like b from a, and F rows like a from b; D_A and D_B score
 * rows. The translators minimise {@code L(G, D_B) + L(F, D_A) + cycle · (mean |F(G(a)) − a| + mean |G(F(b)) − b|) + identity ·
 * cycle · (mean |F(a) − a| + mean |G(b) − b|)}. Modules {@code a_to_b}, {@code b_to_a}, {@code discriminator_a}, {@code
 * discriminator_b}; programs:
 *
 * <ul>
 *   <li>{@code discriminator_a}, {@code discriminator_b}, each minimised by the weights of its module;
 *   <li>{@code translators}, minimised by {@code a_to_b/**, b_to_a/**}; metrics {@code cycle}, if weighted {@code
 *       identity}, and those of each game under {@code a_…} and {@code b_…};
 *   <li>{@code b_from_a}, {@code a_from_b}: translated rows.
 * </ul>
 *
 * @param translator of both directions, each with weights of its own; its input is a row of the other column
 * @param discriminator of both columns, each with weights of its own
 * @param loss of both games, usually least squares
 * @param terms of both games
 * @param cycle weight of the cycle; 5 is the paper's λ of 10, as {@code least_squares} has a factor 1/2
 * @param identity weight of the identity, as a share of the cycle's
 * @param pool past translated rows that are kept for each row of a batch and shown to the discriminators half the time ({@link
 *     SamplePool}); their turns have {@code carries: {pool_a: pool_a_next}} and {@code carries: {pool_b: pool_b_next}}
 */
public record CycleGan(
        @Setting(help = "translates rows: unet, mlp, or a class of your own")
        Generator translator,

        @Setting(help = "scores rows: patch, dcgan, mlp, or a class of your own")
        Discriminator discriminator,

        @Setting(usually = "least_squares", help = "the loss of both games: least_squares, non_saturating, hinge, …")
        GanLoss loss,

        @Setting(usually = "[]", help = "terms of both games, such as penalties: [{r1: {weight: 1}}]")
        List<Term> terms,

        @Setting(usually = "5", least = 0, help = "weight of the cycle: rows that are translated there and back")
        double cycle,

        @Setting(usually = "0", least = 0, help = "weight of rows of the wanted kind staying as they are; times cycle")
        double identity,

        @Setting(usually = "0", least = 0, most = 10000, help = SamplePool.HELP)
        int pool)
        implements NetworkDefinition, CycleGanCopies {
    private static final RowCondition NONE = RowCondition.none();

    /** @throws IllegalArgumentException if a weight is not finite and at least 0 */
    public CycleGan {
        terms = List.copyOf(terms);
        CycleGanCopies.check(cycle, identity, pool);
        terms.stream().filter(term -> term.every() != 1).forEach(term -> {
            throw new IllegalArgumentException(
                    "terms: " + term.key() + " is lazy, and the terms of a CycleGAN are part of its losses");
        });
    }

    /** Returns a CycleGAN with the usual settings. */
    public static CycleGan of(Generator translator, Discriminator discriminator) {
        return CycleGanCopies.usual(translator, discriminator);
    }

    /**
     * One of the two games.
     *
     * @param side of the rows that are made and scored: a or b
     * @param translate makes rows like {@code to}
     * @param pass of the discriminator of {@code to}
     */
    private record Game(String side, UnaryOperator<Value> translate, Value to, Value made, Pass pass) {
        /** The mean absolute error of rows of this side that were translated there and back. */
        Value cycle(Game other) {
            return distance(translate.apply(other.made()), to);
        }

        Value identity() {
            return distance(translate.apply(to), to);
        }

        private static Value distance(Value x, Value y) {
            return mean(abs(subtract(x, y)));
        }

        /** Builds a loss of the game, whose terms' noise is in a scope of the game. */
        Loss loss(Function<Pass, Loss> loss, Pass of) {
            try (Scope<Value> scope =
                    to.graph().scope("game_" + side + "_" + of.side().name().toLowerCase(Locale.ROOT))) {
                return loss.apply(of);
            }
        }
    }

    @Override
    public Networks build(Columns columns) {
        Graph graph = new Graph();
        Value a = graph.input("a", columns.shape("a"));
        Value b = graph.input("b", columns.shape("b"));
        List<Game> games = List.of(game(graph, "a", "b_to_a", b, a), game(graph, "b", "a_to_b", a, b));
        GanLoss both = loss.with(terms);
        List<Program> programs = new ArrayList<>();
        for (Game game : games) {
            programs.add(Program.compile(
                    "discriminator_" + game.side(), Mode.TRAIN, game.loss(both::discriminator, game.pass())));
        }
        programs.add(Program.compile("translators", Mode.TRAIN, translators(both, games)));
        programs.add(Program.compile("b_from_a", Mode.EVAL, games.get(1).made()));
        programs.add(Program.compile("a_from_b", Mode.EVAL, games.get(0).made()));
        Networks networks = Networks.of(graph, programs.toArray(Program[]::new))
                .withStatesOfNoRow(GanPasses.states(programs, both, Set.of("pool_a", "pool_b")));
        return GanCautions.lipschitz(networks, both, discriminator, "discriminator_a/**, discriminator_b/**");
    }

    private Game game(Graph graph, String side, String module, Value from, Value to) {
        Network<Value, Value> translate =
                graph.module(module, (Value x) -> translator.generate(x, RowCondition.none(), to.shape()));
        Network<Value, Scored> d = graph.module("discriminator_" + side, (Value x) -> discriminator.score(x, NONE));
        Value made = translate.apply(from);
        Pass pass = Pass.ofDiscriminator(
                (rows, none) -> d.apply(rows), to, NONE, SamplePool.exchange(pool, "pool_" + side, made), NONE);
        return new Game(side, translate::apply, to, made, pass);
    }

    /** The loss of both translators, with the metrics of each game under {@code a_…} and {@code b_…}. */
    private Loss translators(GanLoss both, List<Game> games) {
        Game toA = games.get(0);
        Game toB = games.get(1);
        Value there = add(toA.cycle(toB), toB.cycle(toA));
        Value sum = scale(there, cycle);
        Map<String, Value> metrics = new TreeMap<>(Map.of("cycle", there));
        for (Game game : games) {
            Loss fooling = game.loss(both::generator, game.pass().ofGenerator(game.made()));
            sum = add(sum, fooling.value());
            fooling.metrics().forEach((name, value) -> metrics.put(game.side() + "_" + name, value));
        }
        if (identity > 0) {
            Value same = add(toA.identity(), toB.identity());
            sum = add(sum, scale(same, identity * cycle));
            metrics.put("identity", same);
        }
        return new Loss(sum, metrics);
    }
}
