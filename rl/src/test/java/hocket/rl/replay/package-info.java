@NullMarked
package hocket.rl.replay;

import org.jspecify.annotations.NullMarked;
