package hocket.gan.augmentations;

import static hocket.programs.Operators.concat;
import static hocket.programs.Operators.slice;

import hocket.programs.Value;
import java.util.stream.IntStream;

/** Flips each row along its last axis: images from left to right. */
public record Flip() implements Augmentation {
    /** @throws IllegalArgumentException if rows are scalars */
    @Override
    public Value apply(Value rows) {
        int last = rows.shape().rank() - 1;
        if (last < 0) {
            throw new IllegalArgumentException("flip: rows need an axis to be mirrored along, got " + rows);
        }
        int extent = rows.shape().get(last);
        return concat(
                last,
                IntStream.range(0, extent)
                        .mapToObj(i -> slice(rows, last, extent - 1 - i, extent - i))
                        .toArray(Value[]::new));
    }
}
