package hocket.gan.parts;

import hocket.programs.Value;
import java.util.Optional;

/**
 * The condition of rows: their labels, or nothing; and the code of generated rows, which the generator alone reads.
 *
 * @param label one whole number a row, INT64, from 0 to {@code classes - 1}
 * @param classes number of classes; 0 without labels
 * @param code what the generator reads besides its noise, as in an InfoGAN
 */
public record RowCondition(Optional<Value> label, int classes, Optional<Code> code) {
    /**
     * A code that is to be recognised in generated rows.
     *
     * @param category one whole number a row, INT64, from 0 to {@code categories - 1}
     * @param categories number of categories
     * @param numbers further numbers (numbers) in -1..1; none if empty
     */
    public record Code(Value category, int categories, Optional<Value> numbers) {}

    /** The condition of rows without labels. */
    public static RowCondition none() {
        return new RowCondition(Optional.empty(), 0, Optional.empty());
    }

    /** The condition of rows with labels. */
    public static RowCondition of(Value label, int classes) {
        return new RowCondition(Optional.of(label), classes, Optional.empty());
    }

    /** The condition of rows with a code. */
    public static RowCondition of(Code code) {
        return new RowCondition(Optional.empty(), 0, Optional.of(code));
    }

    /**
     * Returns the label.
     *
     * @param who needs it, for the message
     * @throws IllegalArgumentException if there is none
     */
    public Value requireLabel(String who) {
        return label.orElseThrow(
                () -> new IllegalArgumentException(who + " needs labels: condition: {labels: {classes: 10}}"));
    }

    /**
     * Returns the code.
     *
     * @param who needs it, for the message
     * @throws IllegalArgumentException if there is none
     */
    public Code requireCode(String who) {
        return code.orElseThrow(
                () -> new IllegalArgumentException(who + " needs a code: condition: {codes: {categories: 10}}"));
    }
}
