package hocket.rl.networks;

import static hocket.programs.Operators.flatten;

import hocket.programs.Value;
import hocket.rl.spaces.Space;

/** No layers: the numbers of the observation themselves. */
public record FlatEncoder() implements Encoder {
    @Override
    public Value encode(Value observation, Space space, Mlp.Initialisation weights) {
        return observation.shape().rank() == 1 ? observation : flatten(observation);
    }
}
