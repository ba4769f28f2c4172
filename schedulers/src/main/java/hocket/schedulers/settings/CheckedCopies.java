package hocket.schedulers.settings;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Validates copies of a package's records whose constructors do not validate. Copy methods are generated for a record
 * {@code Ppo} that implements {@code PpoCopies}, by {@code hocket.settings.CopiesProcessor}.
 */
@Retention(RetentionPolicy.CLASS)
@Target(ElementType.PACKAGE)
public @interface CheckedCopies {
    /** The class with a static method {@code check}, which takes a copy and throws if it is invalid. */
    Class<?> value();
}
