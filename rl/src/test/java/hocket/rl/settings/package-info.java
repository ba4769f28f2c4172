@NullMarked
package hocket.rl.settings;

import org.jspecify.annotations.NullMarked;
