package hocket.schedulers.settings;

import java.lang.reflect.Modifier;

/** Which classes, named by a person, can be made. */
public final class ClassChecks {
    private ClassChecks() {}

    /** @throws IllegalArgumentException if no object of a class can be made from outside of it, saying why */
    public static void requireMakeable(Class<?> type) {
        String name = "class " + type.getName();
        if (type.isInterface()) {
            throw new IllegalArgumentException(name + " is an interface: name one that implements it");
        } else if (Modifier.isAbstract(type.getModifiers())) {
            throw new IllegalArgumentException(name + " is abstract: name one that extends it");
        } else if (!Modifier.isPublic(type.getModifiers())
                || (type.isMemberClass() && !Modifier.isStatic(type.getModifiers()))) {
            throw new IllegalArgumentException(name + " must be public, and static if inside another");
        }
    }
}
