package hocket.workbench.files.forms;

import hocket.schedulers.settings.UserCodeFailure;
import hocket.workbench.files.forms.KindVisitor.Taker;
import hocket.workbench.files.forms.PartDescription.SettingDescription;
import hocket.workbench.files.forms.PartDescription.Use;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The listed classes that files can name as parts of an experiment.
 *
 * @param all by kind, then by name; two kinds of one name, which other settings take, are apart
 */
public record PartIndex(List<PartDescription> all) {
    private static final String SUMMARIES = "META-INF/hocket/summaries";

    /** The most settings with a default that an example shows. */
    private static final int SHOWN = 3;

    /**
     * Finds the parts that a file of this form can name, at any depth.
     *
     * @throws IllegalArgumentException if a jar lists a class that cannot be a part, naming it
     */
    public static PartIndex of(Form file, Classes classes) {
        try {
            return new Builder((RecordForm) file, classes).index();
        } catch (IllegalArgumentException | IllegalStateException e) {
            throw new IllegalArgumentException("a class in META-INF/hocket/classes is no part: " + e.getMessage(), e);
        } catch (LinkageError e) {
            throw new IllegalArgumentException(UserCodeFailure.by("in META-INF/hocket/classes", e), e);
        }
    }

    /**
     * The parts that a person asked for.
     *
     * @param named those of that name
     * @param ofKind those of a kind of that name, or that a setting of that name takes
     */
    public record Found(List<PartDescription> named, List<PartDescription> ofKind) {}

    /**
     * Finds parts by the name of a part, of its class or of a kind; if no part has the name, also by a setting that takes
     * parts.
     *
     * @throws IllegalArgumentException if there is none, naming similar ones
     */
    public Found find(String name) {
        String key = name.replace('-', '_');
        List<PartDescription> named = parts(part -> part.name().equals(name)
                || part.name().equals(key)
                || part.type().equals(name)
                || part.type().endsWith("." + name));
        List<PartDescription> ofKind = parts(part ->
                part.kind().equals(key) || (named.isEmpty() && keys(part).anyMatch(key::equals)));
        if (named.isEmpty() && ofKind.isEmpty()) {
            TreeSet<String> names = new TreeSet<>();
            all.forEach(part -> {
                names.addAll(List.of(part.name(), part.kind()));
                keys(part).forEach(names::add);
            });
            throw new IllegalArgumentException("there is no part, kind of parts or key of parts " + name
                    + "; hocket list parts names them" + Form.hint(name, names));
        }
        return new Found(named, ofKind);
    }

    /** Returns the keys of the settings that take a part. */
    private static Stream<String> keys(PartDescription part) {
        return part.uses().stream().map(use -> use.key().split(" ")[0]);
    }

    private List<PartDescription> parts(Predicate<PartDescription> which) {
        return all.stream().filter(which).toList();
    }

    /** Builds the index. */
    private static final class Builder {
        private final Classes classes;
        private final Map<String, String> summaries = new HashMap<>();
        private final KindVisitor visitor = new KindVisitor();

        Builder(RecordForm file, Classes classes) {
            this.classes = classes;
            classes.lines(SUMMARIES).stream()
                    .map(line -> line.split("\t", 2))
                    .filter(parts -> parts.length == 2)
                    .forEach(parts -> summaries.put(parts[0], parts[1]));
            visitor.settings(file, KindVisitor.FILE);
        }

        PartIndex index() {
            List<PartDescription> all = new ArrayList<>();
            byKind().forEach((kind, parts) -> parts.forEach((name, type) -> all.add(part(name, type, kind))));
            all.sort(Comparator.comparing(PartDescription::kind)
                    .thenComparing(part -> part.uses().get(0).text())
                    .thenComparing(PartDescription::name));
            return new PartIndex(List.copyOf(all));
        }

        /** Returns the classes of all kinds by their names; settings of a class may take further kinds. */
        private Map<Class<?>, Map<String, Class<?>>> byKind() {
            Map<Class<?>, Map<String, Class<?>>> byKind = new LinkedHashMap<>();
            while (byKind.size() < visitor.takers().size()) {
                for (Class<?> kind : List.copyOf(visitor.takers().keySet())) {
                    if (!byKind.containsKey(kind)) {
                        byKind.put(kind, named(kind));
                        byKind.get(kind).forEach((name, type) -> visitor.settings(Forms.made(type), name));
                    }
                }
            }
            return byKind;
        }

        /** Returns the classes of a kind by the names that files give them. */
        private Map<String, Class<?>> named(Class<?> kind) {
            if (Forms.isKeyed(kind)) {
                return new KeyedForm(kind).byKey(classes);
            }
            Map<String, Class<?>> named = new LinkedHashMap<>();
            for (Class<?> type : classes.listed(List.of(kind))) {
                String name = Classes.simple(type.getName());
                if (named.putIfAbsent(name, type) != null && named.get(name) != type) {
                    named.put(type.getName(), type); // the short name is another class's
                }
            }
            return named;
        }

        private PartDescription part(String name, Class<?> type, Class<?> kind) {
            RecordForm form = Forms.made(type);
            List<Component> components = form.components();
            List<Taker> takers = Objects.requireNonNull(visitor.takers().get(kind));
            Taker usual = takers.stream()
                    .filter(taker -> taker.usually().equals(name))
                    .findFirst()
                    .or(() -> takers.stream().filter(Taker::isByName).findFirst())
                    .orElse(takers.get(0));
            List<String> settings = shown(components);
            String written = Forms.isKeyed(kind)
                    ? new KeyedForm(kind).written(name, form, settings)
                    : "{class: " + name
                            + String.join(
                                    "",
                                    settings.stream().map(each -> ", " + each).toList()) + "}";
            return new PartDescription(
                    name,
                    KindVisitor.nameOf(kind),
                    type.getName(),
                    summaries.getOrDefault(type.getName(), ""),
                    uses(takers),
                    components.stream().flatMap(each -> settings(each, "")).toList(),
                    usual.key() + ": " + usual.before() + written + usual.after());
        }

        /** Returns the settings of an example: those without a default, and the first ones with one. */
        private static List<String> shown(List<Component> components) {
            return Stream.concat(
                            components.stream().filter(Component::isRequired).map(each -> each.key() + ": …"),
                            components.stream()
                                    .filter(each -> !each.isRequired() && !each.isUsuallyNothing())
                                    .limit(SHOWN)
                                    .map(each -> each.key() + ": " + each.usually()))
                    .toList();
        }

        private static List<Use> uses(List<Taker> takers) {
            Map<String, List<String>> owners = new LinkedHashMap<>();
            takers.forEach(taker -> owners.computeIfAbsent(taker.path(), path -> new ArrayList<>())
                    .add(taker.owner()));
            return owners.entrySet().stream()
                    .map(each -> new Use(each.getKey(), List.copyOf(each.getValue())))
                    .toList();
        }

        /** Returns a setting, or those of a record that is one. */
        private static Stream<SettingDescription> settings(Component component, String before) {
            String key = before + (component.isInline() ? ClassForm.CLASS : component.key());
            if (component.form() instanceof RecordForm record && !component.isInline()) {
                return record.components().stream().flatMap(each -> settings(each, key + "."));
            }
            boolean isGiven = component.usually() == null && !component.isOptional();
            return Stream.of(new SettingDescription(
                    key,
                    isGiven ? null : component.usuallyWritten(),
                    component.form().values(),
                    component.help()));
        }
    }
}
