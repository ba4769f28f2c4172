package hocket.schedulers;

import hocket.programs.Program;
import hocket.schedulers.Source.Column;
import hocket.schedulers.feeds.DataFingerprint;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A description of a data source: its columns, its batch size, and how to open it. Inspecting a run needs no more. A
 * {@link Source} describes itself.
 *
 * <p>For example:
 *
 * <pre>{@code
 * OptionalLong draws = images.drawsAnEpoch();
 * boolean isRead = images.isReadBy(dStep);
 * }</pre>
 */
public interface SourceDescription {
    /**
     * Opens the data: each call returns a new source at its beginning. A source that describes itself returns itself.
     *
     * @throws RuntimeException if the data cannot be read, naming it
     */
    Source open();

    /** Returns its name in budgets, triggers and messages. */
    String name();

    /** Returns its columns. */
    List<Column> columns();

    /** Returns the usual number of rows of a draw. */
    int batch();

    /** Returns the most Java memory of its own rows, in bytes; 0 where that is little or unknown. */
    default long bytes() {
        return 0;
    }

    /** Returns the size of a number of rows, in bytes. */
    default long bytes(long rows) {
        return rows
                * columns().stream()
                        .mapToLong(column -> column.shape().bytes(column.type()))
                        .sum();
    }

    /**
     * Returns whether it has epochs, whose rows repeat. Rows from outside have none; budgets and triggers that count
     * epochs are refused then.
     */
    default boolean hasEpochs() {
        return true;
    }

    /** Returns the number of draws of an epoch; empty without epochs or where it is not known before drawing. */
    default OptionalLong drawsAnEpoch() {
        return OptionalLong.empty();
    }

    /**
     * Returns notes on its data for people, a line each, such as how many pictures were found and how they were
     * resized.
     */
    default List<String> notes() {
        return List.of();
    }

    /** Returns the owner and licence of the data, for people; empty where unknown. */
    default Optional<String> attribution() {
        return Optional.empty();
    }

    /**
     * Returns the files and resources of its rows, by content, so that a resumed run can check that the data is the
     * same; this reads them again. Empty where rows are generated or the files are not known.
     *
     * @throws java.io.UncheckedIOException if one cannot be read
     */
    default List<DataFingerprint> origins() {
        return List.of();
    }

    /**
     * Returns how its columns differ from earlier ones, in words; nothing if they are equal. A source whose columns have an
     * encoding says what has changed in it.
     */
    default List<String> differences(List<Column> before) {
        return columns().equals(before) ? List.of() : List.of("its columns were " + before + ", are " + columns());
    }

    /**
     * Returns whether each row of a draw may continue that row of the draw before, as a turn that carries a state wants;
     * not where rows come at random.
     */
    default boolean rowsContinue() {
        return true;
    }

    /** Returns how many rows of the data each of its rows joins, see {@link hocket.schedulers.feeds.PackedSource}. */
    default int pack() {
        return 1;
    }

    /** Returns whether it has a column of that name. */
    default boolean hasColumn(String name) {
        return columns().stream().anyMatch(column -> column.name().equals(name));
    }

    /** Returns whether it or one of its columns has that name. */
    default boolean isCalled(String name) {
        return name().equals(name) || hasColumn(name);
    }

    /** Returns whether a program reads one of its columns. */
    default boolean isReadBy(Program program) {
        return columns().stream()
                .anyMatch(column -> program.input(column.name()).isPresent());
    }
}
