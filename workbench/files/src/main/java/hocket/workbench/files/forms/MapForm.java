package hocket.workbench.files.forms;

import hocket.workbench.files.yaml.YamlNode;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The form of values of one kind under keys of the user's own. */
final class MapForm extends Form {
    private final Form value;

    MapForm(Form value) {
        this.value = value;
    }

    @Override
    String values() {
        return "by name, each " + value.values();
    }

    @Override
    void visit(KindVisitor.Taker taker, KindVisitor visitor) {
        value.visit(taker.byName(), visitor);
    }

    @Override
    public Optional<Object> read(YamlNode yamlNode, String path, ReadingContext readingContext) {
        if (!(yamlNode instanceof YamlNode.Keys keys)) {
            return wrong(yamlNode, path, readingContext, "must be keys and values {a: b}");
        }
        Map<String, Object> values = new LinkedHashMap<>();
        keys.entries()
                .forEach((key, entry) -> value.read(entry.value(), YamlNode.below(path, key), readingContext)
                        .ifPresent(read -> values.put(key, read)));
        return values.size() < keys.entries().size()
                ? Optional.empty()
                : Optional.of(Collections.unmodifiableMap(values));
    }

    @Override
    public YamlNode complete(YamlNode yamlNode, ReadingContext readingContext) {
        if (!(yamlNode instanceof YamlNode.Keys keys)) {
            return yamlNode;
        }
        Map<String, YamlNode.Entry> complete = new LinkedHashMap<>();
        keys.entries()
                .forEach((key, entry) -> complete.put(
                        key, new YamlNode.Entry(entry.keySpot(), value.complete(entry.value(), readingContext))));
        return new YamlNode.Keys(keys.spot(), complete);
    }

    @Override
    public YamlNode renewed(YamlNode yamlNode, String path, ReadingContext readingContext) {
        if (!(yamlNode instanceof YamlNode.Keys keys)) {
            return yamlNode;
        }
        Map<String, YamlNode.Entry> entries = new LinkedHashMap<>();
        keys.entries()
                .forEach((key, entry) -> entries.put(
                        key, entry.of(value.renewed(entry.value(), YamlNode.below(path, key), readingContext))));
        return new YamlNode.Keys(keys.spot(), entries);
    }

    @Override
    public YamlNode merged(YamlNode base, YamlNode over, Classes classes) {
        if (!(base instanceof YamlNode.Keys below && over instanceof YamlNode.Keys above)) {
            return over;
        }
        YamlNode.Keys merged = below;
        for (Map.Entry<String, YamlNode.Entry> entry : above.entries().entrySet()) {
            merged = value.merged(merged, below, entry, classes);
        }
        return merged;
    }

    @Override
    public void addresses(Optional<YamlNode> yamlNode, List<String> path, Classes classes, SettingPathVisitor to) {
        to.accept(path);
        if (yamlNode.orElse(null) instanceof YamlNode.Keys keys) {
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
