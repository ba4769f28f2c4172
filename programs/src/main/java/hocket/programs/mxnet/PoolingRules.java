package hocket.programs.mxnet;

import static hocket.programs.mxnet.Idioms.copy;
import static hocket.programs.mxnet.Idioms.engineType;
import static hocket.programs.mxnet.Idioms.image;
import static hocket.programs.mxnet.Idioms.pair;
import static hocket.programs.mxnet.Idioms.reshape;

import hocket.programs.Value;
import hocket.programs.layers.Window;
import hocket.programs.mxnet.SymbolJson.Ref;
import hocket.programs.operators.Pooling;
import hocket.scopes.Shape;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The translation of max pools. The engine derives the gradient of the pool itself; where that gradient is an operator, the
 * windows become columns (rows, channels, taps, windows), and a gradient goes to the tap that is the largest.
 */
final class PoolingRules {
    private static final String TAPS = "2";

    private PoolingRules() {}

    static Ref maxPool(MxSymbolWriter to, Value v, Pooling.MaxPool operator) {
        Map<String, String> attributes = new HashMap<>(window(operator.kernel()));
        attributes.put("pool_type", "max");
        attributes.put("pooling_convention", "valid");
        // Another reader may change the layout of the image between the two passes, and the gradient would go to other
        // elements.
        boolean alone = to.program.values().stream()
                        .flatMap(value -> to.program.inputsOf(value).stream())
                        .filter(v.inputs().get(0)::equals)
                        .count()
                == 1;
        Map<String, String> mean = new HashMap<>(attributes);
        mean.put("pool_type", "avg");
        return image(to, v, x -> {
            Ref largest = to.operator("Pooling", v, "largest", attributes, alone ? x : copy(to, v, "own", x));
            // The engine's largest passes over NaN, their mean does not.
            Ref held = to.operator("BlockGrad", v, "held", x);
            Ref all = to.operator("Pooling", v, "all", mean, held);
            Ref number = to.operator("broadcast_equal", v, "number", all, all);
            return to.operator("where", v, "", number, largest, all);
        });
    }

    static Ref maxPoolPick(MxSymbolWriter to, Value v, Pooling.MaxPoolPick operator) {
        Ref largest = largest(to, v, operator.kernel(), v.shape());
        Ref columns = columns(to, v, "picked", operator.kernel(), v.shape(), rowed(to, v, 1));
        Ref picked = to.operator("pick", v, "windows", Map.of("axis", TAPS, "keepdims", "True"), columns, largest);
        return copy(to, v, "", reshape(to, v, "image", to.extents(v), picked));
    }

    static Ref maxPoolInput(MxSymbolWriter to, Value v, Pooling.MaxPoolInput operator) {
        Window kernel = operator.kernel();
        Shape windows = v.inputs().get(1).shape();
        int channels = windows.get(0);
        int count = windows.get(1) * windows.get(2);
        int taps = taps(kernel);
        Ref largest = largest(to, v, kernel, windows);
        Ref each = to.operator(
                "_arange",
                v,
                "tap",
                Map.of("start", "0", "stop", Integer.toString(taps), "dtype", engineType(v.type())));
        Ref tap = reshape(to, v, "taps", new int[] {1, 1, taps, 1}, each);
        Ref chosen = to.operator("broadcast_equal", v, "chosen", largest, tap);
        Ref gradient = reshape(to, v, "windows", rows(to, v, Shape.of(channels, 1, count)), rowed(to, v, 1));
        Map<String, String> repeat = Map.of("axis", TAPS, "size", Integer.toString(taps));
        Ref wide = to.operator("broadcast_axis", v, "wide", repeat, gradient);
        Ref nothing = to.operator("zeros_like", v, "nothing", wide);
        Ref placed = to.operator("where", v, "placed", chosen, wide, nothing);
        Ref columns = reshape(to, v, "columns", rows(to, v, Shape.of(channels * taps, count)), placed);
        Map<String, String> attributes = new HashMap<>(window(kernel));
        attributes.put("output_size", "(" + v.shape().get(1) + "," + v.shape().get(2) + ")");
        Ref summed = to.operator("col2im", v, "summed", attributes, columns);
        return copy(to, v, "", v.batched() ? summed : reshape(to, v, "unrow", to.extents(v), summed));
    }

    /** Returns the tap of the largest, or first NaN, of each window of the first input: (rows, channels, 1, windows). */
    private static Ref largest(MxSymbolWriter to, Value v, Window kernel, Shape windows) {
        Ref x = to.operator("BlockGrad", v, "held", rowed(to, v, 0));
        Ref columns = columns(to, v, "window", kernel, windows, x);
        if (!kernel.pad().equals(List.of(0, 0))) {
            Ref inside = columns(to, v, "inside", kernel, windows, to.operator("ones_like", v, "one", x));
            Ref outside = to.operator("log", v, "outside", inside);
            columns = to.operator("where", v, "padded", inside, columns, outside);
        }
        return to.operator("argmax", v, "at", Map.of("axis", TAPS, "keepdims", "True"), columns);
    }

    /** Returns the windows of an image as columns: (rows, channels, taps, windows). */
    private static Ref columns(MxSymbolWriter to, Value v, String part, Window kernel, Shape windows, Ref x) {
        Ref columns = to.operator("im2col", v, part + "_columns", window(kernel), x);
        Shape apart = Shape.of(windows.get(0), taps(kernel), windows.get(1) * windows.get(2));
        return reshape(to, v, part, rows(to, v, apart), columns);
    }

    /** An input with a batch axis. */
    private static Ref rowed(MxSymbolWriter to, Value v, int index) {
        Value x = v.inputs().get(index);
        return x.batched()
                ? to.ref(x)
                : reshape(to, v, "row" + index, MxArray.nativeExtents(x.shape().prepend(1)), to.ref(x));
    }

    private static int[] rows(MxSymbolWriter to, Value v, Shape shape) {
        return MxSymbolWriter.withRows(shape, v.batched() ? to.batch : 1);
    }

    private static int taps(Window kernel) {
        return kernel.size().get(0) * kernel.size().get(1);
    }

    private static Map<String, String> window(Window kernel) {
        return Map.of("kernel", pair(kernel.size()), "stride", pair(kernel.stride()), "pad", pair(kernel.pad()));
    }
}
