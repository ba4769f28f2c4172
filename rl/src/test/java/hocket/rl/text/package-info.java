@NullMarked
package hocket.rl.text;

import org.jspecify.annotations.NullMarked;
