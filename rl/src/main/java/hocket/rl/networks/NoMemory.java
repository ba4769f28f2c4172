package hocket.rl.networks;

import hocket.programs.Value;
import hocket.schedulers.settings.Keyed;
import hocket.scopes.Shape;

/** No memory; in a file {@code memory: none}. Its state, (1), stays 0. */
@Keyed.Name("none")
public record NoMemory() implements Memory {
    @Override
    public Shape stateShape() {
        return Shape.of(1);
    }

    @Override
    public Step step(Value features, Value state) {
        return new Step(features, state);
    }

    @Override
    public boolean remembers() {
        return false;
    }
}
