package hocket.workbench.files.json;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Writes the keys of a record's part next to those of the record: a record with many components can have parts, and its
 * JSON stays flat. The keys of a map are written last and not read back.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.FIELD, ElementType.METHOD, ElementType.PARAMETER})
public @interface Unwrapped {}
