package hocket.gan.parts;

import hocket.programs.Graph;
import hocket.programs.Value;
import hocket.programs.operators.Leaf.Redraw;
import hocket.schedulers.Columns;
import hocket.schedulers.settings.Setting;
import hocket.scopes.ElementType;
import java.util.Collections;
import java.util.List;

/**
 * Conditions on the column {@code label} (), INT64. Rows are generated for the labels of the real ones, so feed both
 * turns from one batch, {@code resample: each-round}; or for labels that are drawn, by noise {@code label_drawn}. Samples are
 * drawn for labels that are asked for.
 *
 * @param classes number of classes: labels are 0..classes-1
 * @param generated whether rows are generated for the real labels or for drawn ones
 * @param weights relative frequencies of drawn labels, one for each class; empty for equal ones
 */
public record Labels(
        @Setting(usually = "10", least = 2, help = "number of classes, with labels from 0")
        int classes,

        @Setting(usually = "real", help = "labels of generated rows: real, those of the real rows; or drawn at random")
        LabelSource generated,

        @Setting(usually = "[]", help = "relative frequencies of drawn labels, one for each class; [] for equal ones")
        List<Double> weights)
        implements ConditionDefinition, LabelsCopies {
    /** The labels of generated rows. */
    public enum LabelSource {
        REAL,
        DRAWN
    }

    private static final String COLUMN = "label";

    /** @throws IllegalArgumentException if there are not two classes, or the weights are not one for each, at least 0 */
    public Labels {
        LabelsCopies.check(classes);
        weights = List.copyOf(weights);
        if (!weights.isEmpty()) {
            requireWeights(classes, generated, weights);
        }
    }

    private static void requireWeights(int classes, LabelSource generated, List<Double> weights) {
        if (generated == LabelSource.REAL) {
            throw new IllegalArgumentException(
                    "weights: are of drawn labels, and rows are generated for the real ones: set generated: drawn");
        }
        boolean areFrequencies = weights.stream().allMatch(weight -> weight >= 0 && weight < Double.POSITIVE_INFINITY);
        if (weights.size() != classes || !areFrequencies || weights.stream().allMatch(weight -> weight == 0)) {
            throw new IllegalArgumentException("weights: must be " + classes
                    + " numbers of at least 0, one for each class and one above 0, were " + weights);
        }
    }

    /** Labels of these classes, with rows generated for the real ones. */
    static Labels ofReal(int classes) {
        return new Labels(classes, LabelSource.REAL, List.of());
    }

    @Override
    public Conditions of(Graph graph, Columns columns, Redraw noise) {
        Value label = graph.input(COLUMN, columns.shape(COLUMN), ElementType.INT64);
        RowCondition real = RowCondition.of(label, classes);
        if (generated == LabelSource.REAL) {
            return new Conditions(real, real, real);
        }
        List<Double> frequencies = weights.isEmpty() ? Collections.nCopies(classes, 1.0) : weights;
        Value drawn = Categories.drawn(graph, "label_drawn", frequencies, noise);
        return new Conditions(real, RowCondition.of(drawn, classes), real);
    }
}
