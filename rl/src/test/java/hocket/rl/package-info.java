/** Helpers of this module's tests. */
@NullMarked
package hocket.rl;

import org.jspecify.annotations.NullMarked;
