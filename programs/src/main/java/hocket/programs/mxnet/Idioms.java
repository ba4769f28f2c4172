package hocket.programs.mxnet;

import hocket.programs.Value;
import hocket.programs.mxnet.SymbolJson.Ref;
import hocket.scopes.ElementType;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Common translations of several operators' rules. */
final class Idioms {
    private Idioms() {}

    static Ref scaled(MxSymbolWriter to, Value v, String part, double factor, Ref x) {
        return to.operator("_mul_scalar", v, part, Map.of("scalar", Double.toString(factor)), x);
    }

    static Ref joined(MxSymbolWriter to, Value v, String part, int axis, Ref... parts) {
        Map<String, String> attributes =
                Map.of("dim", Integer.toString(axis), "num_args", Integer.toString(parts.length));
        return to.operator("Concat", v, part, attributes, parts);
    }

    static Ref zeros(MxSymbolWriter to, Value v, String part, int[] extents) {
        boolean any = extents[0] == MxSymbolWriter.ANY_ROWS;
        int[] known = extents.clone();
        known[0] = any ? 1 : known[0];
        Map<String, String> attributes = Map.of("shape", text(known), "dtype", engineType(v.type()));
        Ref zeros = to.operator("_zeros", v, any ? part + "_row" : part, attributes);
        return any ? to.eachRow(v, part, zeros) : zeros;
    }

    static Ref sliceAxis(MxSymbolWriter to, Value v, String part, int axis, int begin, int end, Ref x) {
        Map<String, String> attributes =
                Map.of("axis", Integer.toString(axis), "begin", Integer.toString(begin), "end", Integer.toString(end));
        return to.operator("slice_axis", v, part, attributes, x);
    }

    /** Applies an operator for images with a batch axis to values with or without one. */
    static Ref image(MxSymbolWriter to, Value v, UnaryOperator<Ref> rule) {
        Value x = v.inputs().get(0);
        if (x.batched()) {
            return rule.apply(to.ref(x));
        }
        Ref row = reshape(to, v, "row", MxArray.nativeExtents(x.shape().prepend(1)), to.ref(x));
        return reshape(to, v, "unrow", to.extents(v), rule.apply(row));
    }

    /** Returns the same elements, in an array that the engine treats as another. */
    static Ref copy(MxSymbolWriter to, Value v, String part, Ref x) {
        return to.operator("slice_axis", v, part, Map.of("axis", "0", "begin", "0", "end", "None"), x);
    }

    static Ref reshape(MxSymbolWriter to, Value v, String part, int[] extents, Ref x) {
        return to.operator("Reshape", v, part, Map.of("shape", text(extents)), x);
    }

    static String text(int[] extents) {
        return IntStream.of(extents).mapToObj(Integer::toString).collect(Collectors.joining(",", "(", ")"));
    }

    static Ref cast(MxSymbolWriter to, Value v, ElementType type, Ref x) {
        return to.operator("Cast", v, "", Map.of("dtype", engineType(type)), x);
    }

    static Ref input(MxSymbolWriter to, Value v, int index) {
        return to.ref(v.inputs().get(index));
    }

    static String engineType(ElementType type) {
        return switch (type) {
            case FLOAT32 -> "float32";
            case FLOAT64 -> "float64";
            case INT64 -> "int64";
        };
    }

    static String pair(List<Integer> pair) {
        return "(" + pair.get(0) + "," + pair.get(1) + ")";
    }

    static String flag(boolean value) {
        return value ? "True" : "False";
    }
}
