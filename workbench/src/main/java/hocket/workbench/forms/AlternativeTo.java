package hocket.workbench.forms;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Marks a component whose place another key of the same record may take: beside that key it is refused. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface AlternativeTo {
    /** The key that takes its place. */
    String value();

    /** Whether it must be there where the other key is not. */
    boolean needed() default false;
}
