package hocket.settings;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A local array of a {@link Template} whose length is a constant there: its elements are written as variables of their own,
 * and loops that take its elements one after the other are written out.
 */
@Target(ElementType.LOCAL_VARIABLE)
@Retention(RetentionPolicy.SOURCE)
public @interface Registers {}
