/** Helpers of this module's tests. */
@NullMarked
package hocket.gan;

import org.jspecify.annotations.NullMarked;
