package hocket.workbench.experiment;

import hocket.workbench.yaml.Node;
import hocket.workbench.yaml.Problems;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/**
 * The parts of a file as they are built: what does not fit is a problem at its place.
 *
 * @param tree the file
 * @param problems takes what does not fit
 */
record Parts(Node tree, Problems problems) {
    /** Builds a part; what it refuses is a problem at the place of these keys. */
    <T> Optional<T> attempt(String path, Supplier<T> part) {
        try {
            return Optional.of(Objects.requireNonNull(part.get(), "it gave null"));
        } catch (IllegalArgumentException | UncheckedIOException e) {
            add(path, String.valueOf(e.getMessage()));
        } catch (RuntimeException e) {
            add(path, "failed, which is an error in a class that it names: " + e);
        }
        return Optional.empty();
    }

    /** Adds a problem; one that begins with a key of the part, or with "setting" and a key, is that key's. */
    void add(String path, String sentence) {
        String where = path;
        String rest = sentence;
        for (String key : keysOf(path)) {
            if (sentence.matches("(?s)(setting )?" + Pattern.quote(key) + "[: ].*")) {
                where = path + "/" + key;
                rest = sentence.replaceFirst("^(setting )?" + Pattern.quote(key) + ":? ", "");
                break;
            }
        }
        problems.add(tree.spotOf(where), where, rest);
    }

    /** Adds a problem at the first key or value below a path that is such a text; at the path where none is. */
    void addAt(String path, String text, String sentence) {
        Node part = tree;
        for (String key : path.isEmpty() ? new String[0] : path.split("/")) {
            part = below(part, key);
        }
        String where = find(part, path, text).orElse(path);
        problems.add(tree.spotOf(where), where, sentence);
    }

    private static Node below(Node part, String key) {
        if (part instanceof Node.Keys keys) {
            return keys.get(key).orElse(part);
        }
        return part instanceof Node.Items items
                        && key.matches("\\d+")
                        && Integer.parseInt(key) < items.items().size()
                ? items.items().get(Integer.parseInt(key))
                : part;
    }

    private static Optional<String> find(Node part, String path, String text) {
        if (part instanceof Node.Scalar scalar) {
            return scalar.text().equals(text) ? Optional.of(path) : Optional.empty();
        } else if (part instanceof Node.Items items) {
            for (int i = 0; i < items.items().size(); i++) {
                Optional<String> found = find(items.items().get(i), Node.below(path, Integer.toString(i)), text);
                if (found.isPresent()) {
                    return found;
                }
            }
        } else if (part instanceof Node.Keys keys) {
            for (String key : keys.entries().keySet()) {
                String where = Node.below(path, key);
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

    private List<String> keysOf(String path) {
        Node part = tree;
        for (String key : path.isEmpty() ? new String[0] : path.split("/")) {
            part = part instanceof Node.Keys keys ? keys.get(key).orElse(part) : part;
        }
        return part instanceof Node.Keys keys && !path.isEmpty()
                ? List.copyOf(keys.entries().keySet())
                : List.of();
    }
}
