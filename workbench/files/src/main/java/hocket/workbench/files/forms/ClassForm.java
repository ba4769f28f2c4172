package hocket.workbench.files.forms;

import hocket.workbench.files.yaml.YamlNode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The form of an object whose key {@code class} names its class; the other keys are its settings. The name alone is
 * valid as well.
 */
final class ClassForm extends Form {
    static final String CLASS = "class";

    private final List<Class<?>> kinds;
    private final String usualClass;

    /**
     * @param kinds types that it may have
     * @param usualClass the default class; empty if one must be named
     */
    ClassForm(List<Class<?>> kinds, String usualClass) {
        this.kinds = kinds;
        this.usualClass = usualClass;
    }

    /**
     * Returns which of several alternatives a node names: only {@code class} if that is one of them and present, since
     * a class's settings may have the same names.
     */
    static List<String> named(Collection<String> alternatives, YamlNode.Keys node) {
        List<String> named =
                alternatives.stream().filter(node.entries()::containsKey).toList();
        return named.contains(CLASS) ? List.of(CLASS) : named;
    }

    String usualClass() {
        return usualClass;
    }

    @Override
    String values() {
        return "a part: "
                + String.join(" or ", kinds.stream().map(KindVisitor::nameOf).toList());
    }

    @Override
    void visit(KindVisitor.Taker taker, KindVisitor visitor) {
        kinds.forEach(kind -> visitor.kind(kind, taker));
    }

    boolean needsClass() {
        return usualClass.isEmpty();
    }

    private String name(YamlNode yamlNode) {
        if (yamlNode instanceof YamlNode.Scalar scalar) {
            return scalar.isNothing() ? "" : scalar.text();
        }
        return yamlNode instanceof YamlNode.Keys keys
                ? keys.get(CLASS)
                        .map(each -> each instanceof YamlNode.Scalar scalar ? scalar.text() : "")
                        .orElse(usualClass)
                : "";
    }

    private static YamlNode.Keys settings(YamlNode yamlNode) {
        return yamlNode instanceof YamlNode.Keys keys
                ? keys.without(CLASS)
                : new YamlNode.Keys(yamlNode.spot(), Map.of());
    }

    private Optional<RecordForm> form(YamlNode yamlNode, Classes classes) {
        String name = name(yamlNode);
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
    public Optional<Object> read(YamlNode yamlNode, String path, ReadingContext readingContext) {
        return read(yamlNode, path, readingContext, List.of());
    }

    /** @param beside further allowed keys, which are read elsewhere */
    Optional<Object> read(YamlNode yamlNode, String path, ReadingContext readingContext, List<String> beside) {
        String name = name(yamlNode);
        if (yamlNode instanceof YamlNode.Items || name.isEmpty()) {
            readingContext
                    .problems()
                    .add(
                            yamlNode.spot(),
                            path,
                            "needs a key class: the name of a "
                                    + String.join(
                                            " or ",
                                            kinds.stream().map(Class::getName).toList()));
            return Optional.empty();
        }
        try {
            return Forms.made(readingContext.classes().named(name, kinds))
                    .read(settings(yamlNode), path, readingContext, beside);
        } catch (IllegalArgumentException e) {
            YamlNode at =
                    yamlNode instanceof YamlNode.Keys keys ? keys.get(CLASS).orElse(yamlNode) : yamlNode;
            readingContext.problems().add(at.spot(), YamlNode.below(path, CLASS), String.valueOf(e.getMessage()), e);
            return Optional.empty();
        }
    }

    /** Returns the remaining keys for the class, and those of the enclosing record that it requests by name. */
    YamlNode.Keys withShared(YamlNode.Keys rest, YamlNode.Keys all, List<Component> beside, Classes classes) {
        YamlNode.Keys shared = rest;
        List<String> asked = form(rest, classes)
                .map(form -> form.components().stream().map(Component::key).toList())
                .orElse(List.of());
        for (String key : asked) {
            Optional<YamlNode> value = all.get(key)
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
    public YamlNode complete(YamlNode yamlNode, ReadingContext readingContext) {
        Optional<RecordForm> form = form(yamlNode, readingContext.classes());
        if (form.isEmpty() || yamlNode instanceof YamlNode.Items) {
            return yamlNode;
        }
        YamlNode.Keys complete = new YamlNode.Keys(yamlNode.spot(), Map.of());
        String name = readingContext.classes().named(name(yamlNode), kinds).getName();
        complete = complete.with(CLASS, new YamlNode.Scalar(yamlNode.spot(), name, false));
        if (form.get().complete(settings(yamlNode), readingContext) instanceof YamlNode.Keys keys) {
            complete = complete.with(keys);
        }
        return complete;
    }

    @Override
    public YamlNode renewed(YamlNode yamlNode, String path, ReadingContext readingContext) {
        String name = name(yamlNode);
        Optional<YamlNode> named = yamlNode instanceof YamlNode.Keys keys ? keys.get(CLASS) : Optional.of(yamlNode);
        Optional<YamlNode> now =
                named.flatMap(at -> readingContext.classes().renamed(name).map(present -> {
                    readingContext.problems().renamed(at.spot(), YamlNode.below(path, CLASS), name, present);
                    return new YamlNode.Scalar(at.spot(), present, false);
                }));
        if (!(yamlNode instanceof YamlNode.Keys keys)) {
            return now.orElse(yamlNode);
        }
        YamlNode.Keys all = now.map(present -> keys.with(CLASS, present)).orElse(keys);
        YamlNode.Entry first = all.entries().get(CLASS);
        YamlNode.Keys alone = new YamlNode.Keys(all.spot(), first == null ? Map.of() : Map.of(CLASS, first));
        return form(all, readingContext.classes())
                .map(form -> alone.with((YamlNode.Keys) form.renewed(settings(all), path, readingContext)))
                .orElse(all);
    }

    @Override
    public YamlNode merged(YamlNode base, YamlNode over, Classes classes) {
        boolean same = over instanceof YamlNode.Keys above
                && base instanceof YamlNode.Keys
                && (above.get(CLASS).isEmpty() || Classes.simple(name(over)).equals(Classes.simple(name(base))));
        if (!same) {
            return over;
        }
        Optional<RecordForm> form = form(base, classes);
        YamlNode.Keys merged = form.isPresent()
                ? (YamlNode.Keys) form.get().merged(settings(base), settings(over), classes)
                : replaced(settings(base), settings(over));
        YamlNode.Entry named = Optional.ofNullable(
                        ((YamlNode.Keys) over).entries().get(CLASS))
                .orElse(((YamlNode.Keys) base).entries().get(CLASS));
        return named == null ? merged : merged.with(CLASS, named);
    }

    /** Each setting in place of the former: of a class in a jar that the file names, which is not open yet. */
    private static YamlNode.Keys replaced(YamlNode.Keys base, YamlNode.Keys over) {
        YamlNode.Keys merged = base;
        for (Map.Entry<String, YamlNode.Entry> entry : over.entries().entrySet()) {
            merged = isNothing(entry.getValue().value())
                    ? merged.without(entry.getKey())
                    : merged.with(entry.getKey(), entry.getValue());
        }
        return merged;
    }

    @Override
    public void addresses(Optional<YamlNode> yamlNode, List<String> path, Classes classes, SettingPathVisitor to) {
        to.accept(path);
        YamlNode there = yamlNode.orElse(new YamlNode.Keys(hocket.workbench.files.yaml.FilePosition.in(""), Map.of()));
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

    /** Returns the keys of every known class, each under its name; other classes accept any. */
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
            List<String> names = List.of(type.getName(), Classes.simple(type.getName()));
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
