package hocket.rl.networks;

import static hocket.programs.Operators.concat;
import static hocket.programs.Operators.slice;

import hocket.programs.Value;
import hocket.rl.networks.Mlp.Initialisation;
import hocket.rl.spaces.Box;
import hocket.rl.spaces.Space;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/**
 * Another encoder that reads a part of an observation's numbers: a policy that does not see what its critic sees.
 *
 * @param unseen indices of the numbers that it does not read
 * @param of reads the others, in their order
 */
record PartEncoder(List<Integer> unseen, Encoder of) implements Encoder {
    @Override
    public Value encode(Value observation, Space space, Initialisation weights) {
        if (!(space instanceof Box box) || space.shape().rank() != 1) {
            throw new IllegalArgumentException(
                    "only_critic_sees needs observations that are a list of numbers, these are " + space);
        }
        TreeSet<Integer> hidden = new TreeSet<>(unseen);
        if (hidden.last() >= box.width() || hidden.size() == box.width()) {
            throw new IllegalArgumentException("only_critic_sees must have some of the numbers 0 to "
                    + (box.width() - 1) + " of an observation, and not all, was " + unseen);
        }
        List<Value> parts = new ArrayList<>();
        float[] low = new float[box.width() - hidden.size()];
        float[] high = new float[low.length];
        int kept = 0;
        for (int i = 0; i < box.width(); i++) {
            if (!hidden.contains(i)) {
                parts.add(slice(observation, 0, i, i + 1));
                low[kept] = box.low(i);
                high[kept++] = box.high(i);
            }
        }
        Value seen = parts.size() == 1 ? parts.get(0) : concat(0, parts.toArray(Value[]::new));
        return of.encode(seen, new Box(low, high), weights);
    }
}
