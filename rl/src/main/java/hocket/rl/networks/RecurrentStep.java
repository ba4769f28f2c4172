package hocket.rl.networks;

import static hocket.programs.Operators.reshape;
import static hocket.programs.Operators.slice;

import hocket.programs.Value;
import hocket.programs.layers.Recurrence;

/** A step of recurrent cells as a step of a memory. */
final class RecurrentStep {
    private RecurrentStep() {}

    /** Takes a step of cells {@code memory}, whose first part of the state, h, is the output. */
    static Memory.Step of(Recurrence cells, Value features, Value state) {
        Value next = cells.step("memory", features, state);
        Value h = reshape(slice(next, 1, 0, 1), cells.units());
        return new Memory.Step(h, next);
    }
}
