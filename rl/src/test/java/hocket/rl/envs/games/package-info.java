@NullMarked
package hocket.rl.envs.games;

import org.jspecify.annotations.NullMarked;
