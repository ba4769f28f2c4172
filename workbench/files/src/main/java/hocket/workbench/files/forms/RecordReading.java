package hocket.workbench.files.forms;

import hocket.schedulers.settings.UserCodeFailure;
import hocket.scopes.SimilarNames;
import hocket.workbench.files.yaml.FilePosition;
import hocket.workbench.files.yaml.FileProblems;
import hocket.workbench.files.yaml.YamlNode;
import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;

/**
 * Reads keys and values into an object.
 *
 * @param type its class
 * @param maker creates it
 * @param components the record's, or the constructor's parameters
 */
record RecordReading(Class<?> type, Maker maker, List<Component> components) {
    /** The number of unknown keys that get suggestions; more are not typing errors. */
    private static final int HINTS = 50;

    /** @param beside further allowed keys, which are read elsewhere */
    Optional<Object> read(YamlNode.Keys keys, String path, ReadingContext readingContext, List<String> beside) {
        TreeSet<String> meant = new TreeSet<>();
        boolean whole = refuseUnknown(keys, path, readingContext, beside, meant);
        List<Object> values = new ArrayList<>();
        for (Component component : components) {
            Optional<Object> value = isMistyped(component, meant)
                    ? Optional.empty() // it is present with a typing error, which was reported
                    : value(component, keys, path, readingContext);
            value.ifPresent(values::add);
            whole &= value.isPresent();
        }
        return whole ? made(keys, path, values, readingContext) : Optional.empty();
    }

    private static boolean isMistyped(Component component, TreeSet<String> meant) {
        boolean isItself = meant.contains(component.key());
        boolean isWhatReplacesIt =
                component.unless() != null && meant.contains(component.unless().value());
        return component.isNeeded() && (isItself || isWhatReplacesIt);
    }

    /** @param meant receives the keys that unknown ones seem to mean */
    private boolean refuseUnknown(
            YamlNode.Keys keys,
            String path,
            ReadingContext readingContext,
            List<String> beside,
            TreeSet<String> meant) {
        if (components.stream().anyMatch(Component::isInline)) {
            return true; // the inline component rejects the rest
        }
        TreeSet<String> known = new TreeSet<>(beside);
        components.forEach(component -> known.add(component.key()));
        boolean fine = true;
        int unknown = 0;
        for (Map.Entry<String, YamlNode.Entry> entry : keys.entries().entrySet()) {
            if (!known.contains(entry.getKey())) {
                fine = false;
                unknown++;
                String near = unknown > HINTS ? "" : SimilarNames.among(entry.getKey(), known);
                known.stream()
                        .filter(key -> near.equals("; did you mean " + key + "?"))
                        .forEach(meant::add);
                readingContext
                        .problems()
                        .add(entry.getValue().keySpot(), path, "there is no key " + entry.getKey() + near);
            }
        }
        return fine;
    }

    private Optional<Object> value(
            Component component, YamlNode.Keys keys, String path, ReadingContext readingContext) {
        if (component.isInline()) {
            YamlNode.Keys rest = RecordForm.rest(components, keys);
            return component.form() instanceof ClassForm form
                    ? form.read(
                            form.withShared(rest, keys, components, readingContext.classes()),
                            path,
                            readingContext,
                            ownKeys())
                    : component.form().read(rest, path, readingContext);
        }
        boolean isReplaced = component.isReplacedIn(keys);
        Optional<YamlNode> yamlNode = keys.get(component.key())
                .filter(there -> !((component.mayBeEmpty() || isReplaced) && Form.isNothing(there)));
        if (isReplaced && yamlNode.isPresent()) {
            refuseReplaced(component, keys, path, readingContext);
            return Optional.empty();
        }
        if (yamlNode.isPresent()) {
            Optional<Object> value =
                    component.form().read(yamlNode.get(), YamlNode.below(path, component.key()), readingContext);
            return component.isOptional() ? value.map(Optional::of) : value;
        }
        boolean isMissing = component.isNeeded() && !isReplaced;
        if (component.isOptional() && !isMissing) {
            return Optional.of(Optional.empty());
        }
        Optional<YamlNode> usual = isMissing ? Optional.empty() : component.missing();
        if (usual.isEmpty()) {
            readingContext
                    .problems()
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
        return usual(component, usual.get(), keys, path, readingContext);
    }

    /** An invalid default is in the class, not in a file. */
    private Optional<Object> usual(
            Component component, YamlNode usual, YamlNode.Keys keys, String path, ReadingContext readingContext) {
        FileProblems wrong = new FileProblems();
        Optional<Object> value = component
                .form()
                .read(
                        usual.moved(FilePosition.in("")),
                        "",
                        new ReadingContext(wrong, readingContext.classes(), readingContext.here()));
        wrong.lines()
                .forEach(line -> readingContext
                        .problems()
                        .add(
                                keys.spot(),
                                path,
                                "class " + type.getName() + ": the usual value of " + component.key() + " " + line));
        return value;
    }

    private static void refuseReplaced(
            Component component, YamlNode.Keys keys, String path, ReadingContext readingContext) {
        String other = Objects.requireNonNull(component.unless()).value();
        YamlNode.Entry entry = Objects.requireNonNull(keys.entries().get(component.key()));
        readingContext
                .problems()
                .add(entry.keySpot(), path, other + " replaces " + component.key() + ": remove one of the two");
    }

    private List<String> ownKeys() {
        return components.stream()
                .filter(component -> !component.isInline())
                .map(Component::key)
                .toList();
    }

    private Optional<Object> made(YamlNode.Keys keys, String path, List<Object> values, ReadingContext readingContext) {
        try {
            return Optional.of(maker.make(values.iterator()));
        } catch (InvocationTargetException e) {
            Throwable cause = Objects.requireNonNull(e.getCause());
            UserCodeFailure.rethrowIfFatal(cause);
            if (cause instanceof IllegalArgumentException) {
                List<String> below = components.stream().map(Component::key).toList();
                readingContext
                        .problems()
                        .refused(
                                path,
                                below,
                                key -> keys.get(key).map(YamlNode::spot).orElse(keys.spot()),
                                cause);
            } else {
                readingContext.problems().add(keys.spot(), path, UserCodeFailure.by(type.getName(), cause), cause);
            }
        } catch (ReflectiveOperationException | LinkageError e) {
            readingContext.problems().add(keys.spot(), path, UserCodeFailure.by(type.getName(), e), e);
        }
        return Optional.empty();
    }
}
