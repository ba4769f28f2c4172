package hocket.schedulers.settings;

import hocket.schedulers.Columns;

/**
 * Networks that an experiment file can name by class: {@code network: {class: my.Networks, width: 64}}. The class is a
 * record; its components are the settings, each described by {@link Setting}. Its constructor refuses what is out of range
 * by an {@link IllegalArgumentException} that says so.
 */
public interface NetworkDefinition {
    /**
     * The networks. Trains nothing, reads nothing and writes nothing.
     *
     * @param columns what the experiment's sources give
     * @throws IllegalArgumentException if the settings or the columns do not fit each other, naming both
     */
    Networks build(Columns columns);
}
