package hocket.schedulers;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Has the copies of a package's records looked at, where their constructors do not. Copy methods are generated for a record
 * {@code Ppo} that implements {@code PpoCopies}, by {@code hocket.settings.CopiesProcessor}.
 */
@Retention(RetentionPolicy.CLASS)
@Target(ElementType.PACKAGE)
public @interface CheckedCopies {
    /** A class with a static method {@code check}, which takes a copy and throws if it is wrong. */
    Class<?> value();
}
