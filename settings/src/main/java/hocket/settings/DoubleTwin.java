package hocket.settings;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Makes the compiler generate the same class for double: {@code Float} in names, the class's own included, becomes
 * {@code Double}, and the type {@code float} becomes {@code double}.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.SOURCE)
public @interface DoubleTwin {}
