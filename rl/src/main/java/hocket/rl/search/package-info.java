/** Searches for weights without a gradient: they compare the returns of candidates. */
@NullMarked
package hocket.rl.search;

import org.jspecify.annotations.NullMarked;
