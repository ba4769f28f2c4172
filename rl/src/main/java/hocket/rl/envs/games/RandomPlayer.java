package hocket.rl.envs.games;

import hocket.rl.envs.AllowedActions;
import hocket.rl.random.Pcg64;
import hocket.rl.spaces.Space;

/** Takes actions at random, of those that are allowed. */
public final class RandomPlayer implements GamePlayer {
    private float[] mask = {};

    @Override
    public void choose(MultiAgentEnvironment game, int agent, Pcg64 random, float[] action) {
        Space space = game.actions(agent);
        int width = game.masks() ? space.maskWidth() : 0;
        if (mask.length != width) {
            mask = new float[width];
        }
        if (width > 0) {
            game.mask(agent, mask, 0);
        }
        AllowedActions.sample(space, mask, random, action);
    }
}
