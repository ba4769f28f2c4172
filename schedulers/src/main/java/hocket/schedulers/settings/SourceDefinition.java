package hocket.schedulers.settings;

import hocket.schedulers.Source;
import java.util.List;
import java.util.Optional;

/**
 * Data that an experiment file can name by class: {@code feeds: {digits: {class: hocket.gan.data.Optdigits, batch: 64}}}.
 * The class is a record as {@link NetworkDefinition} describes it. A class that is a {@link Source} itself may be named
 * in its place.
 */
public interface SourceDefinition {
    /**
     * A source at its beginning. Reads the data.
     *
     * @param name its name in the file
     * @param batch rows a draw
     * @param shuffled whether every epoch has a new order
     * @throws IllegalArgumentException if the data cannot be read, or has fewer rows than a batch, naming the file
     */
    Source open(String name, int batch, boolean shuffled);

    /** Returns the columns of the data, if settings or file headers tell them without reading rows. */
    default Optional<List<Source.Column>> declaredColumns() {
        return Optional.empty();
    }
}
