package hocket.schedulers.settings;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks an interface whose implementations files name by a key: {@code {adam: {rate: 2e-4}}}. The key is the name of a
 * public record that {@code META-INF/hocket/classes} lists, in small letters with {@code _} between words, less the
 * interface's own name at its end: {@code linear} for a {@code LinearRate} that is a {@code Rate}; {@link Name} gives
 * another. If a component has the name of the record, its settings are next to it: {@code {repeat: 5, of: d}}. A record
 * whose settings all have defaults may be written as its key alone, {@code loss: hinge}, unless {@link #plain} takes bare
 * values. Any other class is named by {@code {class: my.Own, …}}.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface Keyed {
    /** The record with one component that a bare value can replace; {@code Record} where there is none. */
    Class<? extends Record> plain() default Record.class;

    /** The record with a list as its only component that a list can replace; {@code Record} where there is none. */
    Class<? extends Record> list() default Record.class;

    /** The key of a record, where that is not its name. */
    @Retention(RetentionPolicy.RUNTIME)
    @Target(ElementType.TYPE)
    @interface Name {
        String value();

        /** Keys that it had before: they are read with a warning, for one release. */
        String[] former() default {};
    }
}
