package hocket.workbench.files.forms;

import hocket.scopes.SimilarNames;
import hocket.workbench.files.yaml.YamlNode;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The form of one type's values in a file. */
public abstract sealed class Form permits ScalarForm, ListForm, MapForm, RecordForm, UnionForm, KeyedForm, ClassForm {
    /**
     * Reads a value.
     *
     * @param path keys that lead to the node
     * @return the value; empty if there are problems, which have been added
     */
    public abstract Optional<Object> read(YamlNode yamlNode, String path, ReadingContext readingContext);

    /** Returns the node with all defaults written out, and with absolute paths. */
    public abstract YamlNode complete(YamlNode yamlNode, ReadingContext readingContext);

    /**
     * Returns the node with former names of keys and classes replaced by present ones, each with a warning.
     *
     * @param path the keys that lead to the node
     */
    public YamlNode renewed(YamlNode yamlNode, String path, ReadingContext readingContext) {
        return yamlNode;
    }

    /**
     * Merges a file's node over that of a file that it includes: common keys are merged if possible, and an empty value
     * removes a key.
     */
    public YamlNode merged(YamlNode base, YamlNode over, Classes classes) {
        return over;
    }

    /**
     * Names all settings in a node.
     *
     * @param yamlNode the node; empty for defaults
     * @param to receives the keys that lead to each
     */
    public abstract void addresses(
            Optional<YamlNode> yamlNode, List<String> path, Classes classes, SettingPathVisitor to);

    /** Returns the values that it takes, in words: {@code a whole number of at least 1}. */
    abstract String values();

    /** Tells a visitor each kind of class that a value can name, at any depth of records, lists and maps. */
    abstract void visit(KindVisitor.Taker taker, KindVisitor visitor);

    /** Returns the keys of which a value has one; empty if it is not a choice. */
    Collection<String> choices(Classes classes) {
        return List.of();
    }

    /** Returns the JSON schema of the node: maps, lists, strings, numbers and booleans. */
    public abstract Map<String, Object> schema(Schemas schemas);

    static List<String> below(List<String> path, String key) {
        List<String> longer = new java.util.ArrayList<>(path);
        longer.add(key);
        return longer;
    }

    /** Returns a suggestion for a wrong name, to follow the message; empty without a similar name. */
    static String hint(String wrong, Collection<String> known) {
        return SimilarNames.near(wrong, known).orElse("");
    }

    /** Returns keys with an entry over the existing one: merged by its form, or removed if it is empty. */
    final YamlNode.Keys merged(
            YamlNode.Keys merged, YamlNode.Keys below, Map.Entry<String, YamlNode.Entry> over, Classes classes) {
        YamlNode mine = over.getValue().value();
        return isNothing(mine)
                ? merged.without(over.getKey())
                : merged.with(
                        over.getKey(),
                        over.getValue()
                                .of(below.get(over.getKey())
                                        .map(theirs -> merged(theirs, mine, classes))
                                        .orElse(mine)));
    }

    static boolean isNothing(YamlNode yamlNode) {
        return yamlNode instanceof YamlNode.Scalar scalar && scalar.isNothing();
    }

    /** Adds the problem that a node has another type. */
    static Optional<Object> wrong(YamlNode yamlNode, String path, ReadingContext readingContext, String rule) {
        return wrong(yamlNode, path, readingContext, rule, List.of());
    }

    /** Adds the problem that a node has another type, and suggests a similar word. */
    static Optional<Object> wrong(
            YamlNode yamlNode, String path, ReadingContext readingContext, String rule, Collection<String> words) {
        String nearest = yamlNode instanceof YamlNode.Scalar scalar ? hint(scalar.text(), words) : "";
        readingContext.problems().add(yamlNode.spot(), path, rule + ", was " + yamlNode.described() + nearest);
        return Optional.empty();
    }
}
