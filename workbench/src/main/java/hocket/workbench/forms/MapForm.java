package hocket.workbench.forms;

import hocket.workbench.yaml.Node;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Values of one kind under keys of the user's own. */
final class MapForm extends Form {
    private final Form value;

    MapForm(Form value) {
        this.value = value;
    }

    @Override
    public Optional<Object> read(Node node, String path, Reading reading) {
        if (!(node instanceof Node.Keys keys)) {
            return wrong(node, path, reading, "must be keys and values {a: b}");
        }
        Map<String, Object> values = new LinkedHashMap<>();
        keys.entries()
                .forEach((key, entry) -> value.read(entry.value(), Node.below(path, key), reading)
                        .ifPresent(read -> values.put(key, read)));
        return values.size() < keys.entries().size()
                ? Optional.empty()
                : Optional.of(Collections.unmodifiableMap(values));
    }

    @Override
    public Node complete(Node node, Reading reading) {
        if (!(node instanceof Node.Keys keys)) {
            return node;
        }
        Map<String, Node.Entry> complete = new LinkedHashMap<>();
        keys.entries()
                .forEach((key, entry) ->
                        complete.put(key, new Node.Entry(entry.keySpot(), value.complete(entry.value(), reading))));
        return new Node.Keys(keys.spot(), complete);
    }

    @Override
    public Node renewed(Node node, String path, Reading reading) {
        if (!(node instanceof Node.Keys keys)) {
            return node;
        }
        Map<String, Node.Entry> entries = new LinkedHashMap<>();
        keys.entries()
                .forEach((key, entry) ->
                        entries.put(key, entry.of(value.renewed(entry.value(), Node.below(path, key), reading))));
        return new Node.Keys(keys.spot(), entries);
    }

    @Override
    public Node merged(Node base, Node over, Classes classes) {
        if (!(base instanceof Node.Keys below && over instanceof Node.Keys above)) {
            return over;
        }
        Node.Keys merged = below;
        for (Map.Entry<String, Node.Entry> entry : above.entries().entrySet()) {
            merged = value.merged(merged, below, entry, classes);
        }
        return merged;
    }

    @Override
    public void addresses(Optional<Node> node, List<String> path, Classes classes, Addresses to) {
        to.accept(path);
        if (node.orElse(null) instanceof Node.Keys keys) {
            keys.entries()
                    .forEach(
                            (key, entry) -> value.addresses(Optional.of(entry.value()), below(path, key), classes, to));
        }
    }

    @Override
    public Map<String, Object> schema(Schemas schemas) {
        Map<String, Object> each = value.schema(schemas);
        Map<String, Object> orNothing = Map.of("anyOf", List.of(each, Map.of("type", "null")));
        return Map.of("type", "object", "additionalProperties", schemas.isChange() ? orNothing : each);
    }
}
