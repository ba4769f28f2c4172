package hocket.rl.networks;

import hocket.programs.Value;
import hocket.programs.layers.Recurrence;
import hocket.schedulers.settings.Setting;
import hocket.scopes.Shape;

/**
 * A layer of gated recurrent units (Cho et al. 2014).
 *
 * @param units number of cells
 */
public record GruMemory(
        @Setting(usually = "64", least = 1, most = 65536, help = "number of cells")
        int units) implements Memory, GruMemoryCopies {
    /** @throws IllegalArgumentException if there is no cell */
    public GruMemory {
        GruMemoryCopies.check(units);
    }

    @Override
    public Shape stateShape() {
        return Recurrence.gru(units).stateShape();
    }

    @Override
    public Step step(Value features, Value state) {
        return RecurrentStep.of(Recurrence.gru(units), features, state);
    }
}
