@NullMarked
package hocket.rl.json;

import org.jspecify.annotations.NullMarked;
