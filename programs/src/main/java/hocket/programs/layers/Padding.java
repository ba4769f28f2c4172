package hocket.programs.layers;

import static hocket.programs.Operators.concat;
import static hocket.programs.Operators.reshape;
import static hocket.programs.Operators.slice;
import static hocket.programs.Operators.spread;

import hocket.programs.Value;
import hocket.programs.operators.Arrangement;
import hocket.scopes.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** The rule for places outside an image: PyTorch's {@code padding_mode}. A negative number of places crops. */
public enum Padding {
    /** Zeros. */
    ZEROS,
    /** The image mirrored at its border, which is not repeated: at most n - 1 of n places. */
    REFLECT,
    /** The border, repeated. */
    REPLICATE,
    /** The image from its other end: at most n of n places. */
    CIRCULAR;

    /**
     * Pads the last axes.
     *
     * @param sides places before and after, of the last axis first; or one number for all axes but the first
     * @throws IllegalArgumentException if the numbers do not fit the axes, or an axis is too short
     */
    public Value of(Value x, int... sides) {
        return of(name().toLowerCase(Locale.ROOT) + " padding", x, sides);
    }

    /** Pads the last axes; messages begin with this name. */
    public Value of(String name, Value x, int... sides) {
        return padded(name, x, 0, sides);
    }

    /** Pads the last axes by one number. */
    public static Value constant(Value x, double number, int... sides) {
        return ZEROS.padded("constant padding", x, number, sides);
    }

    private Value padded(String name, Value x, double number, int... sides) {
        int rank = x.shape().rank();
        int[] all = sides;
        if (sides.length == 1 && rank > 1) {
            all = new int[2 * (rank - 1)];
            Arrays.fill(all, sides[0]);
        }
        if (all.length == 0 || all.length % 2 != 0 || all.length > 2 * rank) {
            throw new IllegalArgumentException(name
                    + ": needs one number for all sides, or two for each of the last axes (left, right, top, bottom),"
                    + " got " + Arrays.toString(sides) + " for " + x);
        }
        Value padded = x;
        for (int i = 0; i < all.length; i += 2) {
            padded = along(name, padded, rank - 1 - i / 2, all[i], all[i + 1], number);
        }
        return padded;
    }

    private Value along(String name, Value x, int axis, int before, int after, double number) {
        int extent = x.shape().get(axis);
        int begin = Math.max(0, -before);
        int end = extent - Math.max(0, -after);
        if (before > most(extent) || after > most(extent) || begin >= end) {
            throw new IllegalArgumentException(name + ": axis " + axis + " has " + extent
                    + (begin >= end ? " places, of which one must stay" : " places, at most " + most(extent) + " fit")
                    + ", got " + before + " before and " + after + " after " + x);
        }
        Value kept = begin == 0 && end == extent ? x : slice(x, axis, begin, end);
        if (before <= 0 && after <= 0) {
            return kept;
        }
        if (this == ZEROS && number == 0) {
            return x.graph().numbered(new Arrangement.Pad(axis, Math.max(0, before), Math.max(0, after)), kept);
        }
        List<Value> parts = new ArrayList<>();
        if (before > 0) {
            parts.addAll(before(x, axis, before, number));
        }
        parts.add(kept);
        if (after > 0) {
            parts.addAll(after(x, axis, after, number));
        }
        return concat(axis, parts.toArray(new Value[0]));
    }

    /** The number of places that a side of an axis may have. */
    private int most(int extent) {
        return switch (this) {
            case REFLECT -> extent - 1;
            case CIRCULAR -> extent;
            case ZEROS, REPLICATE -> Integer.MAX_VALUE;
        };
    }

    private List<Value> before(Value x, int axis, int places, double number) {
        int extent = x.shape().get(axis);
        return switch (this) {
            case ZEROS -> List.of(filled(x, axis, places, number));
            case REPLICATE -> List.of(repeated(slice(x, axis, 0, 1), axis, places));
            case CIRCULAR -> List.of(slice(x, axis, extent - places, extent));
            case REFLECT -> mirrored(x, axis, places, 1);
        };
    }

    private List<Value> after(Value x, int axis, int places, double number) {
        int extent = x.shape().get(axis);
        return switch (this) {
            case ZEROS -> List.of(filled(x, axis, places, number));
            case REPLICATE -> List.of(repeated(slice(x, axis, extent - 1, extent), axis, places));
            case CIRCULAR -> List.of(slice(x, axis, 0, places));
            case REFLECT -> mirrored(x, axis, places, extent - 1 - places);
        };
    }

    /** The places from one on, in reverse order. */
    private static List<Value> mirrored(Value x, int axis, int places, int from) {
        List<Value> mirrored = new ArrayList<>();
        for (int place = from + places - 1; place >= from; place--) {
            mirrored.add(slice(x, axis, place, place + 1));
        }
        return mirrored;
    }

    private static Value repeated(Value border, int axis, int places) {
        return spread(border, border.shape().with(axis, places).extents());
    }

    private static Value filled(Value x, int axis, int places, double number) {
        Shape shape = x.shape().with(axis, places);
        Value one = reshape(x.graph().constant(number), Shape.ones(shape.rank()).extents());
        return x.graph().numbered(new Arrangement.Spread(shape, x.batched(), false), one);
    }
}
