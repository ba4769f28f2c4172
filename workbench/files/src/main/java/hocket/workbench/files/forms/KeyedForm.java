package hocket.workbench.files.forms;

import hocket.schedulers.settings.Keyed;
import hocket.schedulers.settings.Keys;
import hocket.workbench.files.yaml.YamlNode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The form of a {@link Keyed} interface: a listed implementation by its key, or a user's own by the key {@code class}.
 * A plain value or a list may stand for records of one component, and a key alone for a record with default settings.
 */
final class KeyedForm extends Form {
    /** The number of keys that a message lists. */
    private static final int SHOWN = 8;

    private final Class<?> type;
    private final @Nullable Class<?> plain;
    private final @Nullable Class<?> list;

    KeyedForm(Class<?> type) {
        Keyed keyed = Objects.requireNonNull(type.getAnnotation(Keyed.class));
        this.type = type;
        this.plain = keyed.plain() == Record.class ? null : keyed.plain();
        this.list = keyed.list() == Record.class ? null : keyed.list();
    }

    @Override
    String values() {
        String bare = plain == null ? "" : only(plain).form().values() + ", or ";
        return bare + "a part: " + KindVisitor.nameOf(type) + (list == null ? "" : ", or a list of such parts");
    }

    @Override
    void visit(KindVisitor.Taker taker, KindVisitor visitor) {
        visitor.kind(type, taker);
    }

    /** Returns how a file writes a class of a key and a form with these settings, each as {@code key: value}. */
    String written(String key, RecordForm form, List<String> settings) {
        if (settings.isEmpty()) {
            return plain == null ? key : "{" + key + ": {}}";
        }
        String together = "{" + String.join(", ", settings) + "}";
        return isBeside(key, form) ? together : "{" + key + ": " + together + "}";
    }

    /** Returns the listed records by key. */
    Map<String, Class<?>> byKey(Classes classes) {
        Map<String, Class<?>> byKey = new LinkedHashMap<>();
        for (Class<?> each : classes.listed(List.of(type))) {
            if (each != plain && each != list) {
                byKey.put(Keys.of(each, type), each);
            }
        }
        return byKey;
    }

    @Override
    Collection<String> choices(Classes classes) {
        return byKey(classes).keySet();
    }

    /** Returns the node of a record that is written as its key alone, as its key with no settings. */
    private YamlNode spelledOut(YamlNode yamlNode, Classes classes) {
        if (plain == null && yamlNode instanceof YamlNode.Scalar scalar) {
            Set<String> keys = byKey(classes).keySet();
            String key =
                    keys.contains(scalar.text()) ? scalar.text() : scalar.text().replace('-', '_');
            if (keys.contains(key)) {
                YamlNode nothing = new YamlNode.Keys(scalar.spot(), Map.of());
                return new YamlNode.Keys(scalar.spot(), Map.of(key, new YamlNode.Entry(scalar.spot(), nothing)));
            }
        }
        return yamlNode;
    }

    private List<String> present(YamlNode yamlNode, Classes classes) {
        List<String> alternatives = new ArrayList<>(byKey(classes).keySet());
        alternatives.add(ClassForm.CLASS);
        return yamlNode instanceof YamlNode.Keys keys ? ClassForm.named(alternatives, keys) : List.of();
    }

    /** Returns the only alternative that a node names; null if it names none or several. */
    private @Nullable Alternative alternative(YamlNode yamlNode, Classes classes) {
        List<String> present = present(yamlNode, classes);
        return present.size() == 1 ? alternative(present.get(0), classes) : null;
    }

    private Alternative alternative(String key, Classes classes) {
        if (key.equals(ClassForm.CLASS)) {
            return new Alternative(key, new ClassForm(List.of(type), ""), true);
        }
        RecordForm form = Forms.made(Objects.requireNonNull(byKey(classes).get(key)));
        return new Alternative(key, form, isBeside(key, form));
    }

    /** Returns whether the settings of a class are next to its key, which one of them has as well. */
    private static boolean isBeside(String key, RecordForm form) {
        return form.components().stream().anyMatch(each -> each.key().equals(key));
    }

    /**
     * A way to write the node.
     *
     * @param key its key
     * @param form form of its settings
     * @param isBeside whether the settings are next to the key instead of below it
     */
    private record Alternative(String key, Form form, boolean isBeside) {
        /** Returns the node of the settings. */
        YamlNode settings(YamlNode.Keys keys) {
            YamlNode value = keys.get(key).orElse(keys);
            return isBeside ? keys : isNothing(value) ? new YamlNode.Keys(keys.spot(), Map.of()) : value;
        }

        /** Returns the node with other settings. */
        YamlNode with(YamlNode.Keys keys, YamlNode settings) {
            return isBeside ? settings : keys.with(key, settings);
        }

        boolean hasNoSettings() {
            return form instanceof RecordForm record && record.components().isEmpty();
        }

        /** Returns whether all settings have defaults. */
        boolean isComplete() {
            return !isBeside
                    && form instanceof RecordForm record
                    && record.components().stream().noneMatch(Component::isRequired);
        }

        String path(String path) {
            return isBeside ? path : YamlNode.below(path, key);
        }
    }

    /** Returns whether a plain number may stand for it. */
    private boolean isNumber() {
        return plain != null && only(plain).form() instanceof ScalarForm scalar && scalar.isNumber();
    }

    /** Returns the form of the only component of a record that is written without a key. */
    private static Component only(Class<?> type) {
        return Forms.made(type).components().get(0);
    }

    @Override
    public Optional<Object> read(YamlNode written, String path, ReadingContext readingContext) {
        YamlNode yamlNode = spelledOut(written, readingContext.classes());
        Class<?> alone = yamlNode instanceof YamlNode.Scalar ? plain : yamlNode instanceof YamlNode.Items ? list : null;
        if (alone != null) {
            return Forms.made(alone).readAlone(yamlNode, path, readingContext);
        }
        if (!(yamlNode instanceof YamlNode.Keys keys)) {
            return wrong(
                    yamlNode,
                    path,
                    readingContext,
                    "must be " + others() + "keys and values with " + choices(readingContext),
                    byKey(readingContext.classes()).keySet());
        }
        List<String> present = present(yamlNode, readingContext.classes());
        if (present.isEmpty()) {
            String first = keys.entries().keySet().stream().findFirst().orElse("");
            YamlNode.Entry entry = keys.entries().get(first);
            readingContext
                    .problems()
                    .add(
                            entry == null ? keys.spot() : entry.keySpot(),
                            path,
                            "needs " + choices(readingContext)
                                    + (first.isEmpty()
                                            ? ""
                                            : ", has " + first
                                                    + hint(
                                                            first,
                                                            byKey(readingContext.classes())
                                                                    .keySet())));
            return Optional.empty();
        } else if (present.size() > 1) {
            readingContext
                    .problems()
                    .add(
                            keys.spot(),
                            path,
                            "has " + String.join(" and ", present) + ", of which it takes one"
                                    + (list == null ? "" : "; several stand in a list: [{…}, {…}]"));
            return Optional.empty();
        }
        Alternative one = alternative(present.get(0), readingContext.classes());
        boolean fine = one.isBeside() || refuseBeside(one, keys, path, readingContext);
        Optional<Object> value = one.form().read(one.settings(keys), one.path(path), readingContext);
        return fine ? value : Optional.empty();
    }

    private boolean refuseBeside(Alternative one, YamlNode.Keys keys, String path, ReadingContext readingContext) {
        boolean fine = true;
        for (Map.Entry<String, YamlNode.Entry> entry : keys.entries().entrySet()) {
            if (!entry.getKey().equals(one.key())) {
                fine = false;
                readingContext
                        .problems()
                        .add(
                                entry.getValue().keySpot(),
                                path,
                                "there is no key " + entry.getKey() + " next to " + one.key()
                                        + (list == null ? "" : "; several stand in a list: [{…}, {…}]"));
            }
        }
        return fine;
    }

    private String others() {
        String scalar = plain == null ? "" : "a " + type.getSimpleName().toLowerCase(java.util.Locale.ROOT) + ", or ";
        return scalar + (list == null ? "" : "a list, or ");
    }

    private String choices(ReadingContext readingContext) {
        List<String> keys = List.copyOf(byKey(readingContext.classes()).keySet());
        String shown = String.join(", ", keys.subList(0, Math.min(SHOWN, keys.size())));
        int more = keys.size() - SHOWN;
        String rest = " and " + more + " more (hocket list " + KindVisitor.nameOf(type) + ")";
        return "one of the keys " + shown + (more > 0 ? rest : "") + ", or class";
    }

    @Override
    public YamlNode complete(YamlNode written, ReadingContext readingContext) {
        YamlNode yamlNode = spelledOut(written, readingContext.classes());
        if (yamlNode instanceof YamlNode.Items && list != null) {
            return only(list).form().complete(yamlNode, readingContext);
        }
        Alternative one = alternative(yamlNode, readingContext.classes());
        if (one != null && yamlNode != written && one.hasNoSettings()) {
            return new YamlNode.Scalar(written.spot(), one.key(), false);
        }
        return one != null && yamlNode instanceof YamlNode.Keys keys
                ? one.with(keys, one.form().complete(one.settings(keys), readingContext))
                : yamlNode;
    }

    @Override
    public YamlNode renewed(YamlNode yamlNode, String path, ReadingContext readingContext) {
        if (yamlNode instanceof YamlNode.Items && list != null) {
            return only(list).form().renewed(yamlNode, path, readingContext);
        }
        if (!(yamlNode instanceof YamlNode.Keys keys)) {
            return yamlNode;
        }
        YamlNode.Keys present =
                present(keys, readingContext.classes()).isEmpty() ? renamed(keys, path, readingContext) : keys;
        Alternative one = alternative(present, readingContext.classes());
        return one == null
                ? present
                : one.with(present, one.form().renewed(one.settings(present), one.path(path), readingContext));
    }

    /** Returns the node with a record's present key instead of a former one. */
    private YamlNode.Keys renamed(YamlNode.Keys keys, String path, ReadingContext readingContext) {
        for (Map.Entry<String, Class<?>> each : byKey(readingContext.classes()).entrySet()) {
            for (String former : former(each.getValue())) {
                YamlNode.Entry entry = keys.entries().get(former);
                if (entry != null) {
                    readingContext.problems().renamed(entry.keySpot(), path, former, each.getKey());
                    return keys.without(former).with(each.getKey(), entry);
                }
            }
        }
        return keys;
    }

    private static List<String> former(Class<?> type) {
        Keyed.Name name = type.getAnnotation(Keyed.Name.class);
        return name == null ? List.of() : List.of(name.former());
    }

    @Override
    public YamlNode merged(YamlNode written, YamlNode overWritten, Classes classes) {
        YamlNode base = spelledOut(written, classes);
        YamlNode over = spelledOut(overWritten, classes);
        Alternative below = alternative(base, classes);
        if (below == null || !(base instanceof YamlNode.Keys theirs && over instanceof YamlNode.Keys mine)) {
            return over;
        }
        List<String> present = present(over, classes);
        boolean same = present.equals(List.of(below.key())) || (present.isEmpty() && below.isBeside());
        return same
                ? below.with(theirs, below.form().merged(below.settings(theirs), below.settings(mine), classes))
                : over;
    }

    @Override
    public void addresses(Optional<YamlNode> yamlNode, List<String> path, Classes classes, SettingPathVisitor to) {
        to.choices(path, choices(classes), list != null);
        if (!isNumber()) {
            to.accept(path);
        } else if (!to.number(path)) {
            return;
        }
        YamlNode there = yamlNode.map(each -> spelledOut(each, classes)).orElse(null);
        if (there instanceof YamlNode.Items && list != null) {
            only(list).form().addresses(yamlNode, path, classes, to);
        } else if (there instanceof YamlNode.Keys keys) {
            Alternative one = alternative(keys, classes);
            if (one != null) {
                List<String> further = one.isBeside() ? path : below(path, one.key());
                one.form().addresses(Optional.of(one.settings(keys)), further, classes, to);
            }
        }
    }

    @Override
    public Map<String, Object> schema(Schemas schemas) {
        return schemas.defined(type, () -> {
            List<Object> any = new ArrayList<>();
            if (plain != null) {
                any.add(only(plain).form().schema(schemas));
            }
            if (list != null) {
                any.add(only(list).form().schema(schemas));
            }
            if (plain == null) {
                wordSchema(schemas.classes()).ifPresent(any::add);
            }
            for (String key : byKey(schemas.classes()).keySet()) {
                Alternative one = alternative(key, schemas.classes());
                any.add(
                        one.isBeside()
                                ? one.form().schema(schemas)
                                : below(key, one.form().schema(schemas)));
            }
            Map<String, Object> own = new LinkedHashMap<>();
            own.put("type", "object");
            own.put("properties", Map.of(ClassForm.CLASS, Map.of("type", "string")));
            own.put("required", List.of(ClassForm.CLASS));
            any.add(own);
            return Map.of("anyOf", any);
        });
    }

    /** Returns the schema of keys that may stand alone. */
    private Optional<Map<String, Object>> wordSchema(Classes classes) {
        List<String> words = byKey(classes).keySet().stream()
                .filter(key -> alternative(key, classes).isComplete())
                .toList();
        return words.isEmpty() ? Optional.empty() : Optional.of(Map.of("enum", words));
    }

    private static Map<String, Object> below(String key, Map<String, Object> settings) {
        Map<String, Object> schema = new LinkedHashMap<>();
        schema.put("type", "object");
        schema.put("properties", Map.of(key, settings));
        schema.put("required", List.of(key));
        schema.put("additionalProperties", false);
        return schema;
    }
}
