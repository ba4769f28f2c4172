package hocket.rl.networks;

import static hocket.programs.Operators.concat;
import static hocket.programs.Operators.slice;

import hocket.programs.Value;
import hocket.rl.networks.Mlp.Initialisation;
import hocket.rl.spaces.Box;
import hocket.rl.spaces.Space;
import hocket.scopes.Shape;
import java.util.ArrayList;
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
        Value[] runs = runs(observation, seenNumbers);
        Value seen = runs.length == 1 ? runs[0] : concat(0, runs);
        return of.encode(seen, box.arranged(Shape.of(seenNumbers.length), i -> seenNumbers[i]), weights);
    }

    /** Slices numbers of an observation, those together that follow one another. */
    private static Value[] runs(Value observation, int[] numbers) {
        List<Value> runs = new ArrayList<>();
        int from = 0;
        for (int i = 1; i <= numbers.length; i++) {
            if (i == numbers.length || numbers[i] != numbers[i - 1] + 1) {
                runs.add(slice(observation, 0, numbers[from], numbers[i - 1] + 1));
                from = i;
            }
        }
        return runs.toArray(Value[]::new);
    }
}
