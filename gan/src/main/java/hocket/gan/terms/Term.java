package hocket.gan.terms;

import hocket.gan.parts.Pass;
import hocket.gan.parts.Side;
import hocket.programs.Value;
import hocket.schedulers.settings.Keyed;
import hocket.schedulers.settings.Keys;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * A number that is added to a loss and reported as a metric under its key: {@code d/r1}. Add it with {@code
 * GanLoss.with}, in a file under {@code terms}. A term's noise is named in the open scope, so two discriminators of one
 * graph with the same term need a scope each.
 */
@Keyed
@FunctionalInterface
public interface Term {
    /** The help of a setting that takes terms. */
    String HELP = "terms of the losses, such as penalties: [{r1: {weight: 10}}]";

    /**
     * Computes the term, one number.
     *
     * @param pass the pass of the side that it is added to
     */
    Value of(Pass pass);

    /** Returns the network whose loss it is added to. */
    default Side side() {
        return Side.DISCRIMINATOR;
    }

    /**
     * Returns in how many rounds it is computed once; 1 if it is part of the loss. Another term is a program of its own,
     * for a turn that steps the optimizer of the loss's turn, as {@link LazyTerm} describes.
     */
    default int every() {
        return 1;
    }

    /** Returns whether it uses each row's gradient, so that the discriminator must not mix the rows of a batch. */
    default boolean usesPerSampleGradients() {
        return false;
    }

    /** Returns whether it changes the target of a loss, so that the loss must have targets. */
    default boolean changesTargets() {
        return false;
    }

    /**
     * Returns the inputs that read a state of the turn that takes the term, the same number for each row. That turn says {@code
     * carries: {STATE: NEXT}}.
     */
    default List<String> states() {
        return List.of();
    }

    /** Returns whether it constrains the discriminator's Lipschitz constant. */
    default boolean constrainsLipschitz() {
        return false;
    }

    /** Returns the key of its class, the name of its metric; {@code term} for a lambda. */
    default String key() {
        return getClass().isHidden() || getClass().isAnonymousClass() ? "term" : Keys.of(getClass(), Term.class);
    }

    /** Returns this term once in a number of rounds; see {@link LazyTerm}. */
    default Term every(int rounds) {
        return new LazyTerm(rounds, this);
    }

    /** {@link WganGp}. */
    static Term wganGp(double weight) {
        return new WganGp(weight);
    }

    /** {@link WganLp}. */
    static Term wganLp(double weight) {
        return new WganLp(weight);
    }

    /** {@link ZeroCentred}. */
    static Term zeroCentred(double weight) {
        return new ZeroCentred(weight);
    }

    /** {@link R1}. */
    static Term r1(double weight) {
        return new R1(weight);
    }

    /** {@link R2}. */
    static Term r2(double weight) {
        return new R2(weight);
    }

    /** {@link Dragan}. */
    static Term dragan(double weight) {
        return new Dragan(weight);
    }

    /** {@link ConsistencyTerm}. */
    static Term consistency(double weight, UnaryOperator<Value> augmentation) {
        return new ConsistencyTerm(weight, augmentation::apply);
    }

    /** {@link BalancedConsistency}. */
    static Term balancedConsistency(double weight, UnaryOperator<Value> augmentation) {
        return new BalancedConsistency(weight, augmentation::apply);
    }
}
