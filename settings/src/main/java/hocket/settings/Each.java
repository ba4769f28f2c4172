package hocket.settings;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a parameter of a static method of a {@link Template}: the method is copied for each value of the parameter, and
 * replaced by a switch that calls the copies. In a copy the value is a constant, and a {@code switch} over it has only
 * one case.
 */
@Target(ElementType.PARAMETER)
@Retention(RetentionPolicy.SOURCE)
public @interface Each {
    /** Returns the values of a parameter of type int; an enum parameter takes all constants. */
    int[] value() default {};
}
