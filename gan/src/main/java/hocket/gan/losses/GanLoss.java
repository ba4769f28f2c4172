package hocket.gan.losses;

import static hocket.programs.Operators.add;
import static hocket.programs.Operators.greater;
import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.negate;
import static hocket.programs.Operators.scale;
import static hocket.programs.Operators.shift;
import static hocket.programs.Operators.stopGradient;
import static hocket.programs.Operators.subtract;

import hocket.gan.parts.Discriminator;
import hocket.gan.parts.Pass;
import hocket.gan.parts.RowCondition;
import hocket.gan.parts.Scored;
import hocket.gan.parts.Side;
import hocket.gan.terms.Term;
import hocket.programs.Loss;
import hocket.programs.Network;
import hocket.programs.Value;
import hocket.schedulers.settings.Keyed;
import hocket.schedulers.settings.Keys;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SortedMap;

/**
 * The losses of a discriminator and a generator over the discriminator's outputs, one number a row, high for real. Losses
 * take the network and not its outputs, because they call it and stop gradients. In a file {@code loss: hinge}, or {@code
 * {class: my.Loss}}.
 */
@Keyed
public interface GanLoss {
    /**
     * The discriminator's loss, from its outputs for real and for generated rows.
     *
     * @param real one number a row
     * @param fake one number a row
     */
    Value discriminator(Value real, Value fake);

    /**
     * The generator's loss, from the discriminator's outputs for real and for generated rows.
     *
     * @param real one number a row, which only relativistic losses read
     * @param fake one number a row
     */
    Value generator(Value real, Value fake);

    /**
     * The output above which the discriminator classifies a row as real. There is none if a constant that is added to all
     * outputs does not change the loss.
     */
    default OptionalDouble decisionThreshold() {
        return OptionalDouble.of(0);
    }

    /**
     * The discriminator's loss. The metric {@code error_rate} is the share of rows, real and generated, on the wrong side
     * of the decision threshold; without one, on the wrong side of the mean output for the rows of the other kind.
     */
    default Loss discriminator(Pass pass) {
        Value real = pass.onReal().logit();
        Value fake = pass.onFake().logit();
        OptionalDouble threshold = decisionThreshold();
        Value wrong = threshold.isPresent()
                ? add(
                        positive(shift(negate(real), threshold.getAsDouble())),
                        positive(shift(fake, -threshold.getAsDouble())))
                : add(positive(subtract(mean(fake), real)), positive(subtract(fake, mean(real))));
        return Loss.of(discriminator(real, fake)).metric("error_rate", scale(wrong, 0.5));
    }

    /** The generator's loss. */
    default Loss generator(Pass pass) {
        return Loss.of(generator(pass.onReal().logit(), pass.onFake().logit()));
    }

    /**
     * The discriminator's loss, {@link #discriminator(Pass)}. No gradient flows into the generator.
     *
     * @param discriminator called on real, then on fake
     */
    default Loss discriminator(Network<Value, Value> discriminator, Value real, Value fake) {
        return discriminator(Pass.ofDiscriminator(discriminator, real, fake));
    }

    /** The generator's loss; the gradient flows through the discriminator into the generator. */
    default Loss generator(Network<Value, Value> discriminator, Value real, Value fake) {
        Discriminator d = Pass.over(discriminator);
        RowCondition none = RowCondition.none();
        Scored onFake = d.score(fake, none);
        return generator(
                new Pass(Side.GENERATOR, d, real, none, d.score(real, none), fake, none, onFake, Optional.empty()));
    }

    /**
     * The generator's loss where it does not depend on real rows.
     *
     * @throws IllegalArgumentException if it does
     */
    default Loss generator(Network<Value, Value> discriminator, Value fake) {
        Discriminator d = Pass.over(discriminator);
        RowCondition none = RowCondition.none();
        Scored onFake = d.score(fake, none);
        Scored unread = Scored.of(stopGradient(onFake.logit()));
        Loss loss = generator(
                new Pass(Side.GENERATOR, d, stopGradient(fake), none, unread, fake, none, onFake, Optional.empty()));
        if (Value.above(List.of(loss.value()), Value::inputs).contains(unread.logit())) {
            throw new IllegalArgumentException("loss " + key() + " compares generated rows with real ones: call"
                    + " generator(discriminator, real, fake)");
        }
        return loss;
    }

    /**
     * Adds terms, such as penalties, to the losses. Each is a metric under its key, and their sum is the metric {@code
     * penalty} of the discriminator. Where a term uses each row's gradient, a batch norm in the discriminator is refused
     * when the loss is made.
     */
    default GanLoss with(Term... terms) {
        return with(List.of(terms));
    }

    /** Adds a list of terms; an empty list changes nothing. */
    default GanLoss with(List<Term> terms) {
        return terms.isEmpty() ? this : new LossWithTerms(this, List.copyOf(terms), true);
    }

    /**
     * Adds terms without refusing a batch norm. Penalties then differ from their papers, because rows mix; meant for runs
     * that were trained before {@link #with} refused this.
     */
    default GanLoss withUnchecked(List<Term> terms) {
        return terms.isEmpty() ? this : new LossWithTerms(this, List.copyOf(terms), false);
    }

    /** Returns the terms that were added. */
    default List<Term> terms() {
        return List.of();
    }

    /**
     * A term that is computed in some rounds only.
     *
     * @param side the network that it trains
     * @param every rounds in which it is computed once
     * @param loss the term, one number
     */
    record LazyLoss(Side side, int every, Loss loss) {}

    /**
     * Returns the terms that are not part of the losses because they are computed in some rounds only, by key, the second
     * of a key under {@code key_2}: each the loss of a program of its own.
     */
    default SortedMap<String, LazyLoss> lazyTerms(Pass ofDiscriminator, Pass ofGenerator) {
        return Collections.emptySortedMap();
    }

    /** Returns whether this loss needs a Lipschitz-constrained discriminator and does not constrain it itself. */
    default boolean requiresLipschitz() {
        return false;
    }

    /** Returns whether real rows have a target, so that label smoothing can change it. */
    default boolean hasTargets() {
        return false;
    }

    /** Returns the key of its class in files. */
    default String key() {
        return Keys.of(getClass(), GanLoss.class);
    }

    private static Value positive(Value x) {
        return mean(greater(x, scale(x, 0)));
    }

    /** {@link NonSaturating}. */
    static GanLoss nonSaturating() {
        return new NonSaturating();
    }

    /** {@link Minimax}. */
    static GanLoss minimax() {
        return new Minimax();
    }

    /** {@link LeastSquares}. */
    static GanLoss leastSquares() {
        return new LeastSquares();
    }

    /** {@link Hinge}. */
    static GanLoss hinge() {
        return new Hinge();
    }

    /** {@link Wasserstein}. */
    static GanLoss wasserstein() {
        return new Wasserstein();
    }

    /** {@link RelativisticPaired}. */
    static GanLoss relativisticPaired() {
        return new RelativisticPaired();
    }

    /** {@link RelativisticAverage}. */
    static GanLoss relativisticAverage() {
        return new RelativisticAverage();
    }

    /** {@link RelativisticAverageHinge}. */
    static GanLoss relativisticAverageHinge() {
        return new RelativisticAverageHinge();
    }

    /** {@link RelativisticAverageLeastSquares}. */
    static GanLoss relativisticAverageLeastSquares() {
        return new RelativisticAverageLeastSquares();
    }
}
