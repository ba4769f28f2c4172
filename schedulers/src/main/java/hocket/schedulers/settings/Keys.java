package hocket.schedulers.settings;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** The names of records and their components in files, for reading and writing records of any kind. */
public final class Keys {
    private Keys() {}

    /** Returns a Java name's form in files: {@code falls_from} for {@code fallsFrom}. */
    public static String of(String name) {
        return name.replaceAll("([a-z0-9])([A-Z])", "$1_$2").toLowerCase(Locale.ROOT);
    }

    /** Returns the key of a component. */
    public static String of(RecordComponent component) {
        Setting setting = component.getAnnotation(Setting.class);
        return setting == null || setting.name().isEmpty() ? of(component.getName()) : setting.name();
    }

    /** Returns the key of a class among the implementations of a {@link Keyed} interface. */
    public static String of(Class<?> type, Class<?> keyed) {
        Keyed.Name given = type.getAnnotation(Keyed.Name.class);
        if (given != null) {
            return given.value();
        }
        String name = type.getSimpleName();
        String kind = keyed.getSimpleName();
        boolean ends = name.length() > kind.length() && name.endsWith(kind);
        return of(ends ? name.substring(0, name.length() - kind.length()) : name);
    }

    /** Returns the values of a record's components by their keys, in order; none for another object. */
    public static Map<String, Object> values(Object value) {
        Map<String, Object> values = new LinkedHashMap<>();
        if (value instanceof Record) {
            for (RecordComponent component : value.getClass().getRecordComponents()) {
                values.put(of(component), value(value, component));
            }
        }
        return values;
    }

    private static Object value(Object record, RecordComponent component) {
        try {
            component.getAccessor().setAccessible(true);
            return component.getAccessor().invoke(record);
        } catch (ReflectiveOperationException e) {
            throw new IllegalArgumentException(
                    record.getClass().getName() + ": " + component.getName() + " cannot be read: " + e.getMessage(), e);
        }
    }

    /**
     * Returns a copy of a record with another value, made by its canonical constructor.
     *
     * @param key of the component
     * @param value of the component's type; a number is taken as any type of number that can hold it
     * @throws IllegalArgumentException if there is no such component, or the constructor refuses the value
     */
    public static <T> T with(T original, String key, Object value) {
        Class<?> type = original.getClass();
        if (!type.isRecord()) {
            throw new IllegalArgumentException(type.getName() + " is not a record: its " + key + " cannot be changed");
        }
        RecordComponent[] components = type.getRecordComponents();
        Object[] values = new Object[components.length];
        boolean found = false;
        for (int i = 0; i < values.length; i++) {
            boolean isIt = of(components[i]).equals(key);
            values[i] = isIt ? fitting(key, components[i].getType(), value) : value(original, components[i]);
            found |= isIt;
        }
        if (!found) {
            throw new IllegalArgumentException(type.getName() + " has no setting " + key);
        }
        try {
            Constructor<?> made = type.getDeclaredConstructor(
                    Arrays.stream(components).map(RecordComponent::getType).toArray(Class[]::new));
            made.setAccessible(true);
            @SuppressWarnings("unchecked") // it is of the original's class
            T changed = (T) made.newInstance(values);
            return changed;
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof IllegalArgumentException refusal) {
                throw refusal;
            }
            throw new IllegalArgumentException(type.getName() + " could not be made: " + e.getCause(), e);
        } catch (ReflectiveOperationException e) {
            throw new IllegalArgumentException(type.getName() + " could not be made: " + e.getMessage(), e);
        }
    }

    private static Object fitting(String key, Class<?> type, Object value) {
        if (!(value instanceof Number number) || !type.isPrimitive()) {
            return value;
        } else if (type == double.class) {
            return number.doubleValue();
        }
        double real = number.doubleValue();
        if (real != Math.rint(real) || Math.abs(real) > 1L << 53 || (type == int.class && real != (int) real)) {
            throw new IllegalArgumentException(key + ": must be a whole number, was " + value);
        }
        return type == int.class ? (Object) (int) real : (Object) (long) real;
    }
}
