package hocket.workbench.forms;

import hocket.workbench.yaml.Node;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One of several records: the key of a record's first component tells which; one may be written without a key. */
final class UnionForm extends Form {
    private final Class<?> type;
    private final Map<String, RecordForm> byKey = new LinkedHashMap<>();
    private @Nullable RecordForm plain;

    UnionForm(Class<?> type) {
        this.type = type;
    }

    /** Made when first asked for: a record may hold the union that it belongs to. */
    private Map<String, RecordForm> byKey() {
        if (byKey.isEmpty()) {
            for (Class<?> each : type.getPermittedSubclasses()) {
                RecordForm form = Forms.made(each);
                if (each.isAnnotationPresent(Plain.class)) {
                    plain = form;
                } else {
                    byKey.put(
                            only(form).isInline() ? ClassForm.CLASS : only(form).key(), form);
                }
            }
        }
        return byKey;
    }

    private @Nullable RecordForm plain() {
        byKey();
        return plain;
    }

    @Override
    Collection<String> choices(Classes classes) {
        return byKey().keySet();
    }

    private List<String> present(Node node) {
        return node instanceof Node.Keys keys ? ClassForm.named(byKey().keySet(), keys) : List.of();
    }

    private RecordForm alternative(List<String> present) {
        return Objects.requireNonNull(byKey().get(present.get(0)));
    }

    private static Component only(RecordForm form) {
        return form.components().get(0);
    }

    @Override
    public Optional<Object> read(Node node, String path, Reading reading) {
        RecordForm alone = plain();
        if (alone != null && node instanceof Node.Scalar) {
            return alone.readAlone(node, path, reading);
        }
        if (!(node instanceof Node.Keys keys)) {
            String scalar = alone == null ? "" : "a " + only(alone).key().replace('_', ' ') + ", or ";
            return wrong(node, path, reading, "must be " + scalar + "keys and values with " + choices());
        }
        List<String> present = present(node);
        if (present.size() == 1) {
            return alternative(present).read(node, path, reading);
        }
        if (present.isEmpty()) {
            String first = keys.entries().keySet().stream().findFirst().orElse("");
            reading.problems()
                    .add(
                            keys.entries().isEmpty()
                                    ? keys.spot()
                                    : Objects.requireNonNull(keys.entries().get(first))
                                            .keySpot(),
                            path,
                            "needs " + choices()
                                    + (first.isEmpty() ? "" : ", has " + first + hint(first, byKey().keySet())));
        } else {
            reading.problems()
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
    public Node complete(Node node, Reading reading) {
        List<String> present = present(node);
        return present.size() == 1 ? alternative(present).complete(node, reading) : node;
    }

    @Override
    public Node renewed(Node node, String path, Reading reading) {
        List<String> present = present(node);
        if (present.isEmpty() && node instanceof Node.Keys keys) {
            return byKey().values().stream()
                    .filter(form -> keys.entries().keySet().stream()
                            .anyMatch(key -> only(form).isFormerly(key, keys)))
                    .findFirst()
                    .map(form -> form.renewed(node, path, reading))
                    .orElse(node);
        }
        return present.size() == 1 ? alternative(present).renewed(node, path, reading) : node;
    }

    @Override
    public Node merged(Node base, Node over, Classes classes) {
        List<String> present = present(base);
        boolean same = present(over).isEmpty() || present(over).equals(present);
        return present.size() == 1 && over instanceof Node.Keys && same
                ? alternative(present).merged(base, over, classes)
                : over;
    }

    @Override
    public void addresses(Optional<Node> node, List<String> path, Classes classes, Addresses to) {
        to.accept(path);
        to.choices(path, choices(classes), false);
        node.ifPresent(each -> {
            List<String> present = present(each);
            if (present.size() == 1) {
                alternative(present).addresses(node, path, classes, to);
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
