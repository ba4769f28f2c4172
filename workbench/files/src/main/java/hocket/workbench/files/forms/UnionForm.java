package hocket.workbench.files.forms;

import hocket.workbench.files.yaml.YamlNode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The form of one of several records: the key of a record's first component selects it; one record may be written
 * without a key.
 */
final class UnionForm extends Form {
    /** The records by their keys, and the one without a key. */
    private record Alternatives(
            Map<String, RecordForm> byKey, @Nullable RecordForm plain) {}

    private final Class<?> type;
    private volatile @Nullable Alternatives alternatives;

    UnionForm(Class<?> type) {
        this.type = type;
    }

    /** Built at the first use: a record may contain the union that it belongs to. Threads that build it build the same. */
    private Alternatives alternatives() {
        Alternatives built = alternatives;
        if (built == null) {
            Map<String, RecordForm> byKey = new LinkedHashMap<>();
            RecordForm plain = null;
            for (Class<?> each : type.getPermittedSubclasses()) {
                RecordForm form = Forms.made(each);
                if (each.isAnnotationPresent(WrittenAsValue.class)) {
                    plain = form;
                } else {
                    byKey.put(
                            only(form).isInline() ? ClassForm.CLASS : only(form).key(), form);
                }
            }
            built = new Alternatives(byKey, plain);
            alternatives = built;
        }
        return built;
    }

    @Override
    String values() {
        RecordForm alone = plain();
        return (alone == null ? "" : only(alone).form().values() + ", or ") + choices();
    }

    @Override
    void visit(KindVisitor.Taker taker, KindVisitor visitor) {
        byKey().values().forEach(record -> visitor.inside(record, taker));
    }

    private Map<String, RecordForm> byKey() {
        return alternatives().byKey();
    }

    private @Nullable RecordForm plain() {
        return alternatives().plain();
    }

    @Override
    Collection<String> choices(Classes classes) {
        return byKey().keySet();
    }

    private List<String> present(YamlNode yamlNode) {
        return yamlNode instanceof YamlNode.Keys keys ? ClassForm.named(byKey().keySet(), keys) : List.of();
    }

    private RecordForm alternative(List<String> present) {
        return Objects.requireNonNull(byKey().get(present.get(0)));
    }

    private static Component only(RecordForm form) {
        return form.components().get(0);
    }

    @Override
    public Optional<Object> read(YamlNode yamlNode, String path, ReadingContext readingContext) {
        RecordForm alone = plain();
        if (alone != null && yamlNode instanceof YamlNode.Scalar) {
            return alone.readAlone(yamlNode, path, readingContext);
        }
        if (!(yamlNode instanceof YamlNode.Keys keys)) {
            String scalar = alone == null ? "" : "a " + only(alone).key().replace('_', ' ') + ", or ";
            return wrong(yamlNode, path, readingContext, "must be " + scalar + "keys and values with " + choices());
        }
        List<String> present = present(yamlNode);
        if (present.size() == 1) {
            return alternative(present).read(yamlNode, path, readingContext);
        }
        if (present.isEmpty()) {
            String first = keys.entries().keySet().stream().findFirst().orElse("");
            readingContext
                    .problems()
                    .add(
                            keys.entries().isEmpty()
                                    ? keys.spot()
                                    : Objects.requireNonNull(keys.entries().get(first))
                                            .keySpot(),
                            path,
                            "needs " + choices()
                                    + (first.isEmpty() ? "" : ", has " + first + hint(first, byKey().keySet())));
        } else {
            readingContext
                    .problems()
                    .add(keys.spot(), path, "has " + String.join(" and ", present) + ", of which it takes one");
        }
        return Optional.empty();
    }

    private String choices() {
        return byKey().size() == 1
                ? "the key " + byKey().keySet().iterator().next()
                : "one of the keys " + String.join(", ", byKey().keySet());
    }

    @Override
    public YamlNode complete(YamlNode yamlNode, ReadingContext readingContext) {
        List<String> present = present(yamlNode);
        return present.size() == 1 ? alternative(present).complete(yamlNode, readingContext) : yamlNode;
    }

    @Override
    public YamlNode renewed(YamlNode yamlNode, String path, ReadingContext readingContext) {
        List<String> present = present(yamlNode);
        if (present.isEmpty() && yamlNode instanceof YamlNode.Keys keys) {
            return byKey().values().stream()
                    .filter(form -> keys.entries().keySet().stream()
                            .anyMatch(key -> only(form).isFormerly(key, keys)))
                    .findFirst()
                    .map(form -> form.renewed(yamlNode, path, readingContext))
                    .orElse(yamlNode);
        }
        return present.size() == 1 ? alternative(present).renewed(yamlNode, path, readingContext) : yamlNode;
    }

    @Override
    public YamlNode merged(YamlNode base, YamlNode over, Classes classes) {
        List<String> present = present(base);
        boolean same = present(over).isEmpty() || present(over).equals(present);
        return present.size() == 1 && over instanceof YamlNode.Keys && same
                ? alternative(present).merged(base, over, classes)
                : over;
    }

    @Override
    public void addresses(Optional<YamlNode> yamlNode, List<String> path, Classes classes, SettingPathVisitor to) {
        to.accept(path);
        to.choices(path, choices(classes), false);
        yamlNode.ifPresent(each -> {
            List<String> present = present(each);
            if (present.size() == 1) {
                alternative(present).addresses(yamlNode, path, classes, to);
            }
        });
    }

    @Override
    public Map<String, Object> schema(Schemas schemas) {
        return schemas.defined(type, () -> {
            List<Object> any = new ArrayList<>();
            RecordForm alone = plain();
            if (alone != null) {
                any.add(only(alone).form().schema(schemas));
            }
            byKey().values().forEach(form -> any.add(form.schema(schemas)));
            Map<String, Object> schema = new LinkedHashMap<>();
            schema.put("anyOf", any);
            return schema;
        });
    }
}
