package hocket.schedulers.state;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a component of a saved record that earlier versions of its class lacked: from what they saved, {@link StateCodec}
 * restores it as it is at the start.
 *
 * <p>For example:
 *
 * <pre>{@code
 * record Waited(double best, int looks, @AddedLater long reports) {}
 * }</pre>
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface AddedLater {}
