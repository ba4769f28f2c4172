package hocket.rl.networks;

import hocket.programs.Value;
import hocket.programs.layers.Recurrence;
import hocket.schedulers.settings.Setting;
import hocket.scopes.Shape;

/**
 * A layer of long short-term memory cells (Hochreiter and Schmidhuber 1997).
 *
 * @param units number of cells
 */
public record LstmMemory(
        @Setting(usually = "64", least = 1, most = 65536, help = "number of cells")
        int units) implements Memory, LstmMemoryCopies {
    /** @throws IllegalArgumentException if there is no cell */
    public LstmMemory {
        LstmMemoryCopies.check(units);
    }

    @Override
    public Shape stateShape() {
        return Recurrence.lstm(units).stateShape();
    }

    @Override
    public Step step(Value features, Value state) {
        return RecurrentStep.of(Recurrence.lstm(units), features, state);
    }
}
