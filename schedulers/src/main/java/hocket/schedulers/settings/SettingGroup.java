package hocket.schedulers.settings;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Describes a component of a record that is itself a record of {@link Setting}s, the keys of which are among the
 * enclosing record's own. So several records share settings. A group has no group of its own.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface SettingGroup {
    /** Other defaults than those of the group, as {@code key: value}, written as in a file. */
    String[] usually() default {};
}
