package hocket.gan.networks;

import static hocket.programs.Operators.concat;
import static hocket.programs.Operators.pack;
import static hocket.programs.Operators.slice;

import hocket.gan.parts.Generated;
import hocket.gan.parts.RowCondition;
import hocket.programs.Value;
import hocket.programs.operators.Leaf.Distribution;
import hocket.programs.operators.Leaf.Redraw;
import hocket.scopes.Shape;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/**
 * The packs of rows that the discriminator of a PacGAN scores (Lin et al. 2018, section 3): {@code rows} independent rows,
 * joined along the first axis. With packs of one row, noise, generator and rows are what they are without packing.
 *
 * @param rows of a pack
 * @param latent numbers of noise of a row
 */
record Packing(int rows, int latent) {
    /**
     * Returns the shape of a row.
     *
     * @param column of the packs, for the message
     * @throws IllegalArgumentException if the first axis of a pack is not a multiple of its rows
     */
    Shape row(String column, Shape packed) {
        if (rows == 1) {
            return packed;
        }
        if (packed.rank() == 0 || packed.get(0) % rows != 0) {
            throw new IllegalArgumentException(
                    "pack: is " + rows + ", but the rows of column " + column + ", " + packed + ", are not " + rows
                            + " rows joined along the first axis: set pack: " + rows + " of its feed, too");
        }
        return packed.with(0, packed.get(0) / rows);
    }

    /** Returns the noise of a pack, (rows · latent): that of one row, and of further rows. */
    Value noises(Value noise, Redraw redraw) {
        if (rows == 1) {
            return noise;
        }
        Value[] all = IntStream.rangeClosed(1, rows)
                .mapToObj(i -> i == 1
                        ? noise
                        : noise.graph().noise("noise_" + i, Shape.of(latent), new Distribution.Normal(), redraw))
                .toArray(Value[]::new);
        return concat(0, all);
    }

    /** Returns a generator of packs, which calls that of rows once for each row, with its place in the pack. */
    Function<Value, Generated> generator(BiFunction<Value, Integer, Generated> ofRows) {
        return rows == 1 ? noise -> ofRows.apply(noise, 0) : noises -> packed(noises, ofRows);
    }

    private Generated packed(Value noises, BiFunction<Value, Integer, Generated> ofRows) {
        List<Generated> all = IntStream.range(0, rows)
                .mapToObj(i -> ofRows.apply(slice(noises, 0, i * latent, (i + 1) * latent), i))
                .toList();
        Map<String, Value> heads = new TreeMap<>();
        for (String name : new TreeSet<>(all.get(0).heads().keySet())) {
            heads.put(
                    name,
                    joined(all, each -> Objects.requireNonNull(each.heads().get(name))));
        }
        return new Generated(joined(all, Generated::rows), heads);
    }

    private static Value joined(List<Generated> all, Function<Generated, Value> part) {
        return pack(all.stream().map(part).toArray(Value[]::new));
    }

    /** Applies a function to each row of packs by itself. */
    Value each(Value packed, UnaryOperator<Value> function) {
        if (rows == 1) {
            return function.apply(packed);
        }
        int extent = packed.shape().get(0) / rows;
        return pack(IntStream.range(0, rows)
                .mapToObj(i -> function.apply(slice(packed, 0, i * extent, (i + 1) * extent)))
                .toArray(Value[]::new));
    }

    /** Returns the condition of a row of a pack. */
    RowCondition ofRow(RowCondition condition, int row) {
        return rows == 1 ? condition : condition.ofRow(row);
    }
}
