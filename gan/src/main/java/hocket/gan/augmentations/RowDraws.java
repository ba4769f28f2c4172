package hocket.gan.augmentations;

import static hocket.programs.Operators.add;
import static hocket.programs.Operators.negate;
import static hocket.programs.Operators.reshape;
import static hocket.programs.Operators.shift;
import static hocket.programs.Operators.step;

import hocket.programs.Value;
import hocket.programs.operators.Leaf.Distribution;
import hocket.programs.operators.Leaf.Redraw;
import hocket.scopes.Shape;

/** Random numbers of which each row has one, and the axes of images. */
final class RowDraws {
    private RowDraws() {}

    /** Draws one number in [0, 1) for each row, with as many axes as the rows: (n, 1, …, 1). */
    static Value uniform(Value rows, String name) {
        Value drawn = rows.graph().noise(name, Shape.scalar(), new Distribution.Uniform(0, 1), Redraw.EACH_TURN);
        return reshape(drawn, Shape.ones(rows.shape().rank()).extents());
    }

    /** Returns {@code floor(u · count)} of u in [0, 1), as a sum of steps: 0, …, count - 1. */
    static Value floor(Value uniform, int count) {
        Value whole = uniform.graph().constant(0);
        for (int k = 1; k < count; k++) {
            whole = add(whole, atLeast(uniform, (double) k / count));
        }
        return whole;
    }

    /** 1 where {@code x >= least}, else 0; no gradient. */
    static Value atLeast(Value x, double least) {
        return shift(negate(step(shift(negate(x), least))), 1);
    }

    /** @throws IllegalArgumentException if rows are not images (channels, height, width) */
    static void requireImages(String key, Value rows) {
        if (rows.shape().rank() != 3) {
            throw new IllegalArgumentException(key + ": needs images (channels, height, width), got " + rows);
        }
    }
}
