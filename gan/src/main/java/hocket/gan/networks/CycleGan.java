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
import hocket.scopes.Shape;
import java.util.List;

/**
 * A CycleGAN (Zhu et al. 2017): two games on one graph, and a cycle. It learns to translate between two sets of rows without
 * pairs, the columns {@code a} and {@code b}. Translator G makes rows like b from a, and F rows like a from b; D_A and D_B score
 * rows. The translators minimise {@code L(G, D_B) + L(F, D_A) + cycle · (mean |F(G(a)) − a| + mean |G(F(b)) − b|) + identity ·
 * cycle · (mean |F(a) − a| + mean |G(b) − b|)}. Modules {@code a_to_b}, {@code b_to_a}, {@code discriminator_a}, {@code
 * discriminator_b}; programs:
 *
 * <ul>
 *   <li>{@code discriminator_a}, {@code discriminator_b}, each minimised by the weights of its module;
 *   <li>{@code translators}, minimised by {@code a_to_b/**, b_to_a/**}; metrics {@code cycle} and, if weighted, {@code
 *       identity};
 *   <li>{@code b_from_a}, {@code a_from_b}: translated rows.
 * </ul>
 *
 * @param translator of both directions, each with weights of its own; its input is a row of the other column
 * @param discriminator of both columns, each with weights of its own
 * @param loss of both games, usually least squares
 * @param terms of both games
 * @param cycle weight of the cycle
 * @param identity weight of the identity, as a share of the cycle's
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

        @Setting(usually = "10", least = 0, help = "weight of the cycle: rows that are translated there and back")
        double cycle,

        @Setting(usually = "0", least = 0, help = "weight of rows of the wanted kind staying as they are; times cycle")
        double identity)
        implements NetworkDefinition, CycleGanCopies {
    /** @throws IllegalArgumentException if a weight is not finite and at least 0 */
    public CycleGan {
        terms = List.copyOf(terms);
        CycleGanCopies.check(cycle, identity);
    }

    /** Returns a CycleGAN with the usual settings. */
    public static CycleGan of(Generator translator, Discriminator discriminator) {
        return CycleGanCopies.usual(translator, discriminator);
    }

    /**
     * One of the two games.
     *
     * @param translate makes rows like {@code to}
     * @param pass of the discriminator of {@code to}
     */
    private record Game(Network<Value, Value> translate, Value from, Value to, Value made, Pass pass) {}

    @Override
    public Networks build(Columns columns) {
        Graph graph = new Graph();
        Value a = graph.input("a", columns.shape("a"));
        Value b = graph.input("b", columns.shape("b"));
        Game toB = game(graph, "a_to_b", a, b);
        Game toA = game(graph, "b_to_a", b, a);
        GanLoss both = loss.with(terms);
        Loss first = both.generator(toB.pass().ofGenerator(toB.made()));
        Loss second = both.generator(toA.pass().ofGenerator(toA.made()));
        Value there = add(
                distance(toA.translate().apply(toB.made()), a),
                distance(toB.translate().apply(toA.made()), b));
        Loss translators = Loss.of(add(add(first.value(), second.value()), scale(there, cycle)))
                .metric("cycle", there);
        if (identity > 0) {
            Value same = add(
                    distance(toA.translate().apply(a), a),
                    distance(toB.translate().apply(b), b));
            translators = new Loss(add(translators.value(), scale(same, identity * cycle)), translators.metrics())
                    .metric("identity", same);
        }
        return Networks.of(
                graph,
                Program.compile("discriminator_a", Mode.TRAIN, both.discriminator(toA.pass())),
                Program.compile("discriminator_b", Mode.TRAIN, both.discriminator(toB.pass())),
                Program.compile("translators", Mode.TRAIN, translators),
                Program.compile("b_from_a", Mode.EVAL, toB.made()),
                Program.compile("a_from_b", Mode.EVAL, toA.made()));
    }

    private Game game(Graph graph, String module, Value from, Value to) {
        Shape rows = to.shape();
        Network<Value, Value> translate =
                graph.module(module, (Value x) -> translator.generate(x, RowCondition.none(), rows));
        String name = "discriminator_" + to.path().text();
        Network<Value, Value> d = graph.module(name, (Value x) -> discriminator.logit(x));
        Value made = translate.apply(from);
        return new Game(translate, from, to, made, Pass.ofDiscriminator(d, to, made));
    }

    private static Value distance(Value x, Value y) {
        return mean(abs(subtract(x, y)));
    }
}
