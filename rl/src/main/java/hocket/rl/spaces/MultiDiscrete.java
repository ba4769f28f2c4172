package hocket.rl.spaces;

import hocket.rl.random.Pcg64;
import hocket.scopes.ElementType;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The space of arrays of whole numbers, each from 0 to below its own count. Blackjack's observations are of this space
 * (a {@code Tuple} in Gymnasium).
 *
 * @param counts the number of values of each element
 */
public record MultiDiscrete(List<Integer> counts) implements Space {
    /** @throws IllegalArgumentException if counts is empty, or a count is below 1 */
    public MultiDiscrete {
        counts = List.copyOf(counts);
        if (counts.isEmpty()) {
            throw new IllegalArgumentException("a multi-discrete space must have at least 1 number, had none");
        }
        counts.forEach(Discrete::new);
    }

    /** Makes a space of these counts. */
    public static MultiDiscrete of(Integer... counts) {
        return new MultiDiscrete(List.of(counts));
    }

    @Override
    public int width() {
        return counts.size();
    }

    @Override
    public int maskWidth() {
        return counts.stream().mapToInt(Integer::intValue).sum();
    }

    @Override
    public ElementType type() {
        return ElementType.INT64;
    }

    @Override
    public void sample(Pcg64 random, float[] into, int at) {
        for (int i = 0; i < counts.size(); i++) {
            into[at + i] = (int) (random.random() * counts.get(i));
        }
    }

    @Override
    public boolean contains(float[] values, int at) {
        for (int i = 0; i < counts.size(); i++) {
            int value = (int) values[at + i];
            if (value != values[at + i] || value < 0 || value >= counts.get(i)) {
                return false;
            }
        }
        return true;
    }

    /** For example {@code MultiDiscrete(32, 11, 2)}. */
    @Override
    public String toString() {
        return counts.stream().map(String::valueOf).collect(Collectors.joining(", ", "MultiDiscrete(", ")"));
    }
}
