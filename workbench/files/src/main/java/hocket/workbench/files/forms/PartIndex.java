package hocket.workbench.files.forms;

import hocket.schedulers.settings.Keys;
import hocket.workbench.files.forms.Part.PartSetting;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

/** Finds all parts that a form takes, at any depth, among the listed classes. */
public final class PartIndex {
    private static final String SUMMARIES = "META-INF/hocket/summaries";

    /** Settings without a default that an example shows; of the others, it shows this number at most. */
    private static final int SHOWN = 3;

    private final Classes classes;
    private final Map<String, String> summaries = new HashMap<>();
    private final Map<Class<?>, List<Place>> places = new LinkedHashMap<>();

    /** Records whose settings are being visited; one may contain itself. */
    private final Set<Class<?>> open = new HashSet<>();

    private PartIndex(Classes classes) {
        this.classes = classes;
        classes.lines(SUMMARIES).forEach(line -> {
            String[] parts = line.split("\t", 2);
            summaries.put(parts[0], parts[1]);
        });
    }

    /**
     * A setting that takes parts.
     *
     * @param key of the setting
     * @param owner the class of the setting, or a key of the file
     * @param before what a file writes before the part, after the key
     * @param after what it writes after the part
     */
    private record Place(String key, String owner, String before, String after) {
        Place in(Form form) {
            return form instanceof ListForm
                    ? new Place(key, owner, before + "[", "]" + after)
                    : form instanceof MapForm ? new Place(key, owner, before + "{NAME: ", "}" + after) : this;
        }

        String inFile() {
            return key + " of " + (owner.isEmpty() ? "the file" : owner);
        }

        @Override
        public String toString() {
            return owner.isEmpty() ? key : key + " of " + owner;
        }
    }

    /** Returns the parts by kind, then by name. */
    public static List<Part> of(Form form, Classes classes) {
        PartIndex index = new PartIndex(classes);
        index.visit((RecordForm) form, "");
        List<Part> parts = new ArrayList<>();
        for (Class<?> kind : index.kinds()) {
            index.named(kind).forEach((name, type) -> parts.add(index.part(name, type, kind)));
        }
        parts.sort(Comparator.comparing(Part::kind).thenComparing(Part::name));
        return parts;
    }

    /** Returns all kinds; settings of their classes may take further kinds. */
    private Set<Class<?>> kinds() {
        Set<Class<?>> done = new HashSet<>();
        while (done.size() < places.size()) {
            for (Class<?> kind : List.copyOf(places.keySet())) {
                if (done.add(kind)) {
                    named(kind).forEach((name, type) -> visit(Forms.made(type), name));
                }
            }
        }
        return done;
    }

    /** Returns the classes of a kind by the names that files give them. */
    private Map<String, Class<?>> named(Class<?> kind) {
        if (Forms.isKeyed(kind)) {
            return new KeyedForm(kind).byKey(classes);
        }
        Map<String, Class<?>> named = new LinkedHashMap<>();
        classes.listed(List.of(kind)).forEach(type -> named.put(type.getSimpleName(), type));
        return named;
    }

    private void visit(RecordForm record, String owner) {
        record.components().forEach(each -> visit(each.form(), new Place(each.key(), owner, "", "")));
    }

    private void visit(Form form, Place place) {
        Place within = place.in(form);
        if (form instanceof ListForm list) {
            visit(list.item(), within);
        } else if (form instanceof MapForm map) {
            visit(map.value(), within);
        } else if (form instanceof KeyedForm keyed) {
            add(keyed.type(), place);
        } else if (form instanceof ClassForm named) {
            named.kinds().forEach(kind -> add(kind, place));
        } else if (form instanceof RecordForm record) {
            inside(record, place);
        } else if (form instanceof UnionForm union) {
            union.records().forEach(record -> inside(record, place));
        }
    }

    private void inside(RecordForm record, Place place) {
        if (open.add(record.type())) {
            record.components().forEach(each -> inside(each, place));
            open.remove(record.type());
        }
    }

    /** Visits a setting of a record that is itself a setting; the keys of an inline one are the record's own. */
    private void inside(Component component, Place place) {
        visit(component.form(), component.isInline() ? place : new Place(component.key(), place.toString(), "", ""));
    }

    private void add(Class<?> kind, Place place) {
        List<Place> known = places.computeIfAbsent(kind, each -> new ArrayList<>());
        if (known.stream().noneMatch(each -> each.toString().equals(place.toString()))) {
            known.add(place);
        }
    }

    private Part part(String name, Class<?> type, Class<?> kind) {
        List<Component> components = Forms.made(type).components();
        List<Place> taking = Objects.requireNonNull(places.get(kind));
        Place first = taking.get(0);
        return new Part(
                name,
                kind(kind),
                type.getName(),
                summaries.getOrDefault(type.getName(), ""),
                taking.stream().map(Place::inFile).toList(),
                components.stream().map(this::setting).toList(),
                first.key() + ": " + first.before() + written(name, components, Forms.isKeyed(kind)) + first.after());
    }

    private static String kind(Class<?> type) {
        return Keys.of(type.getSimpleName());
    }

    private PartSetting setting(Component component) {
        String usually = component.usually();
        return new PartSetting(
                component.key(),
                usually == null && component.isOptional() ? "" : usually,
                values(component.form()),
                component.help());
    }

    private static String written(String name, List<Component> components, boolean isKeyed) {
        List<String> settings = Stream.concat(
                        components.stream().filter(Component::isRequired).map(each -> each.key() + ": …"),
                        components.stream()
                                .filter(each -> !each.isRequired() && !each.isUsuallyNothing())
                                .limit(SHOWN)
                                .map(each -> each.key() + ": " + each.usually()))
                .toList();
        String listed = String.join(", ", settings);
        if (!isKeyed) {
            return "{class: " + name + (settings.isEmpty() ? "" : ", " + listed) + "}";
        } else if (settings.isEmpty()) {
            return name;
        }
        boolean isBeside = components.stream().anyMatch(each -> each.key().equals(name));
        return isBeside ? "{" + listed + "}" : "{" + name + ": {" + listed + "}}";
    }

    private String values(Form form) {
        if (form instanceof ScalarForm scalar) {
            return scalar.values();
        } else if (form instanceof ListForm list) {
            return "a list, each " + values(list.item());
        } else if (form instanceof MapForm map) {
            return "by name, each " + values(map.value());
        } else if (form instanceof KeyedForm keyed) {
            return keyed.bare().map(bare -> values(bare) + ", or ").orElse("") + "a part: " + kind(keyed.type());
        } else if (form instanceof ClassForm named) {
            return "a part: "
                    + String.join(
                            " or ", named.kinds().stream().map(PartIndex::kind).toList());
        } else if (form instanceof RecordForm record) {
            return "keys and values: "
                    + String.join(
                            ", ",
                            record.components().stream().map(Component::key).toList());
        }
        return "one of the keys " + String.join(", ", form.choices(classes));
    }
}
