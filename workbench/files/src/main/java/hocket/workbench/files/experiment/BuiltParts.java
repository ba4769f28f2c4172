package hocket.workbench.files.experiment;

import hocket.schedulers.settings.UserCodeFailure;
import hocket.workbench.files.forms.Classes;
import hocket.workbench.files.yaml.FileProblems;
import hocket.workbench.files.yaml.YamlNode;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * The parts of a file while they are built: an error is a problem at the part's place.
 *
 * @param tree the file
 * @param problems receives errors
 */
record BuiltParts(YamlNode tree, FileProblems problems) {
    /** Builds a part; its error is a problem at the place of these keys. */
    <T> Optional<T> attempt(String path, Supplier<T> part) {
        try {
            return Optional.of(Objects.requireNonNull(part.get(), "it gave null"));
        } catch (IllegalArgumentException | UncheckedIOException e) {
            refused(path, e);
        } catch (Throwable e) {
            UserCodeFailure.rethrowIfFatal(e);
            String sentence = Classes.failure(e).orElse("failed, which is an error in a class that it names: " + e);
            problems.add(tree.spotOf(path), path, sentence, e);
        }
        return Optional.empty();
    }

    /** Adds a part's error, at the key of the part that the message begins with. */
    void refused(String path, RuntimeException e) {
        problems.refused(path, keysOf(path), key -> tree.spotOf(key.isEmpty() ? path : YamlNode.below(path, key)), e);
    }

    /** Adds a problem. */
    void add(String path, String sentence) {
        problems.add(tree.spotOf(path), path, sentence);
    }

    /** Adds a problem at the first key or value below a path with this text; at the path if there is none. */
    void addAt(String path, String text, String sentence) {
        String where = find(part(path), path, text).orElse(path);
        problems.add(tree.spotOf(where), where, sentence);
    }

    private YamlNode part(String path) {
        YamlNode part = tree;
        for (String key : path.split("/")) {
            part = part.at(List.of(key)).orElse(part);
        }
        return part;
    }

    private static Optional<String> find(YamlNode part, String path, String text) {
        if (part instanceof YamlNode.Scalar scalar) {
            return scalar.text().equals(text) ? Optional.of(path) : Optional.empty();
        } else if (part instanceof YamlNode.Items items) {
            for (int i = 0; i < items.items().size(); i++) {
                Optional<String> found = find(items.items().get(i), YamlNode.below(path, Integer.toString(i)), text);
                if (found.isPresent()) {
                    return found;
                }
            }
        } else if (part instanceof YamlNode.Keys keys) {
            for (String key : keys.entries().keySet()) {
                String where = YamlNode.below(path, key);
                if (key.equals(text)) {
                    return Optional.of(where);
                }
                Optional<String> found = find(keys.get(key).orElseThrow(), where, text);
                if (found.isPresent()) {
                    return found;
                }
            }
        }
        return Optional.empty();
    }

    private Set<String> keysOf(String path) {
        return part(path) instanceof YamlNode.Keys keys && !path.isEmpty()
                ? keys.entries().keySet()
                : Set.of();
    }
}
