package hocket.gan.parts;

import hocket.programs.Graph;
import hocket.programs.Value;
import hocket.schedulers.Columns;
import hocket.schedulers.settings.Setting;
import hocket.scopes.ElementType;

/**
 * Conditions on the column {@code label} (), INT64. Rows are generated for the labels of the real ones, so feed both
 * turns from one batch: {@code resample: each-round}.
 *
 * @param classes number of classes: labels are 0..classes-1
 */
public record Labels(
        @Setting(usually = "10", least = 2, help = "number of classes, with labels from 0")
        int classes) implements ConditionDefinition, LabelsCopies {
    private static final String COLUMN = "label";

    /** @throws IllegalArgumentException if there are not two classes */
    public Labels {
        LabelsCopies.check(classes);
    }

    @Override
    public Conditions of(Graph graph, Columns columns) {
        Value label = graph.input(COLUMN, columns.shape(COLUMN), ElementType.INT64);
        RowCondition both = RowCondition.of(label, classes);
        return new Conditions(both, both);
    }
}
