package hocket.workbench.files.forms;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Marks a component that another key of the same record can replace: with that key it is rejected. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface AlternativeTo {
    /** Returns the key that replaces it. */
    String value();

    /** Returns whether it is required without the other key. */
    boolean needed() default false;
}
