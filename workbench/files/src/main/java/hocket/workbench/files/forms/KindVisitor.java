package hocket.workbench.files.forms;

import hocket.schedulers.settings.Keys;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Collects the kinds of classes that forms take, each with the settings that take it. */
final class KindVisitor {
    /** The owner of the settings of the file itself. */
    static final String FILE = "the file";

    private final Map<Class<?>, List<Taker>> takers = new LinkedHashMap<>();

    /** Records that are being visited; one may contain itself. */
    private final Set<Class<?>> open = new HashSet<>();

    /**
     * A setting that takes classes of a kind.
     *
     * @param keys the keys that lead from its owner to it, of which the last is its own
     * @param owner the class that has it; {@code the file} for the file itself
     * @param before what a file writes between the key and the class
     * @param after what it writes after the class
     * @param usually the default as files write it; empty if there is none
     */
    record Taker(List<String> keys, String owner, String before, String after, String usually) {
        static Taker of(Component component, String owner) {
            return new Taker(List.of(component.key()), owner, "", "", component.usuallyWritten());
        }

        String key() {
            return keys.get(keys.size() - 1);
        }

        /** Returns its keys for people, the last one first: {@code wrappers of environments}. */
        String path() {
            List<String> reversed = new ArrayList<>(keys);
            Collections.reverse(reversed);
            return String.join(" of ", reversed);
        }

        Taker inList() {
            return new Taker(keys, owner, before + "[", "]" + after, "");
        }

        Taker byName() {
            return new Taker(keys, owner, before + "{NAME: ", "}" + after, "");
        }

        private Taker inside(Component component) {
            return component.isInline()
                    ? this
                    : new Taker(Form.below(keys, component.key()), owner, "", "", component.usuallyWritten());
        }

        boolean isByName() {
            return before.contains("NAME");
        }
    }

    /** Returns the name of a kind: {@code term}, and {@code network} for a {@code NetworkDefinition}. */
    static String nameOf(Class<?> kind) {
        return Keys.of(kind.getSimpleName()).replaceFirst("_definition$", "");
    }

    /** Visits the settings of a class, or of {@link #FILE}. */
    void settings(RecordForm form, String owner) {
        form.components().forEach(each -> each.form().visit(Taker.of(each, owner), this));
    }

    /** Visits the settings of a record that is itself a setting; the keys of an inline one are the record's own. */
    void inside(RecordForm form, Taker taker) {
        if (open.add(form.type())) {
            form.components().forEach(each -> each.form().visit(taker.inside(each), this));
            open.remove(form.type());
        }
    }

    void kind(Class<?> kind, Taker taker) {
        List<Taker> known = takers.computeIfAbsent(kind, each -> new ArrayList<>());
        if (known.stream()
                .noneMatch(
                        each -> each.path().equals(taker.path()) && each.owner().equals(taker.owner()))) {
            known.add(taker);
        }
    }

    Map<Class<?>, List<Taker>> takers() {
        return takers;
    }
}
