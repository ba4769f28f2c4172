package hocket.rl.algorithms;

import java.lang.reflect.RecordComponent;

/** Copies of records of many settings with another value of one. */
final class Copy {
    private Copy() {}

    /**
     * The record with another value of a component.
     *
     * @throws IllegalArgumentException if a setting of it is outside its bounds
     */
    static <R extends Record> R with(R record, String component, Object value) {
        RecordComponent[] components = record.getClass().getRecordComponents();
        Class<?>[] types = new Class<?>[components.length];
        Object[] values = new Object[components.length];
        boolean found = false;
        try {
            for (int i = 0; i < components.length; i++) {
                types[i] = components[i].getType();
                boolean other = components[i].getName().equals(component);
                values[i] = other ? value : components[i].getAccessor().invoke(record);
                found |= other;
            }
            if (!found) {
                throw new IllegalArgumentException(record.getClass().getName() + " has no component " + component);
            }
            @SuppressWarnings("unchecked") // of the record's own class
            Class<R> type = (Class<R>) record.getClass();
            R copy = type.getDeclaredConstructor(types).newInstance(values);
            Settings.check(copy);
            return copy;
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(record.getClass().getName() + " cannot be copied: " + e.getMessage(), e);
        }
    }
}
