package hocket.gan.networks;

import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.shift;
import static hocket.programs.Operators.sign;
import static hocket.programs.Operators.sum;

import hocket.gan.augmentations.Unaugmented;
import hocket.gan.losses.GanLoss;
import hocket.gan.losses.GanLoss.LazyLoss;
import hocket.gan.parts.ConditionDefinition.Conditions;
import hocket.gan.parts.Generated;
import hocket.gan.parts.Latents;
import hocket.gan.parts.Pass;
import hocket.gan.parts.RowCondition;
import hocket.gan.parts.SamplePool;
import hocket.gan.parts.Scored;
import hocket.programs.Graph;
import hocket.programs.Loss;
import hocket.programs.Mode;
import hocket.programs.Network;
import hocket.programs.Program;
import hocket.programs.Value;
import hocket.programs.operators.Leaf.Distribution;
import hocket.schedulers.Columns;
import hocket.schedulers.settings.Networks;
import hocket.scopes.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * The graph of a {@link Gan} with a pass for each network.
 *
 * @param gan the settings
 * @param generator makes rows, or packs of them, from noise, under the condition of generated rows
 * @param real rows of the column, or packs of them
 * @param logit the discriminator's output for the real rows as they are, without augmentation
 * @param fake generated rows of training, or packs of them
 * @param samples generated rows to be looked at and scored
 * @param ofDiscriminator the pass that the discriminator learns from
 * @param ofGenerator the pass that the generator learns from
 */
record GanPasses(
        Gan gan,
        UnaryOperator<Value> generator,
        Value real,
        Value logit,
        Value fake,
        Value samples,
        Pass ofDiscriminator,
        Pass ofGenerator) {
    private static final String POOL = "pool";

    /** Rows with their condition. */
    private record Conditioned(Value rows, RowCondition condition) {}

    static GanPasses of(Gan gan, Columns columns) {
        return of(gan, columns, new Graph());
    }

    /** @param graph an empty one */
    static GanPasses of(Gan gan, Columns columns, Graph graph) {
        String column = Gan.column(gan.rows(), columns);
        Packing packing = new Packing(gan.pack(), gan.latent());
        Shape shape = packing.row(column, columns.shape(column));
        Value z = graph.noise("noise", Shape.of(gan.latent()), new Distribution.Normal(), gan.noise());
        Value real = graph.input(column, columns.shape(column));
        Conditions conditions = gan.condition().of(graph, columns, gan.noise());
        Network<Conditioned, Generated> conditional = graph.module("generator", in -> {
            Generated made = gan.generator().make(in.rows(), in.condition(), shape);
            return new Generated(graph.name(column, requireShape(made.rows(), shape)), made.heads());
        });
        Function<Value, Generated> generator = packing.generator(
                (noise, i) -> conditional.apply(new Conditioned(noise, packing.ofRow(conditions.fake(), i))));
        UnaryOperator<Value> makes = noise -> generator.apply(noise).rows();
        Value noises = packing.noises(z, gan.noise());
        Generated made = generator.apply(noises);
        Value fake = made.rows();
        Value samples = packing.rows() == 1 && conditions.samples().equals(conditions.fake())
                ? fake
                : conditional.apply(new Conditioned(z, conditions.samples())).rows();
        Network<Conditioned, Scored> discriminator =
                graph.module("discriminator", x -> gan.discriminator().score(x.rows(), x.condition()));
        boolean isAugmented = !gan.augmentation().equals(new Unaugmented());
        UnaryOperator<Value> ofRow = isAugmented ? graph.module("augment", gan.augmentation())::apply : row -> row;
        UnaryOperator<Value> augment = isAugmented ? rows -> packing.each(rows, ofRow) : ofRow;
        Latents latents = new Latents(noises, makes, made.heads());
        Pass shown = Pass.ofDiscriminator(
                (rows, condition) -> discriminator.apply(new Conditioned(augment.apply(rows), condition)),
                real,
                conditions.real(),
                SamplePool.exchange(gan.pool(), POOL, fake),
                conditions.fake());
        Pass pass = gan.pool() == 0 ? shown.with(latents) : shown; // the noise of past rows is not kept
        Value logit = isAugmented
                ? discriminator
                        .apply(new Conditioned(pass.real(), conditions.real()))
                        .logit()
                : pass.onReal().logit();
        return new GanPasses(
                gan,
                makes,
                real,
                logit,
                fake,
                samples,
                pass,
                pass.ofGenerator(fake).with(latents));
    }

    private static Value requireShape(Value rows, Shape shape) {
        if (!rows.shape().equals(shape)) {
            throw new IllegalArgumentException("generator: must make rows " + shape + ", made " + rows);
        }
        return rows;
    }

    /**
     * Compiles the programs, with warnings of what they need and an experiment may lack.
     *
     * @param loss with its terms
     * @param metrics adds metrics to the discriminator's loss
     */
    Networks networks(GanLoss loss, UnaryOperator<Loss> metrics) {
        Loss onDiscriminator = metrics.apply(discriminator(loss));
        Loss onGenerator = loss.generator(ofGenerator);
        List<Program> programs = new ArrayList<>(List.of(
                Program.compile("discriminator", Mode.TRAIN, onDiscriminator),
                Program.compile("generator", Mode.TRAIN, onGenerator),
                Program.compile("draw", Mode.EVAL, samples),
                Program.compile("field", Mode.EVAL, logit)));
        // The pool is a state of the discriminator's turn, and lazy terms have turns of their own.
        Pass ofLazyTerms = gan.pool() > 0 && loss.terms().stream().anyMatch(term -> term.every() > 1)
                ? ofDiscriminator.withFake(fake).with(ofGenerator.latents().orElseThrow())
                : ofDiscriminator;
        SortedMap<String, LazyLoss> lazy = loss.lazyTerms(ofLazyTerms, ofGenerator);
        lazy.forEach((name, term) -> programs.add(Program.compile(name, Mode.TRAIN, term.loss())));
        Networks networks = Networks.of(fake.graph(), programs.toArray(Program[]::new))
                .withStatesOfNoRow(states(programs, loss, gan.pool() > 0 ? Set.of(POOL) : Set.of()));
        networks = gan.augmentation().isAdaptive()
                ? GanCautions.adaptive(networks, loss, real.path().text())
                : networks;
        for (Map.Entry<String, LazyLoss> term : lazy.entrySet()) {
            networks = GanCautions.lazy(networks, term.getKey(), term.getValue());
        }
        networks = GanCautions.fewestRows(networks, real.path().text(), gan.discriminator());
        networks = GanCautions.packed(networks, real.path().text(), gan.pack());
        Conditions conditions = new Conditions(ofDiscriminator.ofReal(), ofDiscriminator.ofFake(), RowCondition.none());
        networks = GanCautions.unread(networks, conditions, fake, onDiscriminator, onGenerator);
        return GanCautions.lipschitz(networks, loss, gan.discriminator(), "discriminator/**");
    }

    /**
     * Returns the inputs that are states of turns.
     *
     * @param loss with its terms; a term may have its states in a scope of its own
     * @param pools names of those that keep past rows
     */
    static Value[] states(List<Program> programs, GanLoss loss, Set<String> pools) {
        Set<String> names = loss.terms().stream()
                .flatMap(term -> term.states().stream())
                .collect(Collectors.toCollection(() -> new TreeSet<>(pools)));
        return programs.stream()
                .flatMap(program -> program.inputs().stream())
                .filter(input -> names.contains(input.path().name()))
                .distinct()
                .toArray(Value[]::new);
    }

    private Loss discriminator(GanLoss loss) {
        Loss plain = loss.discriminator(ofDiscriminator);
        return gan.augmentation().isAdaptive()
                ? plain.metric(
                                "real_sign",
                                mean(sign(shift(
                                        ofDiscriminator.onReal().logit(),
                                        -loss.decisionThreshold().orElse(0)))))
                        .metric("augment_p", sum(fake.graph().value(GanCautions.PROBABILITY)))
                : plain;
    }
}
