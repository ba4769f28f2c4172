package hocket.gan.parts;

import hocket.programs.Graph;
import hocket.programs.operators.Leaf.Redraw;
import hocket.schedulers.Columns;
import hocket.schedulers.settings.Keyed;

/** The source of the conditions of real and generated rows; in a file {@code condition: {labels: {classes: 10}}}. */
@Keyed
@FunctionalInterface
public interface ConditionDefinition {
    /**
     * The conditions of a batch.
     *
     * @param real of the real rows
     * @param fake of the generated rows in training
     * @param samples of rows that are generated to be looked at and scored
     */
    record Conditions(RowCondition real, RowCondition fake, RowCondition samples) {}

    /**
     * Makes the conditions.
     *
     * @param noise when random conditions are drawn again
     * @throws IllegalArgumentException if the columns lack what they need
     */
    Conditions of(Graph graph, Columns columns, Redraw noise);

    /** Returns whether rows with it can be packed. */
    default boolean allowsPacks() {
        return false;
    }

    /** {@link Unconditional}. */
    static ConditionDefinition none() {
        return new Unconditional();
    }

    /** {@link Labels}. */
    static ConditionDefinition labels(int classes) {
        return Labels.ofReal(classes);
    }
}
