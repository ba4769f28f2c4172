package hocket.rl.actors;

import hocket.rl.envs.Discrete;
import hocket.rl.envs.Environment;
import hocket.rl.envs.Pcg64;
import hocket.rl.envs.Space;

/**
 * Balances the pole of {@code CartPole-v1}: pushes right where {@code 0.1 x + 0.25 x' + θ + 0.25 θ'} is above 0, left
 * elsewhere. Proportional and derivative feedback of angle and position; every episode comes to the limit of 500 steps.
 */
public final class CartPoleBalancer implements Expert {
    /** Numbers of an observation: position and angle, each with its velocity. */
    private static final int NUMBERS = 4;

    private static final Discrete PUSHES = new Discrete(2);

    /** @throws IllegalArgumentException if an observation has not 4 numbers, or an action is not one of two */
    @Override
    public void require(Environment environment) {
        Space observations = environment.observations();
        Space actions = environment.actions();
        if (observations.width() != NUMBERS || !actions.equals(PUSHES)) {
            throw new IllegalArgumentException("expert CartPoleBalancer: needs the " + NUMBERS
                    + " numbers that CartPole-v1 gives and actions of " + PUSHES + ", " + environment.name() + " gives "
                    + observations.width() + (observations.width() == 1 ? " number" : " numbers")
                    + " and takes actions of "
                    + actions);
        }
    }

    @Override
    public void act(float[] observation, Pcg64 random, float[] action) {
        double push = 0.1 * observation[0] + 0.25 * observation[1] + observation[2] + 0.25 * observation[3];
        action[0] = push > 0 ? 1 : 0;
    }
}
