package hocket.programs.mxnet;

import static hocket.programs.mxnet.Idioms.cast;
import static hocket.programs.mxnet.Idioms.input;
import static hocket.programs.mxnet.Idioms.reshape;
import static hocket.programs.mxnet.Idioms.scaled;
import static hocket.programs.mxnet.Idioms.text;

import hocket.programs.Mode;
import hocket.programs.Value;
import hocket.programs.mxnet.SymbolJson.Ref;
import hocket.programs.operators.Elementwise;
import hocket.scopes.ElementType;
import hocket.scopes.Shape;
import java.util.Locale;
import java.util.Map;

/** The translation of {@link Elementwise} operators to the engine's. */
final class ElementwiseRules {
    /** The most axes along which the engine repeats. */
    private static final int MOST_RUNS = 5;

    private ElementwiseRules() {}

    static Ref unary(MxSymbolWriter to, Value v, Elementwise.Unary operator) {
        String name = operator.function().name().toLowerCase(Locale.ROOT);
        // The engine's plain operators tanh and sigmoid are several times slower than its activations.
        return switch (operator.function()) {
            case TANH, SIGMOID -> activation(to, v, name);
            case RELU -> to.operator("relu", v, "", input(to, v, 0)); // the activation makes 0 of NaN
            case SOFTPLUS -> softplus(to, v);
            case NEGATE -> to.operator("negative", v, "", input(to, v, 0));
            case STEP -> to.operator("_greater_scalar", v, "", Map.of("scalar", "0"), input(to, v, 0));
            case ERF -> erf(to, v);
            case SIGN -> sign(to, v);
            case EXP, LOG, SQRT, SQUARE, ABS, SIN, COS -> to.operator(name, v, "", input(to, v, 0));
        };
    }

    /** The engine's own makes 0 of NaN. */
    private static Ref sign(MxSymbolWriter to, Value v) {
        Ref x = input(to, v, 0);
        return to.operator(
                "where",
                v,
                "",
                to.operator("broadcast_equal", v, "number", x, x),
                to.operator("sign", v, "plain", x),
                x);
    }

    /**
     * {@code max(x, 0) + log1p(exp(-|x|))}: the engine's own rounds to 0, or below, where it is small. Uses the mean of
     * the rectifier's two slopes at 0, since the rest has none there.
     */
    private static Ref softplus(MxSymbolWriter to, Value v) {
        Ref x = input(to, v, 0);
        Ref above = scaled(to, v, "above", 0.5, positive(to, v));
        Ref from = scaled(to, v, "from", 0.5, to.operator("_maximum_scalar", v, "raised", Map.of("scalar", "0"), x));
        Ref size = to.operator("abs", v, "size", x);
        Ref power = to.operator("exp", v, "power", scaled(to, v, "less", -1, size));
        Ref rest = to.operator("log1p", v, "rest", power);
        Ref straight = to.operator("elemwise_add", v, "straight", above, from);
        return to.operator("elemwise_add", v, "", straight, rest);
    }

    /** The engine's own gradient has π and its root in float32, whatever the type: it is put right by the ratio. */
    private static Ref erf(MxSymbolWriter to, Value v) {
        if (v.type() == ElementType.FLOAT32) {
            return to.operator("erf", v, "", input(to, v, 0));
        }
        Ref erf = to.operator("erf", v, "plain", input(to, v, 0));
        double ratio = (float) Math.sqrt((float) Math.PI) / Math.sqrt(Math.PI);
        Ref held = to.operator("BlockGrad", v, "held", erf);
        return to.operator(
                "elemwise_add", v, "", scaled(to, v, "moving", ratio, erf), scaled(to, v, "rest", 1 - ratio, held));
    }

    private static Ref activation(MxSymbolWriter to, Value v, String type) {
        return to.operator("Activation", v, "", Map.of("act_type", type), input(to, v, 0));
    }

    static Ref leakyRelu(MxSymbolWriter to, Value v, Elementwise.LeakyRelu operator) {
        if (v.type() == ElementType.FLOAT32) {
            Map<String, String> leaky = Map.of("act_type", "leaky", "slope", Double.toString(operator.slope()));
            return to.operator("LeakyReLU", v, "", leaky, input(to, v, 0));
        }
        // LeakyReLU computes in float32 inside, whatever the type.
        return to.operator(
                "elemwise_add", v, "", positive(to, v), scaled(to, v, "sloped", operator.slope(), negative(to, v)));
    }

    private static Ref positive(MxSymbolWriter to, Value v) {
        return to.operator("relu", v, "positive", input(to, v, 0));
    }

    /** {@code min(x, 0)}, through which the gradient at 0 flows, as it does not through {@link #positive}. */
    private static Ref negative(MxSymbolWriter to, Value v) {
        return to.operator("_minimum_scalar", v, "negative", Map.of("scalar", "0"), input(to, v, 0));
    }

    static Ref elu(MxSymbolWriter to, Value v, Elementwise.Elu operator) {
        if (v.type() == ElementType.FLOAT32) {
            Map<String, String> elu = Map.of("act_type", "elu", "slope", Double.toString(operator.alpha()));
            return to.operator("LeakyReLU", v, "", elu, input(to, v, 0));
        }
        // For the reason above.
        Ref curve = to.operator("expm1", v, "curve", negative(to, v));
        return to.operator("elemwise_add", v, "", positive(to, v), scaled(to, v, "scaled", operator.alpha(), curve));
    }

    static Ref scalar(MxSymbolWriter to, Value v, Elementwise.Scalar operator) {
        Ref x = input(to, v, 0);
        if (operator.scale() != 1) {
            x = scaled(to, v, operator.shift() == 0 ? "" : "scaled", operator.scale(), x);
        }
        if (operator.shift() != 0 || operator.scale() == 1) {
            x = to.operator("_plus_scalar", v, "", Map.of("scalar", Double.toString(operator.shift())), x);
        }
        return x;
    }

    static Ref binary(MxSymbolWriter to, Value v, Elementwise.Binary operator) {
        String name = switch (operator.pair()) {
            case ADD -> "broadcast_add";
            case SUBTRACT -> "broadcast_sub";
            case MULTIPLY -> "broadcast_mul";
            case DIVIDE -> "broadcast_div";
            case MAXIMUM -> "broadcast_maximum";
            case MINIMUM -> "broadcast_minimum";
            case EQUAL -> "broadcast_equal";
            case GREATER -> "broadcast_greater";
        };
        int[] left = fullExtents(to, v, 0);
        int[] right = fullExtents(to, v, 1);
        Ref[] inputs = runs(left, right) <= MOST_RUNS
                ? new Ref[] {aligned(to, v, 0), aligned(to, v, 1)}
                : new Ref[] {
                    repeated(to, v, "left", left, right, ofFullRank(to, v, 0)),
                    repeated(to, v, "right", right, left, ofFullRank(to, v, 1))
                };
        Ref result = to.operator(name, v, "pair", inputs);
        return v.inputs().get(0).type() == v.type() ? result : cast(to, v, v.type(), result);
    }

    /** Returns an input that the engine can align at the end: rows of lower rank get axes after the batch axis. */
    private static Ref aligned(MxSymbolWriter to, Value v, int index) {
        Value x = v.inputs().get(index);
        int missing = v.shape().rank() - x.shape().rank();
        if (!x.batched() || missing == 0) {
            return to.ref(x);
        }
        int[] extents = Shape.ones(v.shape().rank()).extents();
        System.arraycopy(x.shape().extents(), 0, extents, missing, x.shape().rank());
        return reshape(to, v, "aligned" + index, to.extents(x, Shape.of(extents)), to.ref(x));
    }

    /**
     * Returns the number of axes of two values after merging neighbouring axes with the same broadcast; the engine
     * cannot broadcast along more than {@link #MOST_RUNS}.
     */
    private static int runs(int[] left, int[] right) {
        int runs = 0;
        int before = 2;
        for (int i = 0; i < left.length; i++) {
            int repeated = Integer.compare(size(left[i]), size(right[i]));
            if (left[i] != 1 || right[i] != 1) {
                runs += repeated == before ? 0 : 1;
                before = repeated;
            }
        }
        return runs;
    }

    /** Returns an extent for comparison; any number of rows counts as more than one. */
    private static int size(int extent) {
        return extent == MxSymbolWriter.ANY_ROWS ? Integer.MAX_VALUE : extent;
    }

    /** Repeated along one axis after the other, to where another value has more. */
    private static Ref repeated(MxSymbolWriter to, Value v, String part, int[] extents, int[] other, Ref x) {
        Ref wide = x;
        for (int i = 0; i < extents.length; i++) {
            if (size(extents[i]) < size(other[i]) && other[i] == MxSymbolWriter.ANY_ROWS) {
                wide = to.eachRow(v, part + i, wide);
            } else if (size(extents[i]) < size(other[i])) {
                Map<String, String> attributes =
                        Map.of("axis", Integer.toString(i), "size", Integer.toString(other[i]));
                wide = to.operator("broadcast_axis", v, part + i, attributes, wide);
            }
        }
        return wide;
    }

    static Ref where(MxSymbolWriter to, Value v, Elementwise.Where operator) {
        Ref[] inputs = new Ref[3];
        for (int i = 0; i < inputs.length; i++) {
            inputs[i] = broadcast(to, v, "input" + i, fullExtents(to, v, i), ofFullRank(to, v, i));
        }
        return to.operator("where", v, "", inputs);
    }

    /** An input with as many axes as the result. */
    private static Ref ofFullRank(MxSymbolWriter to, Value v, int index) {
        return reshape(
                to,
                v,
                "rank" + index,
                fullExtents(to, v, index),
                to.ref(v.inputs().get(index)));
    }

    private static int[] fullExtents(MxSymbolWriter to, Value v, int index) {
        Value x = v.inputs().get(index);
        int rank = v.shape().rank() + (v.batched() ? 1 : 0);
        int[] extents = Shape.ones(Math.max(rank, 1)).extents();
        System.arraycopy(
                x.shape().extents(),
                0,
                extents,
                extents.length - x.shape().rank(),
                x.shape().rank());
        if (x.batched()) {
            extents[0] = to.batch;
        }
        return extents;
    }

    static Ref broadcast(MxSymbolWriter to, Value v, String part, int[] extents, Ref x) {
        int[] full = to.extents(v);
        Ref near = runs(extents, full) > MOST_RUNS ? repeated(to, v, part + "_axis", extents, full, x) : x;
        if (full.length > 0 && full[0] == MxSymbolWriter.ANY_ROWS) {
            near = extents[0] == 1 && near.equals(x) ? to.eachRow(v, part + "_rows", near) : near;
            full[0] = 0; // as many as there are
        }
        return to.operator("broadcast_to", v, part, Map.of("shape", text(full)), near);
    }

    /** The engine's own clip takes its bounds in float32, whatever the type. */
    static Ref clip(MxSymbolWriter to, Value v, Elementwise.Clip operator) {
        Map<String, String> low = Map.of("scalar", readable(operator.low()));
        Map<String, String> high = Map.of("scalar", readable(operator.high()));
        Ref raised = to.operator("_maximum_scalar", v, "raised", low, input(to, v, 0));
        return to.operator("_minimum_scalar", v, "", high, raised);
    }

    /** Returns a bound as text: the engine reads no infinite scalar, and none is nearer to it than the largest. */
    private static String readable(double bound) {
        return Double.toString(Math.max(-Double.MAX_VALUE, Math.min(Double.MAX_VALUE, bound)));
    }

    static Ref dropout(MxSymbolWriter to, Value v, Elementwise.Dropout operator) {
        if (to.program.mode() == Mode.EVAL) {
            return input(to, v, 0);
        }
        return to.operator("elemwise_mul", v, "", input(to, v, 0), input(to, v, 1));
    }
}
