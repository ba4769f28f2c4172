package hocket.gan.parts;

import static hocket.programs.Operators.reshape;
import static hocket.programs.Operators.slice;

import hocket.programs.Value;
import java.util.Optional;

/**
 * The condition of rows: their labels, a category of rows of a table, or nothing; and the code of generated rows, which the
 * generator alone reads.
 *
 * @param label one whole number a row, INT64, from 0 to {@code classes - 1}
 * @param classes number of classes; 0 without labels
 * @param code what the generator reads besides its noise, as in an InfoGAN
 * @param table of rows of a table
 */
public record RowCondition(Optional<Value> label, int classes, Optional<Code> code, Optional<Table> table) {
    /**
     * A code that is to be recognised in generated rows.
     *
     * @param category one whole number a row, INT64, from 0 to {@code categories - 1}
     * @param categories number of categories
     * @param numbers further numbers (numbers) in -1..1; none if empty
     */
    public record Code(Value category, int categories, Optional<Value> numbers) {}

    /**
     * Rows of a table, of which a category of one column may be asked for.
     *
     * @param layout of a row
     * @param choice one whole number a row, INT64, or (pack): a category among those of all columns; none in a table of numbers
     */
    public record Table(RowLayout layout, Optional<Value> choice) {}

    /** The condition of rows without labels. */
    public static RowCondition none() {
        return new RowCondition(Optional.empty(), 0, Optional.empty(), Optional.empty());
    }

    /** The condition of rows with labels. */
    public static RowCondition of(Value label, int classes) {
        return new RowCondition(Optional.of(label), classes, Optional.empty(), Optional.empty());
    }

    /** The condition of rows with a code. */
    public static RowCondition of(Code code) {
        return new RowCondition(Optional.empty(), 0, Optional.of(code), Optional.empty());
    }

    /** The condition of rows of a table. */
    public static RowCondition of(Table table) {
        return new RowCondition(Optional.empty(), 0, Optional.empty(), Optional.of(table));
    }

    /** Returns the condition of one row of a pack; of others than tables, this. */
    public RowCondition ofRow(int row) {
        return table.map(packed -> of(new Table(
                        packed.layout(), packed.choice().map(choice -> reshape(slice(choice, 0, row, row + 1))))))
                .orElse(this);
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
     * Returns the table.
     *
     * @param who needs it, for the message
     * @throws IllegalArgumentException if there is none
     */
    public Table requireTable(String who) {
        return table.orElseThrow(
                () -> new IllegalArgumentException(who + " needs rows of a table: condition: categories"));
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
