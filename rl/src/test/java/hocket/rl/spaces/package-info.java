@NullMarked
package hocket.rl.spaces;

import org.jspecify.annotations.NullMarked;
