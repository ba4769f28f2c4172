package hocket.workbench.files.yaml;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;

/** A node of a YAML tree. Immutable. */
public sealed interface YamlNode {
    /** Returns its position. */
    FilePosition spot();

    /** Returns a description: {@code the text "x"}, {@code a list}. */
    String described();

    /**
     * A number, boolean or text.
     *
     * @param quoted whether it was in quotes, and so is a text
     */
    record Scalar(FilePosition spot, String text, boolean quoted) implements YamlNode {
        private static final int SHOWN = 60;

        @Override
        public String described() {
            String shown = text.length() > SHOWN ? text.substring(0, SHOWN) + "…" : text;
            return quoted || !text.matches("[-+.\\w]+") ? '"' + shown + '"' : shown;
        }

        /** Returns whether it is YAML's null: an empty value, {@code null} or {@code ~}. */
        public boolean isNothing() {
            return !quoted && (text.isEmpty() || text.equals("null") || text.equals("~"));
        }
    }

    /** A list. */
    record Items(FilePosition spot, List<YamlNode> items) implements YamlNode {
        public Items {
            items = List.copyOf(items);
        }

        @Override
        public String described() {
            return items.isEmpty() ? "an empty list" : "a list";
        }
    }

    /** A map of keys and values, in order. */
    record Keys(FilePosition spot, Map<String, Entry> entries) implements YamlNode {
        public Keys {
            entries = java.util.Collections.unmodifiableMap(new LinkedHashMap<>(entries));
        }

        /** Returns the value of a key. */
        public Optional<YamlNode> get(String key) {
            return Optional.ofNullable(entries.get(key)).map(Entry::value);
        }

        /** Returns this map with one value set. */
        public Keys with(String key, YamlNode value) {
            Entry before = entries.get(key);
            return with(key, new Entry(before == null ? value.spot() : before.keySpot(), value));
        }

        /** Returns this map with one key set, at the entry's position. */
        public Keys with(String key, Entry entry) {
            Map<String, Entry> more = new LinkedHashMap<>(entries);
            more.put(key, entry);
            return new Keys(spot, more);
        }

        /** Returns this map with all entries of another one over it. */
        public Keys with(Keys others) {
            Map<String, Entry> all = new LinkedHashMap<>(entries);
            all.putAll(others.entries());
            return new Keys(spot, all);
        }

        /** Returns this map without one key. */
        public Keys without(String key) {
            Map<String, Entry> fewer = new LinkedHashMap<>(entries);
            fewer.remove(key);
            return new Keys(spot, fewer);
        }

        @Override
        public String described() {
            return "keys and values";
        }
    }

    /** A value and the position of its key. */
    record Entry(FilePosition keySpot, YamlNode value) {
        /** Returns another value at the same position. */
        public Entry of(YamlNode other) {
            return new Entry(keySpot, other);
        }
    }

    /** Returns this tree with its scalars replaced by a function of path and value. */
    default YamlNode map(String path, BiFunction<String, Scalar, Scalar> change) {
        if (this instanceof Scalar scalar) {
            return change.apply(path, scalar);
        } else if (this instanceof Items list) {
            List<YamlNode> items = new ArrayList<>();
            for (int i = 0; i < list.items().size(); i++) {
                items.add(list.items().get(i).map(below(path, Integer.toString(i)), change));
            }
            return new Items(list.spot(), items);
        }
        Map<String, Entry> mapped = new LinkedHashMap<>();
        ((Keys) this)
                .entries()
                .forEach((key, entry) ->
                        mapped.put(key, new Entry(entry.keySpot(), entry.value().map(below(path, key), change))));
        return new Keys(spot(), mapped);
    }

    /** Returns the path of a part of the node at a path. */
    static String below(String path, String key) {
        return path.isEmpty() ? key : path + "/" + key;
    }

    /** Returns the scalars by path, in the order of the file. */
    default Map<String, String> leaves() {
        Map<String, String> leaves = new LinkedHashMap<>();
        leaves("", leaves::put);
        return leaves;
    }

    /** Visits the scalars with their paths. */
    default void leaves(String path, BiConsumer<String, String> visitor) {
        if (this instanceof Scalar scalar) {
            visitor.accept(path, scalar.text());
        } else if (this instanceof Items list) {
            for (int i = 0; i < list.items().size(); i++) {
                list.items().get(i).leaves(below(path, Integer.toString(i)), visitor);
            }
        } else if (this instanceof Keys keys) {
            keys.entries().forEach((key, entry) -> entry.value().leaves(below(path, key), visitor));
        }
    }

    /**
     * Returns the position of the node at a path, or of its last existing ancestor.
     *
     * @param path keys and indices, separated by {@code /}; a key may itself contain one
     */
    default FilePosition spotOf(String path) {
        if (path.isEmpty()) {
            return spot();
        }
        if (this instanceof Keys keys) {
            for (Map.Entry<String, Entry> entry : keys.entries().entrySet()) {
                if (path.equals(entry.getKey())) {
                    return entry.getValue().value() instanceof Scalar
                            ? entry.getValue().value().spot()
                            : entry.getValue().keySpot();
                }
                if (path.startsWith(entry.getKey() + "/")) {
                    return entry.getValue()
                            .value()
                            .spotOf(path.substring(entry.getKey().length() + 1));
                }
            }
        } else if (this instanceof Items list) {
            String first = path.split("/", 2)[0];
            if (first.matches("\\d{1,6}")
                    && Integer.parseInt(first) < list.items().size()) {
                String rest = path.length() > first.length() ? path.substring(first.length() + 1) : "";
                return list.items().get(Integer.parseInt(first)).spotOf(rest);
            }
        }
        return spot();
    }

    /** Returns the node at a path of keys and indices; empty if there is none. */
    default Optional<YamlNode> at(List<String> path) {
        Optional<YamlNode> part = Optional.of(this);
        for (String key : path) {
            part = part.flatMap(each -> each.below(key));
        }
        return part;
    }

    private Optional<YamlNode> below(String key) {
        if (this instanceof Keys keys) {
            return keys.get(key);
        }
        return this instanceof Items list
                        && key.matches("\\d{1,6}")
                        && Integer.parseInt(key) < list.items().size()
                ? Optional.of(list.items().get(Integer.parseInt(key)))
                : Optional.empty();
    }

    /** Returns the same tree with one position for all nodes. */
    default YamlNode moved(FilePosition to) {
        if (this instanceof Scalar scalar) {
            return new Scalar(to, scalar.text(), scalar.quoted());
        } else if (this instanceof Items list) {
            return new Items(
                    to, list.items().stream().map(item -> item.moved(to)).toList());
        }
        Map<String, Entry> moved = new LinkedHashMap<>();
        ((Keys) this)
                .entries()
                .forEach((key, entry) ->
                        moved.put(key, new Entry(to, entry.value().moved(to))));
        return new Keys(to, moved);
    }

    /**
     * Returns this tree with one node changed. Missing keys on its path are created.
     *
     * @param path the keys and indices that lead there
     */
    default YamlNode changed(List<String> path, FilePosition by, UnaryOperator<Optional<YamlNode>> change) {
        if (path.isEmpty()) {
            return change.apply(Optional.of(this)).orElse(this);
        }
        String first = path.get(0);
        List<String> rest = path.subList(1, path.size());
        if (this instanceof Items list) {
            List<YamlNode> items = new ArrayList<>(list.items());
            int at = Integer.parseInt(first);
            items.set(at, items.get(at).changed(rest, by, change));
            return new Items(spot(), items);
        }
        Keys keys = this instanceof Keys own ? own : new Keys(by, Map.of());
        if (this instanceof Scalar name && !name.isNothing()) {
            keys = keys.with("class", name); // a class without settings, written as its name
        }
        Keys whole = keys;
        Optional<YamlNode> child = whole.get(first);
        if (rest.isEmpty()) {
            return change.apply(child).map(value -> whole.with(first, value)).orElse(whole);
        }
        return whole.with(first, child.orElse(new Keys(by, Map.of())).changed(rest, by, change));
    }
}
