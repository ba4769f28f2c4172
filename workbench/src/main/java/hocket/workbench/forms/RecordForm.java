package hocket.workbench.forms;

import hocket.workbench.yaml.Node;
import java.lang.reflect.Constructor;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Keys and values that make an object: the components of a record, or the parameters of a constructor. */
final class RecordForm extends Form {
    private final Class<?> type;
    private final RecordReading reading;
    private final List<Component> components;

    RecordForm(Class<?> type, Constructor<?> constructor, List<Component> components) {
        this.type = type;
        this.reading = new RecordReading(type, constructor, components);
        this.components = components;
    }

    List<Component> components() {
        return components;
    }

    @Override
    public Optional<Object> read(Node node, String path, Reading by) {
        return read(node, path, by, List.of());
    }

    /** A record of one component that is written as that alone. */
    Optional<Object> readAlone(Node node, String path, Reading by) {
        Component only = components.get(0);
        return only.form().read(node, path, by).isEmpty()
                ? Optional.empty()
                : read(new Node.Keys(node.spot(), Map.of(only.key(), new Node.Entry(node.spot(), node))), path, by);
    }

    /** @param beside further keys that may stand there, which others read */
    Optional<Object> read(Node node, String path, Reading by, List<String> beside) {
        return node instanceof Node.Keys keys
                ? reading.read(keys, path, by, beside)
                : wrong(node, path, by, "must be keys and values" + example());
    }

    private String example() {
        return components.stream()
                .filter(Component::isRequired)
                .findFirst()
                .map(component -> " such as {" + component.key() + ": …}")
                .orElse("");
    }

    /** The keys that are not the record's own. */
    private Node.Keys rest(Node.Keys keys) {
        return rest(components, keys);
    }

    static Node.Keys rest(List<Component> components, Node.Keys keys) {
        Node.Keys rest = keys;
        for (Component component : components) {
            if (!component.isInline()) {
                rest = rest.without(component.key());
            }
        }
        return rest;
    }

    @Override
    public Node complete(Node node, Reading reading) {
        if (!(node instanceof Node.Keys keys)) {
            return node;
        }
        Node.Keys complete = new Node.Keys(keys.spot(), Map.of());
        for (Component component : components) {
            if (component.isInline()) {
                if (component.form().complete(rest(keys), reading) instanceof Node.Keys inline) {
                    complete = complete.with(inline);
                }
                continue;
            }
            if (component.isReplacedIn(keys)) {
                continue;
            }
            Optional<Node> value = keys.get(component.key());
            if (value.isEmpty() && !component.isUsuallyNothing()) {
                value = component.missing();
            }
            if (value.isPresent()) {
                complete = complete.with(component.key(), component.form().complete(value.get(), reading));
            }
        }
        return complete;
    }

    @Override
    public Node renewed(Node node, String path, Reading reading) {
        if (!(node instanceof Node.Keys keys)) {
            return node;
        }
        Map<String, Node.Entry> entries = new LinkedHashMap<>();
        keys.entries().forEach((key, entry) -> {
            Optional<Component> component = components.stream()
                    .filter(each -> !each.isInline() && (each.key().equals(key) || each.isFormerly(key, keys)))
                    .findFirst();
            String now = component.map(Component::key).orElse(key);
            if (!now.equals(key)) {
                reading.problems().renamed(entry.keySpot(), path, key, now);
            }
            entries.put(
                    now,
                    entry.of(component
                            .map(each -> each.form().renewed(entry.value(), Node.below(path, now), reading))
                            .orElse(entry.value())));
        });
        Node.Keys renewed = new Node.Keys(keys.spot(), entries);
        for (Component component : components) {
            Node.Keys rest = rest(renewed);
            if (component.isInline()
                    && component.form().renewed(rest, path, reading) instanceof Node.Keys inline
                    && !inline.equals(rest)) {
                for (String key : rest.entries().keySet()) {
                    renewed = renewed.without(key);
                }
                renewed = renewed.with(inline);
            }
        }
        return renewed;
    }

    @Override
    public Node merged(Node base, Node over, Classes classes) {
        if (!(base instanceof Node.Keys below && over instanceof Node.Keys above)) {
            return over;
        }
        Node.Keys merged = below;
        for (Component component : components) {
            if (component.isInline()
                    && component.form().merged(rest(below), rest(above), classes) instanceof Node.Keys inline) {
                for (String key : rest(below).entries().keySet()) {
                    merged = merged.without(key);
                }
                merged = merged.with(inline);
            }
        }
        for (Map.Entry<String, Node.Entry> entry : above.entries().entrySet()) {
            String key = entry.getKey();
            Optional<Component> known = components.stream()
                    .filter(component ->
                            !component.isInline() && component.key().equals(key))
                    .findFirst();
            if (known.isPresent()) {
                merged = known.get().form().merged(merged, below, entry, classes);
            } else if (components.stream().noneMatch(Component::isInline)) {
                merged = merged.with(key, entry.getValue());
            }
        }
        return merged;
    }

    @Override
    public void addresses(Optional<Node> node, List<String> path, Classes classes, Addresses to) {
        Optional<Node.Keys> keys = node.map(each -> each instanceof Node.Keys own ? own : null);
        for (Component component : components) {
            if (component.isInline()) {
                component.form().addresses(keys.map(own -> rest(own)), path, classes, to);
                continue;
            }
            if (keys.filter(component::isReplacedIn).isPresent()) {
                continue;
            }
            Optional<Node> value = keys.flatMap(own -> own.get(component.key()));
            List<String> address = below(path, component.key());
            component.former().forEach(former -> to.formerly(below(path, former), address));
            if (value.isPresent() || component.form() instanceof ScalarForm || node.isPresent()) {
                component
                        .form()
                        .addresses(
                                value.or(component::missing)
                                        .filter(each -> value.isPresent() || each instanceof Node.Keys),
                                address,
                                classes,
                                to);
            }
        }
    }

    @Override
    public Map<String, Object> schema(Schemas schemas) {
        return schemas.defined(type, () -> RecordSchema.of(components, schemas));
    }
}
