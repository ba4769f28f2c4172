package hocket.gan.parts;

import hocket.programs.Value;
import java.util.Optional;

/**
 * The condition of rows: their labels, or nothing.
 *
 * @param label one whole number a row, INT64, from 0 to {@code classes - 1}
 * @param classes number of classes; 0 without labels
 */
public record RowCondition(Optional<Value> label, int classes) {
    /** The condition of rows without labels. */
    public static RowCondition none() {
        return new RowCondition(Optional.empty(), 0);
    }

    /** The condition of rows with labels. */
    public static RowCondition of(Value label, int classes) {
        return new RowCondition(Optional.of(label), classes);
    }
}
