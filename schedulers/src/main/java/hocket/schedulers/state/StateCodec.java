package hocket.schedulers.state;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Converts records to states and back, to the bit: the memory of schedules, triggers and parts of plans. Such a record
 * holds whole and real numbers, booleans, texts, enum constants, records of these, and lists of these or maps from
 * texts to them; nothing else, since other objects may not be equal after restoring.
 */
public final class StateCodec {
    private StateCodec() {}

    /**
     * Returns a record as a state.
     *
     * @throws IllegalArgumentException if a component holds null or an object that cannot be saved, naming it
     */
    public static State save(Record value) {
        State state = State.empty();
        for (RecordComponent component : value.getClass().getRecordComponents()) {
            Object held = get(component, value);
            state = state.with(component.getName(), saved(where(value.getClass(), component), held));
        }
        return state;
    }

    private static Saved saved(String where, @Nullable Object value) {
        if (value instanceof Boolean truth) {
            return new Saved.Whole(truth ? 1 : 0);
        } else if (value instanceof Character letter) {
            return new Saved.Whole(letter);
        } else if (value instanceof Double || value instanceof Float) {
            return new Saved.Real(((Number) value).doubleValue());
        } else if (value instanceof Number number && whole(number.getClass())) {
            return new Saved.Whole(number.longValue());
        } else if (value instanceof String text) {
            return new Saved.Text(text);
        } else if (value instanceof Enum<?> constant) {
            return new Saved.Text(constant.name());
        } else if (value instanceof Record inner) {
            return save(inner);
        } else if (value instanceof List<?> list) {
            State state = State.empty();
            for (int i = 0; i < list.size(); i++) {
                state = state.with(Integer.toString(i), saved(where, list.get(i)));
            }
            return state;
        } else if (value instanceof Map<?, ?> map) {
            State state = State.empty(); // in its order, which may decide what is computed
            for (Map.Entry<?, ?> entry : map.entrySet()) {
                state = state.with(
                        Integer.toString(state.items().size()),
                        State.empty()
                                .with("key", (String) entry.getKey())
                                .with("value", saved(where, entry.getValue())));
            }
            return state;
        }
        throw new IllegalArgumentException(where + " holds "
                + (value == null ? "null" : "a " + value.getClass().getName())
                + ", which cannot be saved and read back equal");
    }

    /**
     * Returns the saved record.
     *
     * @param like one of its class: components that are declared as any record are of the class that this one holds there
     * @throws IllegalArgumentException if the state is not of that class
     */
    @SuppressWarnings("unchecked") // made of the class of like
    public static <R extends Record> R restore(R like, State state) {
        return (R) record(like.getClass(), like, state);
    }

    private static Object record(Class<?> type, @Nullable Object like, State state) {
        RecordComponent[] components = type.getRecordComponents();
        Object[] values = new Object[components.length];
        int added = 0;
        for (int i = 0; i < components.length; i++) {
            RecordComponent component = components[i];
            Saved saved = state.items().get(component.getName());
            Object there = like == null ? null : get(component, like);
            if (saved == null && there != null && component.isAnnotationPresent(AddedLater.class)) {
                values[i] = there;
                added++;
                continue;
            }
            if (saved == null) {
                throw new IllegalArgumentException(
                        "what was saved for " + type.getName() + " lacks " + component.getName());
            }
            values[i] = restored(where(type, component), component.getGenericType(), there, saved);
        }
        if (state.items().size() > components.length - added) {
            throw new IllegalArgumentException("what was saved for " + type.getName() + " has "
                    + state.items().keySet() + ", it has "
                    + Arrays.stream(components).map(RecordComponent::getName).toList());
        }
        return made(type, values);
    }

    private static Object restored(String where, Type declared, @Nullable Object like, Saved saved) {
        Class<?> type = raw(declared);
        if (like != null && (type == Record.class || declared instanceof java.lang.reflect.TypeVariable)) {
            type = like.getClass();
        }
        if (type.isRecord() && saved instanceof State inner) {
            return record(type, like, inner);
        } else if (type == List.class && saved instanceof State items) {
            List<Object> list = new ArrayList<>();
            List<?> models = like instanceof List<?> given ? given : List.of();
            for (int i = 0; i < items.items().size(); i++) {
                Saved item = Objects.requireNonNull(items.items().get(Integer.toString(i)));
                list.add(restored(where, argument(declared, 0), i < models.size() ? models.get(i) : null, item));
            }
            return List.copyOf(list);
        } else if (type == Map.class && saved instanceof State items) {
            Map<String, Object> map = new LinkedHashMap<>();
            for (int i = 0; i < items.items().size(); i++) {
                State entry = items.state(Integer.toString(i));
                Saved value = Objects.requireNonNull(entry.items().get("value"));
                map.put(entry.text("key"), restored(where, argument(declared, 1), null, value));
            }
            return map;
        } else if (type.isEnum() && saved instanceof Saved.Text name) {
            for (Object constant : type.getEnumConstants()) {
                if (((Enum<?>) constant).name().equals(name.value())) {
                    return constant;
                }
            }
        } else if (saved instanceof Saved.Text text && type == String.class) {
            return text.value();
        } else if (saved instanceof Saved.Real real) {
            if (type == double.class || type == Double.class) {
                return real.value();
            } else if (type == float.class || type == Float.class) {
                return (float) real.value();
            }
        } else if (saved instanceof Saved.Whole number) {
            Object value = whole(type, number.value());
            if (value != null) {
                return value;
            }
        }
        throw new IllegalArgumentException(where + " is a " + type.getName() + ", which " + saved + " does not fit");
    }

    private static @Nullable Object whole(Class<?> type, long value) {
        if (type == long.class || type == Long.class) {
            return value;
        } else if (type == int.class || type == Integer.class) {
            return Math.toIntExact(value);
        } else if (type == boolean.class || type == Boolean.class) {
            return value != 0;
        } else if (type == short.class || type == Short.class) {
            return (short) value;
        } else if (type == byte.class || type == Byte.class) {
            return (byte) value;
        }
        return type == char.class || type == Character.class ? (char) value : null;
    }

    private static boolean whole(Class<?> type) {
        return type == Long.class || type == Integer.class || type == Short.class || type == Byte.class;
    }

    /**
     * Checks that a memory can be saved and restored at any time: its current value, and by types any later one.
     *
     * @param whose name of the owner, for the message: {@code schedule my.Balance}
     * @throws IllegalArgumentException if not, naming the component, its type and the allowed types
     */
    public static void requireSaved(String whose, Record start) {
        Record back;
        try {
            requireTypes(start.getClass(), start, new HashSet<>());
            back = restore(start, save(start));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(whose + " cannot be saved: " + e.getMessage(), e);
        }
        if (!back.equals(start)) {
            throw new IllegalArgumentException(
                    whose + " cannot be saved: " + start + " comes back as " + back + ", which is not equal to it");
        }
    }

    private static void requireTypes(Class<?> type, @Nullable Object like, Set<Class<?>> open) {
        if (!open.add(type)) {
            return;
        }
        for (RecordComponent component : type.getRecordComponents()) {
            Object held = like == null ? null : get(component, like);
            requireType(where(type, component), component.getGenericType(), held, open);
        }
    }

    private static void requireType(String where, Type declared, @Nullable Object like, Set<Class<?>> open) {
        Class<?> type = raw(declared);
        if (like instanceof Record && (type == Record.class || declared instanceof java.lang.reflect.TypeVariable)) {
            requireTypes(like.getClass(), like, open);
        } else if (type.isRecord()) {
            requireTypes(type, like, open);
        } else if (type == List.class) {
            List<?> models = like instanceof List<?> given ? given : List.of();
            Type item = argument(declared, 0);
            if (item == Record.class) {
                models.forEach(model -> requireType(where, item, model, open));
            } else {
                requireType(where, item, models.isEmpty() ? null : models.get(0), open);
            }
        } else if (type == Map.class && raw(argument(declared, 0)) == String.class) {
            requireType(where, argument(declared, 1), null, open);
        } else if (!(type == String.class
                || type.isEnum()
                || type == double.class
                || type == Double.class
                || type == float.class
                || type == Float.class
                || whole(type, 0) != null)) {
            throw new IllegalArgumentException(where + " is a " + type.getName()
                    + ", which may not come back equal; it may hold numbers, booleans, texts, enums, records,"
                    + " and lists or maps of them");
        }
    }

    private static String where(Class<?> type, RecordComponent component) {
        return type.getName() + "." + component.getName();
    }

    private static @Nullable Object get(RecordComponent component, Object of) {
        try {
            component.getAccessor().setAccessible(true);
            return component.getAccessor().invoke(of);
        } catch (ReflectiveOperationException e) {
            throw new IllegalArgumentException(where(of.getClass(), component) + " cannot be read", e);
        }
    }

    private static Object made(Class<?> type, Object[] values) {
        try {
            return canonical(type).newInstance(values);
        } catch (InvocationTargetException e) {
            throw new IllegalArgumentException(
                    type.getName() + " does not take what was saved: " + e.getCause(), e.getCause());
        } catch (ReflectiveOperationException e) {
            throw new IllegalArgumentException(type.getName() + " cannot be restored", e);
        }
    }

    /** The canonical constructor of a record, which need not be public. */
    public static Constructor<?> canonical(Class<?> type) throws NoSuchMethodException {
        Constructor<?> constructor = type.getDeclaredConstructor(Arrays.stream(type.getRecordComponents())
                .map(RecordComponent::getType)
                .toArray(Class[]::new));
        constructor.setAccessible(true);
        return constructor;
    }

    /** The class of a type: of a generic one that without its arguments. */
    public static Class<?> raw(Type type) {
        return type instanceof ParameterizedType parameterized
                ? (Class<?>) parameterized.getRawType()
                : type instanceof Class<?> plain ? plain : Object.class;
    }

    /** An argument of a generic type; {@link Object} where it has none. */
    public static Type argument(Type type, int index) {
        return type instanceof ParameterizedType parameterized
                ? parameterized.getActualTypeArguments()[index]
                : Object.class;
    }
}
