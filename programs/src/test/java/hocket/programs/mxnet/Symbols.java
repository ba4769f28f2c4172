package hocket.programs.mxnet;

import hocket.programs.mxnet.SymbolJson.Ref;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A symbol written in expressions, for tests. */
final class Symbols {
    private final SymbolJson json = new SymbolJson();
    private final List<Ref> heads = new ArrayList<>();
    private int count;

    Ref variable(String name) {
        return Ref.of(json.variable(name));
    }

    /** @param attributes name and value in turn */
    Ref operator(String operator, List<String> attributes, Ref... inputs) {
        return operator(operator, 1, attributes, inputs);
    }

    Ref operator(String operator, int outputs, List<String> attributes, Ref... inputs) {
        Map<String, String> map = new java.util.HashMap<>();
        for (int i = 0; i < attributes.size(); i += 2) {
            map.put(attributes.get(i), attributes.get(i + 1));
        }
        return Ref.of(
                json.operator(operator, operator.toLowerCase(java.util.Locale.ROOT) + count++, map, outputs, inputs));
    }

    Ref operator(String operator, Ref... inputs) {
        return operator(operator, List.of(), inputs);
    }

    Ref dense(Ref input, Ref weight, Ref bias, int units) {
        return operator("FullyConnected", List.of("num_hidden", "" + units), input, weight, bias);
    }

    Ref tanh(Ref input) {
        return operator("Activation", List.of("act_type", "tanh"), input);
    }

    Ref convolution(Ref input, Ref weight, int filters, int kernel) {
        return operator(
                "Convolution",
                List.of(
                        "num_filter",
                        "" + filters,
                        "kernel",
                        "(" + kernel + "," + kernel + ")",
                        "no_bias",
                        "True",
                        "pad",
                        "(1,1)"),
                input,
                weight);
    }

    /** Mean of squares of the difference. */
    Ref meanSquareError(Ref output, Ref target) {
        return operator("mean", operator("square", operator("elemwise_sub", output, target)));
    }

    Symbols loss(Ref value) {
        heads.add(operator("MakeLoss", value));
        return this;
    }

    Symbols observe(Ref value) {
        heads.add(operator("BlockGrad", value));
        return this;
    }

    String json() {
        return json.json(heads.toArray(Ref[]::new));
    }
}
