package hocket.workbench.forms;

import hocket.schedulers.Thrown;
import hocket.scopes.Nearest;
import hocket.workbench.yaml.Node;
import hocket.workbench.yaml.Problems;
import hocket.workbench.yaml.Spot;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;

/**
 * How keys and values become an object.
 *
 * @param type its class
 * @param constructor makes it
 * @param components the record's, or the constructor's parameters
 */
record RecordReading(Class<?> type, Constructor<?> constructor, List<Component> components) {
    /** Unknown keys that are told what they might mean; more of them are no typing errors. */
    private static final int HINTS = 50;

    /** @param beside further keys that may stand there, which others read */
    Optional<Object> read(Node.Keys keys, String path, Reading reading, List<String> beside) {
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
            Node.Keys rest = RecordForm.rest(components, keys);
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
        return usual(component, usual.get(), keys, path, reading);
    }

    /** A usual value that is wrong stands in the class, not in a file. */
    private Optional<Object> usual(Component component, Node usual, Node.Keys keys, String path, Reading reading) {
        Problems wrong = new Problems();
        Optional<Object> value = component
                .form()
                .read(usual.moved(Spot.in("")), "", new Reading(wrong, reading.classes(), reading.here()));
        wrong.lines()
                .forEach(line -> reading.problems()
                        .add(
                                keys.spot(),
                                path,
                                "class " + type.getName() + ": the usual value of " + component.key() + " " + line));
        return value;
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

    private Optional<Object> made(Node.Keys keys, String path, List<Object> values, Reading reading) {
        try {
            return Optional.of(constructor.newInstance(values.toArray()));
        } catch (InvocationTargetException e) {
            Throwable cause = Objects.requireNonNull(e.getCause());
            Thrown.rethrowIfFatal(cause);
            if (cause instanceof IllegalArgumentException) {
                List<String> below = components.stream().map(Component::key).toList();
                reading.problems()
                        .refused(
                                path,
                                below,
                                key -> keys.get(key).map(Node::spot).orElse(keys.spot()),
                                cause);
            } else {
                reading.problems().add(keys.spot(), path, Thrown.by(type.getName(), cause), cause);
            }
        } catch (ReflectiveOperationException | LinkageError e) {
            reading.problems().add(keys.spot(), path, Thrown.by(type.getName(), e), e);
        }
        return Optional.empty();
    }
}
