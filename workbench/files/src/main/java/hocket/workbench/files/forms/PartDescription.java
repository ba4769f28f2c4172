package hocket.workbench.files.forms;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A class that files name as a part of an experiment: by a key of its own, or by the key {@code class}.
 *
 * @param name how files name it, such as {@code r1} or {@code ImageFiles}
 * @param kind what it is, such as {@code term}: the name of its interface
 * @param type the class's full name
 * @param summary the first sentence of its docstring; empty for a class without one
 * @param uses the settings that take it
 * @param settings its settings, in order
 * @param example how a file writes it; {@code …} stands for a setting without a default
 */
public record PartDescription(
        String name,
        String kind,
        String type,
        String summary,
        List<Use> uses,
        List<SettingDescription> settings,
        String example) {
    /**
     * A setting that takes parts.
     *
     * @param key of the setting
     * @param owners the classes that have it; {@code the file} for the file itself
     */
    public record Use(String key, List<String> owners) {
        /** Returns the key and its owners: {@code terms of Gan, CycleGan}. */
        public String text() {
            return key + " of " + String.join(", ", owners);
        }
    }

    /**
     * A setting of a part.
     *
     * @param key its key; after the key of an enclosing setting and a point where there is one
     * @param usually the default as files write it; null if it must be given, empty for none
     * @param values the values that it takes, in words
     * @param help a line of help
     */
    public record SettingDescription(String key, @Nullable String usually, String values, String help) {}
}
