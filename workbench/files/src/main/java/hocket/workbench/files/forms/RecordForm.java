package hocket.workbench.files.forms;

import hocket.workbench.files.yaml.YamlNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The form of an object as keys and values: the components of a record, or the parameters of a constructor. */
final class RecordForm extends Form {
    private final Class<?> type;
    private final RecordReading reading;
    private final List<Component> components;

    RecordForm(Class<?> type, Maker maker, List<Component> components) {
        this.type = type;
        this.reading = new RecordReading(type, maker, components);
        this.components = components;
    }

    Class<?> type() {
        return type;
    }

    @Override
    String values() {
        return "keys and values: "
                + String.join(", ", components.stream().map(Component::key).toList());
    }

    @Override
    void visit(KindVisitor.Taker taker, KindVisitor visitor) {
        visitor.inside(this, taker);
    }

    Maker maker() {
        return reading.maker();
    }

    /**
     * Returns its components as those of a record that has it as a group.
     *
     * @param owner the record
     * @param usually other defaults, as {@code key: value}
     * @throws IllegalArgumentException if a default is for no component
     */
    List<Component> components(Class<?> owner, String[] usually) {
        List<Component> all = new ArrayList<>(components);
        for (String each : usually) {
            int colon = each.indexOf(": ");
            int place = colon < 0
                    ? -1
                    : components.stream().map(Component::key).toList().indexOf(each.substring(0, colon));
            if (place < 0) {
                throw new IllegalArgumentException("class " + owner.getName() + ": the default \"" + each
                        + "\" must be \"key: value\" of a setting of " + type.getName());
            }
            all.set(place, all.get(place).withUsually(each.substring(colon + 2)));
        }
        return all;
    }

    List<Component> components() {
        return components;
    }

    @Override
    public Optional<Object> read(YamlNode yamlNode, String path, ReadingContext by) {
        return read(yamlNode, path, by, List.of());
    }

    /** A record with one component that is written as that component's value. */
    Optional<Object> readAlone(YamlNode yamlNode, String path, ReadingContext by) {
        Component only = components.get(0);
        return only.form().read(yamlNode, path, by).isEmpty()
                ? Optional.empty()
                : read(
                        new YamlNode.Keys(
                                yamlNode.spot(), Map.of(only.key(), new YamlNode.Entry(yamlNode.spot(), yamlNode))),
                        path,
                        by);
    }

    /** @param beside further allowed keys, which are read elsewhere */
    Optional<Object> read(YamlNode yamlNode, String path, ReadingContext by, List<String> beside) {
        return yamlNode instanceof YamlNode.Keys keys
                ? reading.read(keys, path, by, beside)
                : wrong(yamlNode, path, by, "must be keys and values" + example());
    }

    private String example() {
        return components.stream()
                .filter(Component::isRequired)
                .findFirst()
                .map(component -> " such as {" + component.key() + ": …}")
                .orElse("");
    }

    /** Returns the keys that are not the record's own. */
    private YamlNode.Keys rest(YamlNode.Keys keys) {
        return rest(components, keys);
    }

    static YamlNode.Keys rest(List<Component> components, YamlNode.Keys keys) {
        YamlNode.Keys rest = keys;
        for (Component component : components) {
            if (!component.isInline()) {
                rest = rest.without(component.key());
            }
        }
        return rest;
    }

    @Override
    public YamlNode complete(YamlNode yamlNode, ReadingContext readingContext) {
        if (!(yamlNode instanceof YamlNode.Keys keys)) {
            return yamlNode;
        }
        YamlNode.Keys complete = new YamlNode.Keys(keys.spot(), Map.of());
        for (Component component : components) {
            if (component.isInline()) {
                if (component.form().complete(rest(keys), readingContext) instanceof YamlNode.Keys inline) {
                    complete = complete.with(inline);
                }
                continue;
            }
            if (component.isReplacedIn(keys)) {
                continue;
            }
            Optional<YamlNode> value = keys.get(component.key());
            if (value.isEmpty() && !component.isUsuallyNothing()) {
                value = component.missing();
            }
            if (value.isPresent()) {
                complete = complete.with(component.key(), component.form().complete(value.get(), readingContext));
            }
        }
        return complete;
    }

    @Override
    public YamlNode renewed(YamlNode yamlNode, String path, ReadingContext readingContext) {
        if (!(yamlNode instanceof YamlNode.Keys keys)) {
            return yamlNode;
        }
        Map<String, YamlNode.Entry> entries = new LinkedHashMap<>();
        keys.entries().forEach((key, entry) -> {
            Optional<Component> component = components.stream()
                    .filter(each -> !each.isInline() && (each.key().equals(key) || each.isFormerly(key, keys)))
                    .findFirst();
            String now = component.map(Component::key).orElse(key);
            if (!now.equals(key)) {
                readingContext.problems().renamed(entry.keySpot(), path, key, now);
            }
            entries.put(
                    now,
                    entry.of(component
                            .map(each -> each.form().renewed(entry.value(), YamlNode.below(path, now), readingContext))
                            .orElse(entry.value())));
        });
        YamlNode.Keys renewed = new YamlNode.Keys(keys.spot(), entries);
        for (Component component : components) {
            YamlNode.Keys rest = rest(renewed);
            if (component.isInline()
                    && component.form().renewed(rest, path, readingContext) instanceof YamlNode.Keys inline
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
    public YamlNode merged(YamlNode base, YamlNode over, Classes classes) {
        if (!(base instanceof YamlNode.Keys below && over instanceof YamlNode.Keys above)) {
            return over;
        }
        YamlNode.Keys merged = below;
        for (Component component : components) {
            if (component.isInline()
                    && component.form().merged(rest(below), rest(above), classes) instanceof YamlNode.Keys inline) {
                for (String key : rest(below).entries().keySet()) {
                    merged = merged.without(key);
                }
                merged = merged.with(inline);
            }
        }
        for (Map.Entry<String, YamlNode.Entry> entry : above.entries().entrySet()) {
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
    public void addresses(Optional<YamlNode> yamlNode, List<String> path, Classes classes, SettingPathVisitor to) {
        Optional<YamlNode.Keys> keys = yamlNode.map(each -> each instanceof YamlNode.Keys own ? own : null);
        for (Component component : components) {
            if (component.isInline()) {
                component.form().addresses(keys.map(own -> rest(own)), path, classes, to);
                continue;
            }
            if (keys.filter(component::isReplacedIn).isPresent()) {
                continue;
            }
            Optional<YamlNode> value = keys.flatMap(own -> own.get(component.key()));
            List<String> address = below(path, component.key());
            component.former().forEach(former -> to.formerly(below(path, former), address));
            if (value.isPresent() || component.form() instanceof ScalarForm || yamlNode.isPresent()) {
                component
                        .form()
                        .addresses(
                                value.or(component::missing)
                                        .filter(each -> value.isPresent() || each instanceof YamlNode.Keys),
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
