package hocket.workbench.files.yaml;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;

/** A part of a YAML tree. Immutable. */
public sealed interface YamlNode {
    /** Returns its position. */
    FilePosition spot();

    /** Returns a description: {@code the text "x"}, {@code a list}. */
    String described();

    /**
     * A number, truth value or text.
     *
     * @param quoted whether it stood in quotes, and so is a text whatever it looks like
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

    /** Keys and values, in order. */
    record Keys(FilePosition spot, Map<String, Entry> entries) implements YamlNode {
        public Keys {
            entries = java.util.Collections.unmodifiableMap(new LinkedHashMap<>(entries));
        }

        /** The value of a key. */
        public Optional<YamlNode> get(String key) {
            return Optional.ofNullable(entries.get(key)).map(Entry::value);
        }

        /** These with one value set. */
        public Keys with(String key, YamlNode value) {
            Entry before = entries.get(key);
            return with(key, new Entry(before == null ? value.spot() : before.keySpot(), value));
        }

        /** These with one key set, which stands where the entry says. */
        public Keys with(String key, Entry entry) {
            Map<String, Entry> more = new LinkedHashMap<>(entries);
            more.put(key, entry);
            return new Keys(spot, more);
        }

        /** These with all of others over them. */
        public Keys with(Keys others) {
            Map<String, Entry> all = new LinkedHashMap<>(entries);
            all.putAll(others.entries());
            return new Keys(spot, all);
        }

        /** These without one key. */
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

    /** A value, and where its key stands. */
    record Entry(FilePosition keySpot, YamlNode value) {
        /** Another value at the same place. */
        public Entry of(YamlNode other) {
            return new Entry(keySpot, other);
        }
    }

    /** This tree with its single values replaced; each is given with its path. */
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

    /** The path of a part of what a path leads to. */
    static String below(String path, String key) {
        return path.isEmpty() ? key : path + "/" + key;
    }

    /** The single values by their paths, in the order of the file. */
    default Map<String, String> leaves() {
        Map<String, String> leaves = new LinkedHashMap<>();
        leaves("", leaves::put);
        return leaves;
    }

    /** Visits the single values, each with its path. */
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
     * Where the part that these keys and positions lead to begins: of the last of them that there is.
     *
     * @param path with {@code /} between; a key may itself contain some
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

    /** The part that these keys and positions lead to; empty where there is none. */
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

    /** The same parts, all of one place. */
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
     * This tree with one part changed. Missing keys on the way are made.
     *
     * @param path keys and positions that lead there
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
            keys = keys.with("class", name); // a class that is named without keys
        }
        Keys whole = keys;
        Optional<YamlNode> child = whole.get(first);
        if (rest.isEmpty()) {
            return change.apply(child).map(value -> whole.with(first, value)).orElse(whole);
        }
        return whole.with(first, child.orElse(new Keys(by, Map.of())).changed(rest, by, change));
    }
}
