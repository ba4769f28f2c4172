package hocket.workbench.files.forms;

import hocket.schedulers.settings.Setting;
import hocket.workbench.files.yaml.FileProblems;
import hocket.workbench.files.yaml.YamlNode;
import hocket.workbench.files.yaml.YamlReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A component of a record, or a parameter of a constructor, as a file writes it.
 *
 * @param key its name in the file
 * @param former the names that it had before
 * @param form how its value is written
 * @param usually the default, as written; null if the key is required
 * @param isOptional whether its type is Optional
 * @param isInline whether its keys are among the record's own
 * @param help a line of help
 * @param unless the key that can replace it; null if there is none
 */
record Component(
        String key,
        List<String> former,
        Form form,
        @Nullable String usually,
        boolean isOptional,
        boolean isInline,
        String help,
        @Nullable AlternativeTo unless) {
    static @Nullable String usually(@Nullable Setting setting) {
        return setting == null || setting.usually().equals(Setting.REQUIRED) ? null : setting.usually();
    }

    Component withUsually(String other) {
        return new Component(key, former, form, other, isOptional, isInline, help, unless);
    }

    /** Returns whether a key of a file is a former name, and the present one is missing. */
    boolean isFormerly(String there, YamlNode.Keys keys) {
        return former.contains(there) && keys.get(key).isEmpty();
    }

    boolean isRequired() {
        return usually == null && !isOptional && !isInline;
    }

    /** Returns whether another key has replaced it. */
    boolean isReplacedIn(YamlNode.Keys keys) {
        return unless != null
                && keys.get(unless.value())
                        .filter(yamlNode -> !Form.isNothing(yamlNode))
                        .isPresent();
    }

    /** Returns whether it is required, if no other key replaces it. */
    boolean isNeeded() {
        return isRequired() || (unless != null && unless.needed());
    }

    /** Returns whether an empty value means none. */
    boolean mayBeEmpty() {
        return isOptional || "".equals(usually);
    }

    /** Returns the node of its default; empty if it has none. */
    Optional<YamlNode> missing() {
        if (usually == null) {
            return Optional.empty();
        }
        FileProblems none = new FileProblems();
        Optional<YamlNode> yamlNode = usually.isEmpty()
                ? Optional.of(new YamlNode.Scalar(hocket.workbench.files.yaml.FilePosition.in("usually"), "", true))
                : YamlReader.read("usually", usually.getBytes(StandardCharsets.UTF_8), none);
        if (!none.isEmpty()) {
            throw new IllegalStateException("the usual value of " + key + ": " + none.lines());
        }
        return yamlNode;
    }

    /** Returns the default as a file writes it, of a class by name its short name; empty if there is none. */
    String usuallyWritten() {
        return form instanceof ClassForm named && usually != null
                ? Classes.simple(named.usualClass())
                : usually == null ? "" : usually;
    }

    /** Returns whether the default is an empty text, list or map. */
    boolean isUsuallyNothing() {
        return usually == null || usually.isEmpty() || usually.equals("{}") || usually.equals("[]");
    }
}
