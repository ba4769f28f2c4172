package hocket.rl.networks;

import static hocket.programs.Layers.dense;
import static hocket.programs.Layers.layerNorm;
import static hocket.programs.Operators.add;
import static hocket.programs.Operators.concat;
import static hocket.programs.Operators.constantPad;
import static hocket.programs.Operators.reshape;
import static hocket.programs.Operators.slice;
import static hocket.programs.Operators.transpose;

import hocket.programs.Graph;
import hocket.programs.Value;
import hocket.programs.layers.Attention;
import hocket.schedulers.settings.Setting;
import hocket.scopes.Declaration;
import hocket.scopes.Shape;

/**
 * Attention of a step to the last steps of an episode, itself included (Vaswani et al. 2017), with a learned bias for each
 * head and distance in time (Raffel et al. 2020) and a residual connection. A step's entry is normalised (Ba et al. 2016).
 * The state has a row for each step: its key, its value and a 1; rows of zeros before the episode's first step are not
 * seen.
 *
 * @param steps number of steps that are seen
 * @param units of a step's entry, and of the result
 * @param heads of the attention, a divisor of units
 */
public record AttentionMemory(
        @Setting(
                usually = "16",
                least = 2,
                most = 4096,
                help = "number of steps that are seen, the present one included")
        int steps,

        @Setting(usually = "64", least = 1, most = 65536, help = "units of what is kept of a step")
        int units,

        @Setting(usually = "4", least = 1, most = 65536, help = "heads of the attention; divides the units")
        int heads)
        implements Memory, AttentionMemoryCopies {
    /** @throws IllegalArgumentException if a setting is out of its range, or the heads do not divide the units */
    public AttentionMemory {
        AttentionMemoryCopies.check(steps, units, heads);
        if (units % heads != 0) {
            throw new IllegalArgumentException("heads must divide units, " + units + ", was " + heads);
        }
    }

    @Override
    public Shape stateShape() {
        return Shape.of(steps, 2 * units + 1);
    }

    @Override
    public Step step(Value features, Value state) {
        Graph graph = features.graph();
        try (var scope = graph.scope("memory")) {
            Value entry = layerNorm("norm", dense("entry", features, units));
            Value query = reshape(dense("query", entry, units), 1, units);
            Value kept = concat(0, dense("key", entry, units), dense("value", entry, units));
            Value next = concat(0, slice(state, 0, 1, steps), constantPad(reshape(kept, 1, 2 * units), 1, 0, 1));
            Value isSeen = reshape(slice(next, 1, 2 * units, 2 * units + 1), steps);
            Value bias =
                    graph.parameter("bias", (path, type) -> Declaration.zeros(path, Shape.of(heads, 1, steps), type));
            Value keys = byHeads(slice(next, 1, 0, units));
            Value values = byHeads(slice(next, 1, units, 2 * units));
            Value seen = Attention.full().of(byHeads(query), keys, values, bias, isSeen); // (heads, 1, units / heads)
            return new Step(add(entry, dense("output", reshape(seen, units), units)), next);
        }
    }

    /** (T, units) as (heads, T, units / heads). */
    private Value byHeads(Value x) {
        return transpose(reshape(x, x.shape().get(0), heads, units / heads), 1, 0, 2);
    }
}
