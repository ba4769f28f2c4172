package hocket.settings;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Has the compiler write a class that does the same as this one, unrolled: methods with an {@link Each} parameter in one
 * copy for each of its values, {@link Registers} as local variables. The class itself shows what is computed and is not
 * used; loops over vectors are fast only where they are written out.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.SOURCE)
public @interface Template {
    /** The simple name of the class that is written. */
    String value();
}
