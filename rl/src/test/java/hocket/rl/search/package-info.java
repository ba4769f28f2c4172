@NullMarked
package hocket.rl.search;

import org.jspecify.annotations.NullMarked;
