package hocket.schedulers.settings;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Describes a component of a record, or a parameter of the only public constructor of a class, that an experiment file
 * names by class. In the file a component {@code fallsFrom} is
 * called {@code falls_from}; it is a whole or real number, a boolean, a text, a {@link java.nio.file.Path}, an enum
 * constant (written {@code each-turn} for {@code EACH_TURN}), a {@link hocket.scopes.Shape}, a list or map of these, or a
 * record of them.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.RECORD_COMPONENT, ElementType.PARAMETER})
public @interface Setting {
    /** The default, written as in a file; without one, the setting must be given. */
    String usually() default REQUIRED;

    /** Its name in files, if that cannot be its name in Java, such as {@code do}; usually empty. */
    String name() default "";

    /** Names that it had in the file before: they are read with a warning, for one release. */
    String[] former() default {};

    /** One line for people; empty where there is nothing to say. */
    String help() default "";

    /** The smallest number that is allowed; of lists and maps, of each. */
    double least() default Double.NEGATIVE_INFINITY;

    /** The largest number that is allowed; of lists and maps, of each. */
    double most() default Double.POSITIVE_INFINITY;

    /** No default. */
    String REQUIRED = "\0";
}
