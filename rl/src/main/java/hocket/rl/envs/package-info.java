/**
 * Worlds that an agent acts in: environments with typed spaces, their wrappers, vectors of them, and NumPy's generators,
 * so that a seed starts an episode as it does in Gymnasium. Nothing here learns.
 *
 * <pre>{@code
 * VectorEnvironment poles = VectorEnvironment.of(() -> Environments.make("CartPole-v1"), 8, Autoreset.SAME_STEP);
 * poles.listen((environment, ret, length) -> System.out.println(ret));
 * poles.reset(1);
 * while (...) {
 *     // write poles.actions() by poles.observations()
 *     poles.step();
 * }
 * }</pre>
 *
 * <p>A world of one's own extends {@link hocket.rl.envs.Episodic}; {@link hocket.rl.envs.EnvironmentChecker} says
 * whether it keeps to what {@link hocket.rl.envs.Environment} promises.
 */
@NullMarked
package hocket.rl.envs;

import org.jspecify.annotations.NullMarked;
