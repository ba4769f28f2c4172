package hocket.schedulers.settings;

import java.lang.reflect.Modifier;

/** Checks that classes named by users can be instantiated. */
public final class ClassChecks {
    private ClassChecks() {}

    /** @throws IllegalArgumentException if a class cannot be instantiated from outside, saying why */
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
