package hocket.workbench.files.forms;

import static hocket.schedulers.state.StateCodec.argument;
import static hocket.schedulers.state.StateCodec.raw;

import hocket.schedulers.settings.ClassChecks;
import hocket.schedulers.settings.Keyed;
import hocket.schedulers.settings.Keys;
import hocket.schedulers.settings.Setting;
import hocket.schedulers.settings.SettingGroup;
import hocket.schedulers.state.StateCodec;
import hocket.scopes.Shape;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Constructor;
import java.lang.reflect.Parameter;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The forms of types. */
public final class Forms {
    private Forms() {}

    /**
     * Returns the form of a record.
     *
     * @throws IllegalArgumentException if a component has a type without a form, naming it
     */
    public static Form of(Class<? extends Record> type) {
        return made(type);
    }

    static boolean isKeyed(Class<?> type) {
        return type.isAnnotationPresent(Keyed.class);
    }

    /** Returns the form of an interface whose implementations have keys. */
    public static Form keyed(Class<?> type) {
        return new KeyedForm(type);
    }

    /**
     * Returns how a class is constructed: a record by its components, another class by the parameters of its only
     * public constructor.
     *
     * @throws IllegalArgumentException if the class cannot be constructed from a file, saying why
     */
    static RecordForm made(Class<?> type) {
        return made(type, Set.of());
    }

    /** @param open the enclosing types */
    private static RecordForm made(Class<?> type, Set<Class<?>> open) {
        if (open.contains(type)) {
            throw new IllegalArgumentException(
                    "class " + type.getName() + " contains itself, which a file cannot express");
        }
        Set<Class<?>> within = new HashSet<>(open);
        within.add(type);
        ClassChecks.requireMakeable(type);
        if (type.isRecord()) {
            List<Component> components = new ArrayList<>();
            List<Optional<Maker>> groups = new ArrayList<>();
            for (RecordComponent each : type.getRecordComponents()) {
                SettingGroup group = each.getAnnotation(SettingGroup.class);
                RecordForm form = group == null ? null : group(type, each, within);
                groups.add(Optional.ofNullable(form).map(RecordForm::maker));
                components.addAll(
                        form == null
                                ? List.of(component(type, each.getName(), each.getGenericType(), each, within))
                                : form.components(type, group.usually()));
            }
            requireOwnKeys(type, components);
            return new RecordForm(type, new Maker(canonical(type), groups), components);
        }
        Constructor<?>[] constructors = type.getConstructors();
        if (constructors.length != 1) {
            throw new IllegalArgumentException("class " + type.getName() + " has " + constructors.length
                    + " public constructors; a file can name a record, or a class with one");
        }
        List<Component> components = new ArrayList<>();
        for (Parameter each : constructors[0].getParameters()) {
            if (!each.isNamePresent()) {
                throw new IllegalArgumentException("class " + type.getName()
                        + " has a constructor whose parameters lost their names: make it a record, or compile with"
                        + " -parameters");
            }
            components.add(component(type, each.getName(), each.getParameterizedType(), each, within));
        }
        return new RecordForm(type, Maker.of(constructors[0]), components);
    }

    private static RecordForm group(Class<?> owner, RecordComponent component, Set<Class<?>> open) {
        RecordForm form = made(component.getType(), open);
        if (form.maker().groups().stream().anyMatch(Optional::isPresent)) {
            throw new IllegalArgumentException(
                    "class " + owner.getName() + ": the group " + component.getName() + " has a group of its own");
        }
        return form;
    }

    private static void requireOwnKeys(Class<?> type, List<Component> components) {
        Set<String> keys = new HashSet<>();
        for (Component component : components) {
            if (!component.isInline() && !keys.add(component.key())) {
                throw new IllegalArgumentException(
                        "class " + type.getName() + " has two settings with the key " + component.key());
            }
        }
    }

    private static Constructor<?> canonical(Class<?> type) {
        try {
            return StateCodec.canonical(type);
        } catch (NoSuchMethodException e) {
            throw new IllegalStateException("a record has a canonical constructor: " + type, e);
        }
    }

    private static Component component(
            Class<?> owner, String name, Type type, AnnotatedElement element, Set<Class<?>> open) {
        Setting setting = element.getAnnotation(Setting.class);
        boolean isOptional = raw(type) == Optional.class;
        boolean isInline = element.isAnnotationPresent(Inline.class);
        String usually = Component.usually(setting);
        Form form = form(owner, name, isOptional ? argument(type, 0) : type, element, setting, open);
        String help = setting == null ? "" : setting.help();
        if (form instanceof ClassForm) {
            usually = usually == null ? null : "{}"; // the default class with its default settings
        }
        String key = setting == null || setting.name().isEmpty() ? Keys.of(name) : setting.name();
        List<String> former = setting == null ? List.of() : List.of(setting.former());
        return new Component(
                key, former, form, usually, isOptional, isInline, help, element.getAnnotation(AlternativeTo.class));
    }

    private static Form form(
            Class<?> owner,
            String name,
            Type type,
            AnnotatedElement element,
            @Nullable Setting setting,
            Set<Class<?>> open) {
        Class<?> raw = raw(type);
        double least = setting == null ? Double.NEGATIVE_INFINITY : setting.least();
        double most = setting == null ? Double.POSITIVE_INFINITY : setting.most();
        if (ScalarForm.takes(raw)) {
            return new ScalarForm(raw, least, most);
        } else if (raw == Shape.class) {
            return ListForm.shape();
        } else if (raw == List.class) {
            return ListForm.of(form(owner, name, argument(type, 0), element, setting, open));
        } else if (raw == Map.class && raw(argument(type, 0)) == String.class) {
            return new MapForm(form(owner, name, argument(type, 1), element, setting, open));
        } else if (element.isAnnotationPresent(AllowedClasses.class)) {
            return new ClassForm(
                    List.of(element.getAnnotation(AllowedClasses.class).value()), usualClass(setting));
        } else if (isKeyed(raw)) {
            return new KeyedForm(raw);
        } else if (raw.isRecord()) {
            return made(raw, open);
        } else if (raw.isSealed()) {
            return new UnionForm(raw);
        } else if (raw.isInterface()) {
            return new ClassForm(List.of(raw), usualClass(setting));
        }
        throw new IllegalArgumentException("class " + owner.getName() + ": " + name + " is a " + raw.getName()
                + ", which a file cannot hold; it holds numbers, booleans, texts, paths, enums, shapes, lists, maps,"
                + " records and interfaces");
    }

    private static String usualClass(@Nullable Setting setting) {
        String usually = Component.usually(setting);
        return usually == null ? "" : usually;
    }
}
