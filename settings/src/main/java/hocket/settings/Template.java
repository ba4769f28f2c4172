package hocket.settings;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Makes the compiler generate an unrolled version of this class: a copy of each method with an {@link Each} parameter
 * for each value, and local variables for {@link Registers}. Loops over vectors are fast only if unrolled; the class
 * itself is documentation and is not used.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.SOURCE)
public @interface Template {
    /** Returns the simple name of the generated class. */
    String value();
}
