@NullMarked
package hocket.rl.envs.physics;

import org.jspecify.annotations.NullMarked;
