/** Bookkeeping over rollouts in flat arrays: returns, advantages, running statistics. Nothing here trains. */
@NullMarked
package hocket.rl.returns;

import org.jspecify.annotations.NullMarked;
