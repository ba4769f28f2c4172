package hocket.workbench.forms;

import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;

/** Takes what can be set: the keys that lead to each. */
@FunctionalInterface
public interface SettingPaths extends Consumer<List<String>> {
    /**
     * Takes the keys of which one can be set somewhere.
     *
     * @param isList whether several can, in a list
     */
    default void choices(List<String> address, Collection<String> keys, boolean isList) {}

    /** Takes the former address of a part, with all that can be set inside it, and the present one. */
    default void formerly(List<String> former, List<String> address) {}

    /**
     * Takes a number that may also be written out, such as a rate.
     *
     * @return whether what can be set inside it follows
     */
    default boolean number(List<String> address) {
        accept(address);
        return true;
    }
}
