package hocket.rl.networks;

import static hocket.programs.Operators.concat;
import static hocket.programs.Operators.slice;

import hocket.programs.Value;
import hocket.rl.networks.Mlp.Initialisation;
import hocket.rl.spaces.Box;
import hocket.rl.spaces.Space;
import hocket.scopes.Shape;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.IntStream;

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
        if (hidden.first() < 0 || hidden.last() >= box.width() || hidden.size() == box.width()) {
            throw new IllegalArgumentException("only_critic_sees must have some of the numbers 0 to "
                    + (box.width() - 1) + " of an observation, and not all, was " + unseen);
        }
        int[] seenNumbers =
                IntStream.range(0, box.width()).filter(i -> !hidden.contains(i)).toArray();
        Value[] parts = IntStream.of(seenNumbers)
                .mapToObj(i -> slice(observation, 0, i, i + 1))
                .toArray(Value[]::new);
        Value seen = parts.length == 1 ? parts[0] : concat(0, parts);
        return of.encode(seen, box.arranged(Shape.of(parts.length), i -> seenNumbers[i]), weights);
    }
}
