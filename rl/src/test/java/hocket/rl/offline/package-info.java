@NullMarked
package hocket.rl.offline;

import org.jspecify.annotations.NullMarked;
