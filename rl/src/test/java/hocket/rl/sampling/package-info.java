@NullMarked
package hocket.rl.sampling;

import org.jspecify.annotations.NullMarked;
