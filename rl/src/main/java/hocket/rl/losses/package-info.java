/** What actors and critics descend: pure functions of values, each with its equation and source. */
@NullMarked
package hocket.rl.losses;

import org.jspecify.annotations.NullMarked;
