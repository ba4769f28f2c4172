package hocket.rl.actors;

import hocket.rl.envs.Pcg64;

/**
 * Balances the pole of {@code CartPole-v1}: pushes right where {@code 0.1 x + 0.25 x' + θ + 0.25 θ'} is above 0, left
 * elsewhere. Proportional and derivative feedback of angle and position; every episode comes to the limit of 500 steps.
 */
public final class CartPoleBalancer implements Expert {
    @Override
    public void act(float[] observation, Pcg64 random, float[] action) {
        double push = 0.1 * observation[0] + 0.25 * observation[1] + observation[2] + 0.25 * observation[3];
        action[0] = push > 0 ? 1 : 0;
    }
}
