/** Worlds that an agent acts in: environments with typed spaces, their wrappers, vectors of them, and NumPy's generators, so that a seed starts an episode as it does in Gymnasium. */
@NullMarked
package hocket.rl.envs;

import org.jspecify.annotations.NullMarked;
