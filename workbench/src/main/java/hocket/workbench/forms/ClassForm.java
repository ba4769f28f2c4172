package hocket.workbench.forms;

import hocket.workbench.yaml.Node;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** An object of a class that the key {@code class} names; the other keys are its settings. The name alone will do. */
final class ClassForm extends Form {
    static final String CLASS = "class";

    private final List<Class<?>> kinds;
    private final String usualClass;

    /**
     * @param kinds what it may be
     * @param usualClass the class where none is named; empty where one must be
     */
    ClassForm(List<Class<?>> kinds, String usualClass) {
        this.kinds = kinds;
        this.usualClass = usualClass;
    }

    /**
     * Which of several alternatives a node names: only {@code class} where that is one of them and there, since a class's
     * settings may be called like another.
     */
    static List<String> named(Collection<String> alternatives, Node.Keys node) {
        List<String> named =
                alternatives.stream().filter(node.entries()::containsKey).toList();
        return named.contains(CLASS) ? List.of(CLASS) : named;
    }

    boolean needsClass() {
        return usualClass.isEmpty();
    }

    private String name(Node node) {
        if (node instanceof Node.Scalar scalar) {
            return scalar.isNothing() ? "" : scalar.text();
        }
        return node instanceof Node.Keys keys
                ? keys.get(CLASS)
                        .map(each -> each instanceof Node.Scalar scalar ? scalar.text() : "")
                        .orElse(usualClass)
                : "";
    }

    private static String simple(String name) {
        return name.substring(name.lastIndexOf('.') + 1);
    }

    private static Node.Keys settings(Node node) {
        return node instanceof Node.Keys keys ? keys.without(CLASS) : new Node.Keys(node.spot(), Map.of());
    }

    private Optional<RecordForm> form(Node node, Classes classes) {
        String name = name(node);
        if (name.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(Forms.made(classes.named(name, kinds)));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    @Override
    public Optional<Object> read(Node node, String path, Reading reading) {
        return read(node, path, reading, List.of());
    }

    /** @param beside further keys that may stand there, which others read */
    Optional<Object> read(Node node, String path, Reading reading, List<String> beside) {
        String name = name(node);
        if (node instanceof Node.Items || name.isEmpty()) {
            reading.problems()
                    .add(
                            node.spot(),
                            path,
                            "needs a key class: the name of a "
                                    + String.join(
                                            " or ",
                                            kinds.stream().map(Class::getName).toList()));
            return Optional.empty();
        }
        try {
            return Forms.made(reading.classes().named(name, kinds)).read(settings(node), path, reading, beside);
        } catch (IllegalArgumentException e) {
            Node at = node instanceof Node.Keys keys ? keys.get(CLASS).orElse(node) : node;
            reading.problems().add(at.spot(), Node.below(path, CLASS), String.valueOf(e.getMessage()), e);
            return Optional.empty();
        }
    }

    /** The keys that are left for the class, and those of the enclosing record that it asks for by name, too. */
    Node.Keys withShared(Node.Keys rest, Node.Keys all, List<Component> beside, Classes classes) {
        Node.Keys shared = rest;
        List<String> asked = form(rest, classes)
                .map(form -> form.components().stream().map(Component::key).toList())
                .orElse(List.of());
        for (String key : asked) {
            Optional<Node> value = all.get(key)
                    .or(() -> beside.stream()
                            .filter(component -> component.key().equals(key) && !component.isUsuallyNothing())
                            .findFirst()
                            .flatMap(Component::missing));
            if (value.isPresent()) {
                shared = shared.with(key, value.get());
            }
        }
        return shared;
    }

    @Override
    public Node complete(Node node, Reading reading) {
        Optional<RecordForm> form = form(node, reading.classes());
        if (form.isEmpty() || node instanceof Node.Items) {
            return node;
        }
        Node.Keys complete = new Node.Keys(node.spot(), Map.of());
        String name = reading.classes().named(name(node), kinds).getName();
        complete = complete.with(CLASS, new Node.Scalar(node.spot(), name, false));
        if (form.get().complete(settings(node), reading) instanceof Node.Keys keys) {
            complete = complete.with(keys);
        }
        return complete;
    }

    @Override
    public Node renewed(Node node, String path, Reading reading) {
        String name = name(node);
        Optional<Node> named = node instanceof Node.Keys keys ? keys.get(CLASS) : Optional.of(node);
        Optional<Node> now = named.flatMap(at -> reading.classes().renamed(name).map(present -> {
            reading.problems().renamed(at.spot(), Node.below(path, CLASS), name, present);
            return new Node.Scalar(at.spot(), present, false);
        }));
        if (!(node instanceof Node.Keys keys)) {
            return now.orElse(node);
        }
        Node.Keys all = now.map(present -> keys.with(CLASS, present)).orElse(keys);
        Node.Entry first = all.entries().get(CLASS);
        Node.Keys alone = new Node.Keys(all.spot(), first == null ? Map.of() : Map.of(CLASS, first));
        return form(all, reading.classes())
                .map(form -> alone.with((Node.Keys) form.renewed(settings(all), path, reading)))
                .orElse(all);
    }

    @Override
    public Node merged(Node base, Node over, Classes classes) {
        boolean same = over instanceof Node.Keys above
                && base instanceof Node.Keys
                && (above.get(CLASS).isEmpty() || simple(name(over)).equals(simple(name(base))));
        if (!same) {
            return over;
        }
        Node.Keys merged = (Node.Keys) base;
        for (Map.Entry<String, Node.Entry> entry : ((Node.Keys) over).entries().entrySet()) {
            merged = isNothing(entry.getValue().value())
                    ? merged.without(entry.getKey())
                    : merged.with(entry.getKey(), entry.getValue());
        }
        return merged;
    }

    @Override
    public void addresses(Optional<Node> node, List<String> path, Classes classes, Addresses to) {
        to.accept(path);
        Node there = node.orElse(new Node.Keys(hocket.workbench.yaml.Spot.in(""), Map.of()));
        if (!name(there).isEmpty()) {
            to.accept(below(path, CLASS));
        }
        form(there, classes).ifPresent(form -> form.addresses(Optional.of(settings(there)), path, classes, to));
    }

    @Override
    public Map<String, Object> schema(Schemas schemas) {
        Map<String, Object> keys = new LinkedHashMap<>();
        keys.put("type", "object");
        keys.putAll(inlineSchema(schemas, List.of()));
        return Map.of("anyOf", List.of(Map.of("type", "string"), keys));
    }

    /** The keys of every class that is known, each under its name; other classes take what they like. */
    Map<String, Object> inlineSchema(Schemas schemas, List<Component> beside) {
        List<Object> cases = new ArrayList<>();
        for (Class<?> type : schemas.classes().listed(kinds)) {
            RecordForm form = Forms.made(type);
            Map<String, Object> properties = new LinkedHashMap<>();
            List<String> required = new ArrayList<>();
            properties.put(CLASS, true);
            beside.stream()
                    .filter(component -> !component.isInline())
                    .forEach(component -> properties.put(component.key(), true));
            form.components().forEach(component -> {
                properties.put(component.key(), schemas.component(component));
                if (component.isRequired()) {
                    required.add(component.key());
                }
            });
            Map<String, Object> then = new LinkedHashMap<>();
            then.put("properties", properties);
            if (!required.isEmpty() && !schemas.isChange()) {
                then.put("required", required);
            }
            then.put("additionalProperties", false);
            List<String> names = List.of(type.getName(), type.getSimpleName());
            Map<String, Object> named = new LinkedHashMap<>();
            named.put("properties", Map.of(CLASS, Map.of("enum", names)));
            if (!names.contains(usualClass) || schemas.isChange()) {
                named.put("required", List.of(CLASS));
            }
            Map<String, Object> one = new LinkedHashMap<>();
            one.put("if", named);
            one.put("then", then);
            cases.add(one);
        }
        Map<String, Object> schema = new LinkedHashMap<>();
        if (beside.isEmpty()) {
            schema.put("properties", Map.of(CLASS, Map.of("type", "string")));
            if (usualClass.isEmpty() && !schemas.isChange()) {
                schema.put("required", List.of(CLASS));
            }
        }
        if (!cases.isEmpty()) {
            schema.put("allOf", cases);
        }
        return schema;
    }
}
