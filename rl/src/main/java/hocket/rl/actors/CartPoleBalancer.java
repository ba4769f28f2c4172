package hocket.rl.actors;

import hocket.rl.envs.Environment;
import hocket.rl.random.Pcg64;
import hocket.rl.spaces.Discrete;
import hocket.rl.spaces.Space;

/**
 * A scripted expert for {@code CartPole-v1}: pushes right where {@code 0.1 x + 0.25 x' + θ + 0.25 θ'} is above 0, left
 * elsewhere. This is proportional and derivative feedback of angle and position; every episode reaches the limit of 500
 * steps.
 */
public final class CartPoleBalancer implements Expert {
    /** The numbers of an observation: position and angle, each with its velocity. */
    private static final int NUMBERS = 4;

    private static final Discrete PUSHES = new Discrete(2);

    /** @throws IllegalArgumentException if observations do not have 4 numbers, or there are not two actions */
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
