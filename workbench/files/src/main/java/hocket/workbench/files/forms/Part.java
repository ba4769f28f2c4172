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
 * @param places the settings that take it, such as {@code terms of Gan}
 * @param settings its settings, in order
 * @param example how a file writes it; {@code …} stands for a setting without a default
 */
public record Part(
        String name,
        String kind,
        String type,
        String summary,
        List<String> places,
        List<PartSetting> settings,
        String example) {
    /**
     * A setting of a part.
     *
     * @param usually the default as files write it; null if it must be given, empty for none
     * @param values the values that it takes, in words
     * @param help a line of help
     */
    public record PartSetting(String key, @Nullable String usually, String values, String help) {}
}
