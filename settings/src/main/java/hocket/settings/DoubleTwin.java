package hocket.settings;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Has the compiler write the same class for double: {@code Float} in names becomes {@code Double}, the class's own name
 * included, and the type {@code float} becomes {@code double}. What is double already stays so.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.SOURCE)
public @interface DoubleTwin {}
