package hocket.workbench.forms;

import hocket.scopes.Nearest;
import hocket.workbench.yaml.Node;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Consumer;

/** Keys and values that make an object: the components of a record, or the parameters of a constructor. */
final class RecordForm extends Form {
    /** Unknown keys that are told what they might mean; more of them are no typing errors. */
    private static final int HINTS = 50;

    private final Class<?> type;
    private final Constructor<?> constructor;
    private final List<Component> components;

    RecordForm(Class<?> type, Constructor<?> constructor, List<Component> components) {
        this.type = type;
        this.constructor = constructor;
        this.components = components;
    }

    List<Component> components() {
        return components;
    }

    @Override
    public Optional<Object> read(Node node, String path, Reading reading) {
        return read(node, path, reading, List.of());
    }

    /** @param beside further keys that may stand there, which others read */
    Optional<Object> read(Node node, String path, Reading reading, List<String> beside) {
        if (!(node instanceof Node.Keys keys)) {
            return wrong(node, path, reading, "must be keys and values" + example());
        }
        TreeSet<String> meant = new TreeSet<>();
        boolean whole = refuseUnknown(keys, path, reading, beside, meant);
        List<Object> values = new ArrayList<>();
        for (Component component : components) {
            Optional<Object> value = isMistyped(component, meant)
                    ? Optional.empty() // it is there, mistyped, which has been said
                    : value(component, keys, path, reading);
            value.ifPresent(values::add);
            whole &= value.isPresent();
        }
        return whole ? made(keys, path, values, reading) : Optional.empty();
    }

    private static boolean isMistyped(Component component, TreeSet<String> meant) {
        boolean isItself = meant.contains(component.key());
        boolean isWhatReplacesIt =
                component.unless() != null && meant.contains(component.unless().value());
        return component.isNeeded() && (isItself || isWhatReplacesIt);
    }

    private String example() {
        return components.stream()
                .filter(Component::isRequired)
                .findFirst()
                .map(component -> " such as {" + component.key() + ": …}")
                .orElse("");
    }

    /** @param meant takes the keys that unknown ones seem to mean */
    private boolean refuseUnknown(
            Node.Keys keys, String path, Reading reading, List<String> beside, TreeSet<String> meant) {
        if (components.stream().anyMatch(Component::isInline)) {
            return true; // what is left is for the inline component to refuse
        }
        TreeSet<String> known = new TreeSet<>(beside);
        components.forEach(component -> known.add(component.key()));
        boolean fine = true;
        int unknown = 0;
        for (Map.Entry<String, Node.Entry> entry : keys.entries().entrySet()) {
            if (!known.contains(entry.getKey())) {
                fine = false;
                unknown++;
                String near = unknown > HINTS ? "" : Nearest.among(entry.getKey(), known);
                known.stream()
                        .filter(key -> near.equals("; did you mean " + key + "?"))
                        .forEach(meant::add);
                reading.problems().add(entry.getValue().keySpot(), path, "there is no key " + entry.getKey() + near);
            }
        }
        return fine;
    }

    private Optional<Object> value(Component component, Node.Keys keys, String path, Reading reading) {
        if (component.isInline()) {
            Node.Keys rest = rest(keys);
            return component.form() instanceof ClassForm form
                    ? form.read(form.withShared(rest, keys, components, reading.classes()), path, reading, ownKeys())
                    : component.form().read(rest, path, reading);
        }
        boolean isReplaced = component.isReplacedIn(keys);
        Optional<Node> node = keys.get(component.key())
                .filter(there -> !((component.mayBeEmpty() || isReplaced) && Form.isNothing(there)));
        if (isReplaced && node.isPresent()) {
            refuseReplaced(component, keys, path, reading);
            return Optional.empty();
        }
        if (node.isPresent()) {
            Optional<Object> value = component.form().read(node.get(), Node.below(path, component.key()), reading);
            return component.isOptional() ? value.map(Optional::of) : value;
        }
        boolean isMissing = component.isNeeded() && !isReplaced;
        if (component.isOptional() && !isMissing) {
            return Optional.of(Optional.empty());
        }
        Optional<Node> usual = isMissing ? Optional.empty() : component.missing();
        if (usual.isEmpty()) {
            reading.problems()
                    .add(
                            keys.spot(),
                            path,
                            "needs a key " + component.key()
                                    + (component.help().isEmpty() ? "" : ": " + component.help()));
            return Optional.empty();
        }
        if (component.usually() != null && component.usually().isEmpty() && component.form() instanceof ScalarForm) {
            return Optional.of("");
        }
        return component.form().read(usual.get(), Node.below(path, component.key()), reading);
    }

    private static void refuseReplaced(Component component, Node.Keys keys, String path, Reading reading) {
        String other = Objects.requireNonNull(component.unless()).value();
        Node.Entry entry = Objects.requireNonNull(keys.entries().get(component.key()));
        reading.problems()
                .add(
                        entry.keySpot(),
                        path,
                        other + " takes the place of " + component.key() + ": take one of the two away");
    }

    private List<String> ownKeys() {
        return components.stream()
                .filter(component -> !component.isInline())
                .map(Component::key)
                .toList();
    }

    /** The keys that are not the record's own. */
    private Node.Keys rest(Node.Keys keys) {
        Node.Keys rest = keys;
        for (Component component : components) {
            if (!component.isInline()) {
                rest = rest.without(component.key());
            }
        }
        return rest;
    }

    private Optional<Object> made(Node.Keys keys, String path, List<Object> values, Reading reading) {
        try {
            return Optional.of(constructor.newInstance(values.toArray()));
        } catch (InvocationTargetException e) {
            Throwable cause = Objects.requireNonNull(e.getCause());
            if (cause instanceof IllegalArgumentException) {
                List<String> below = components.stream().map(Component::key).toList();
                reading.problems()
                        .refused(
                                path,
                                below,
                                key -> keys.get(key).map(Node::spot).orElse(keys.spot()),
                                cause);
            } else {
                String rule = type.getName() + " could not be made, which is an error in it: " + cause;
                reading.problems().add(keys.spot(), path, rule, cause);
            }
        } catch (ReflectiveOperationException e) {
            reading.problems().add(keys.spot(), path, type.getName() + " could not be made: " + e.getMessage());
        }
        return Optional.empty();
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
            Node mine = entry.getValue().value();
            Optional<Component> known = components.stream()
                    .filter(component ->
                            !component.isInline() && component.key().equals(key))
                    .findFirst();
            if (known.isPresent()) {
                Form form = known.get().form();
                merged = isNothing(mine)
                        ? merged.without(key)
                        : merged.with(
                                key,
                                entry.getValue()
                                        .of(below.get(key)
                                                .map(theirs -> form.merged(theirs, mine, classes))
                                                .orElse(mine)));
            } else if (components.stream().noneMatch(Component::isInline)) {
                merged = merged.with(key, entry.getValue());
            }
        }
        return merged;
    }

    @Override
    public void addresses(Optional<Node> node, List<String> path, Classes classes, Consumer<List<String>> to) {
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
            if (value.isPresent() || component.form() instanceof ScalarForm || node.isPresent()) {
                component
                        .form()
                        .addresses(
                                value.or(component::missing).filter(each -> value.isPresent() || isKeys(each)),
                                address,
                                classes,
                                to);
            }
        }
    }

    /** Beside the other key there is none that it replaces; without it those that are needed must be there. */
    private Map<String, Object> replaced(String other, Schemas schemas) {
        List<String> needed = new ArrayList<>();
        Map<String, Object> none = new LinkedHashMap<>();
        for (Component component : components) {
            Unless unless = component.unless();
            if (unless != null && unless.value().equals(other)) {
                none.put(component.key(), Map.of("type", "null"));
                if (unless.needed()) {
                    needed.add(component.key());
                }
            }
        }
        Map<String, Object> schema = new LinkedHashMap<>();
        schema.put(
                "if",
                Map.of("required", List.of(other), "properties", Map.of(other, Map.of("not", Map.of("type", "null")))));
        schema.put("then", Map.of("properties", none));
        if (!needed.isEmpty() && !schemas.isChange()) {
            schema.put("else", Map.of("required", needed));
        }
        return schema;
    }

    private static boolean isKeys(Node node) {
        return node instanceof Node.Keys;
    }

    @Override
    public Map<String, Object> schema(Schemas schemas) {
        return schemas.defined(type, () -> {
            Map<String, Object> properties = new LinkedHashMap<>();
            List<String> required = new ArrayList<>();
            Map<String, Object> schema = new LinkedHashMap<>();
            schema.put("type", "object");
            schema.put("properties", properties);
            for (Component component : components) {
                if (component.isInline()) {
                    ClassForm form = (ClassForm) component.form();
                    schema.putAll(form.inlineSchema(schemas, components));
                    properties.put(ClassForm.CLASS, Map.of("type", "string"));
                    if (form.needsClass()) {
                        required.add(ClassForm.CLASS);
                    }
                } else {
                    properties.put(component.key(), schemas.component(component));
                    if (component.isRequired()) {
                        required.add(component.key());
                    }
                }
            }
            if (!required.isEmpty() && !schemas.isChange()) {
                schema.put("required", required);
            }
            components.stream()
                    .flatMap(component -> Optional.ofNullable(component.unless()).map(Unless::value).stream())
                    .distinct()
                    .forEach(other -> schema.putAll(replaced(other, schemas)));
            if (components.stream().noneMatch(Component::isInline)) {
                schema.put("additionalProperties", false);
            }
            return schema;
        });
    }
}
