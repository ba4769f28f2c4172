/** Tests of wrappers. */
@NullMarked
package hocket.rl.envs.wrappers;

import org.jspecify.annotations.NullMarked;
