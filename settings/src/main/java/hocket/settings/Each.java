package hocket.settings;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A parameter of a static method of a {@link Template}: the method is written once for each of its values, and in its own
 * place a switch that calls them. In a copy the value is a constant, and of a {@code switch} over the parameter only one
 * case is left.
 */
@Target(ElementType.PARAMETER)
@Retention(RetentionPolicy.SOURCE)
public @interface Each {
    /** The values of a parameter of type int; one of an enum takes all of its constants. */
    int[] value() default {};
}
