package hocket.workbench.files.forms;

import java.lang.reflect.Constructor;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/**
 * Makes an object of the values of its components.
 *
 * @param groups for each parameter, the maker of a group of settings, whose components are among the object's
 */
record Maker(Constructor<?> constructor, List<Optional<Maker>> groups) {
    /** The maker of a class without groups. */
    static Maker of(Constructor<?> constructor) {
        return new Maker(constructor, Collections.nCopies(constructor.getParameterCount(), Optional.empty()));
    }

    /** @param values of the components in order, those of a group in its place */
    Object make(Iterator<Object> values) throws ReflectiveOperationException {
        Object[] arguments = new Object[groups.size()];
        for (int i = 0; i < arguments.length; i++) {
            Optional<Maker> group = groups.get(i);
            arguments[i] = group.isPresent() ? group.get().make(values) : values.next();
        }
        return constructor.newInstance(arguments);
    }
}
