@NullMarked
package hocket.rl.algorithms;

import org.jspecify.annotations.NullMarked;
