package hocket.workbench.files.forms;

import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;

/** Receives all settings: the keys that lead to each. */
@FunctionalInterface
public interface SettingPaths extends Consumer<List<String>> {
    /**
     * Receives the keys of which one can be set somewhere.
     *
     * @param isList whether several can be set, in a list
     */
    default void choices(List<String> address, Collection<String> keys, boolean isList) {}

    /** Takes the former address of a part, with all that can be set inside it, and the present one. */
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
