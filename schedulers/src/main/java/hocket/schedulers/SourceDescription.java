package hocket.schedulers;

import hocket.programs.Program;
import hocket.schedulers.Source.Column;
import hocket.schedulers.feeds.DataFingerprint;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Data as a run names it: its columns and the size of its batches, and how it is opened. Whoever only looks at a run needs no
 * more. A {@link Source} describes itself.
 */
public interface SourceDescription {
    /**
     * Opens the data: each call gives a source of its own, at its beginning. A source that describes itself gives itself, as it
     * stands.
     *
     * @throws RuntimeException if the data cannot be read, naming it
     */
    Source open();

    /** Its name in budgets, triggers and messages. */
    String name();

    /** What it gives. */
    List<Column> columns();

    /** How many rows a draw usually has. */
    int batch();

    /** Java's memory that its own rows take at most, in bytes; 0 where that is little, or not known. */
    default long bytes() {
        return 0;
    }

    /** So many rows of its columns, in bytes. */
    default long bytes(long rows) {
        return rows
                * columns().stream()
                        .mapToLong(column -> column.shape().bytes(column.type()))
                        .sum();
    }

    /** Whether its rows come to an end and begin again; not where they come from outside. Budgets and triggers that count epochs are refused then. */
    default boolean hasEpochs() {
        return true;
    }

    /**
     * How many draws an epoch has, as far as that is known without drawing; empty where there are no epochs, or what comes
     * is not known before.
     */
    default OptionalLong drawsAnEpoch() {
        return OptionalLong.empty();
    }

    /** What there is to say of its data, for people: a line each, such as how many pictures were found and how they were fitted. */
    default List<String> notes() {
        return List.of();
    }

    /** Whose data it is, and under which licence, for people; empty where that is not known. */
    default Optional<String> attribution() {
        return Optional.empty();
    }

    /**
     * The files and resources that its rows were read from, by content, so that a run can tell whether it goes on with the
     * data that it began with; they are read once more for it. Empty where it makes its rows, or does not say.
     *
     * @throws java.io.UncheckedIOException if one cannot be read
     */
    default List<DataFingerprint> origins() {
        return List.of();
    }

    /** Whether it has a column of that name. */
    default boolean hasColumn(String name) {
        return columns().stream().anyMatch(column -> column.name().equals(name));
    }

    /** Whether it is called that, or has a column that is. */
    default boolean isCalled(String name) {
        return name().equals(name) || hasColumn(name);
    }

    /** Whether a program reads one of its columns. */
    default boolean isReadBy(Program program) {
        return columns().stream()
                .anyMatch(column -> program.input(column.name()).isPresent());
    }
}
