@NullMarked
package hocket.rl.actors;

import org.jspecify.annotations.NullMarked;
