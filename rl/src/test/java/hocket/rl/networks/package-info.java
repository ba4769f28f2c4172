@NullMarked
package hocket.rl.networks;

import org.jspecify.annotations.NullMarked;
