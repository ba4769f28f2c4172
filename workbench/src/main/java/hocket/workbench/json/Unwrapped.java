package hocket.workbench.json;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Writes the keys of a record's part beside those of the record itself: a record with many components can be made of parts, and
 * its JSON stays flat. Of a map, the same for its keys, which are written last and not read back.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.FIELD, ElementType.METHOD, ElementType.PARAMETER})
public @interface Unwrapped {}
