package hocket.workbench.files.forms;

import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;

/** Receives all settings: the keys that lead to each. */
@FunctionalInterface
public interface SettingPathVisitor extends Consumer<List<String>> {
    /**
     * Receives the keys of which one can be set somewhere.
     *
     * @param isList whether several can be set, in a list
     */
    default void choices(List<String> address, Collection<String> keys, boolean isList) {}

    /** Receives the former and the present path of a part, with all settings inside it. */
    default void formerly(List<String> former, List<String> address) {}

    /**
     * Receives a number that may also be written as a map, such as a rate.
     *
     * @return whether the settings inside it follow
     */
    default boolean number(List<String> address) {
        accept(address);
        return true;
    }
}
