/**
 * Environments that an agent acts in: the interfaces, their vectors, the registry {@link hocket.rl.envs.Environments}
 * and the checks. The environments themselves and their wrappers are in packages below; spaces and NumPy's generators
 * are in sibling packages. Nothing here learns.
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
 * <p>An environment of your own extends {@link hocket.rl.envs.EpisodicEnvironment}; {@link
 * hocket.rl.envs.EnvironmentChecker} checks that it keeps the promises of {@link hocket.rl.envs.Environment}.
 */
@NullMarked
package hocket.rl.envs;

import org.jspecify.annotations.NullMarked;
