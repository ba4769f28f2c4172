package hocket.rl.networks;

import static hocket.programs.Operators.multiply;
import static hocket.programs.Operators.negate;
import static hocket.programs.Operators.shift;

import hocket.programs.Value;
import hocket.programs.layers.Scan;
import java.util.List;

/**
 * The layers of a network with a memory: an encoder, the memory, then dense layers. It is built for one step, whose state
 * comes from the step before, or for the steps of a sequence, one after the other from the state before the first.
 *
 * @param body its encoder and dense layers
 * @param memory between both
 */
public record RecurrentBody(NetworkBody body, Memory memory) {
    /**
     * The input of a network, of one step or of T steps.
     *
     * @param observation of the space's shape, or (T, …)
     * @param start 1 in the first step of an episode, else 0, () or (T)
     * @param state of the memory before the step, or before the first one
     */
    public record Seen(Value observation, Value start, Value state) {}

    /**
     * The output of a network.
     *
     * @param output of a step, or of T steps
     * @param state after the last step
     */
    public record Output<T>(T output, Value state) {}

    /** Builds encoder and memory in the open scope; an episode starts from a state of zeros. */
    public Memory.Step features(Seen seen) {
        return seen.start().shape().rank() == 1 ? sequence(seen) : step(seen);
    }

    private Memory.Step step(Seen seen) {
        return memory.step(body.features(seen.observation()), before(seen.state(), seen.start()));
    }

    /** Returns the state before a step, zeros where an episode starts. */
    public static Value before(Value state, Value start) {
        return multiply(state, shift(negate(start), 1));
    }

    private Memory.Step sequence(Seen seen) {
        Scan.Steps steps =
                Scan.over(List.of(seen.observation(), seen.start()), List.of(seen.state()), (each, before) -> {
                    Memory.Step next = step(new Seen(each.get(0), each.get(1), before.get(0)));
                    return new Scan.Next(List.of(next.state()), List.of(next.features()));
                });
        return new Memory.Step(steps.outputs().get(0), steps.state().get(0));
    }
}
