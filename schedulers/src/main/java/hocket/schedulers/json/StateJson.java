package hocket.schedulers.json;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import hocket.schedulers.Saved;
import hocket.schedulers.State;
import hocket.scopes.Tensor;
import java.io.IOException;
import java.util.Iterator;
import java.util.Map;
import java.util.SortedMap;

/**
 * A state as JSON with its tensors beside it. Whole numbers are numbers, texts are strings, reals {@code {"real": "0.5"}},
 * tensors {@code {"tensor": "name"}}, branches {@code {"state": {…}}}.
 */
public final class StateJson {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private StateJson() {}

    /** The state as text; its tensors go to {@code tensors}, named by their branches joined by dots. */
    public static byte[] write(State state, SortedMap<String, Tensor> tensors) {
        try {
            return MAPPER.writerWithDefaultPrettyPrinter().writeValueAsBytes(branch(state, "", tensors));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a state is always representable", e);
        }
    }

    private static ObjectNode branch(State state, String prefix, SortedMap<String, Tensor> tensors) {
        ObjectNode node = MAPPER.createObjectNode();
        state.items().forEach((name, item) -> {
            if (item instanceof Saved.Whole whole) {
                node.put(name, whole.value());
            } else if (item instanceof Saved.Text text) {
                node.put(name, text.value());
            } else if (item instanceof Saved.Real real) {
                node.putObject(name).put("real", Double.toString(real.value()));
            } else if (item instanceof Saved.Array array) {
                String tensor = prefix + name;
                while (tensors.containsKey(tensor)) {
                    tensor += "+"; // names may hold dots themselves
                }
                node.putObject(name).put("tensor", tensor);
                tensors.put(tensor, array.value());
            } else if (item instanceof State inner) {
                node.putObject(name).set("state", branch(inner, prefix + name + ".", tensors));
            }
        });
        return node;
    }

    /**
     * The state again.
     *
     * @throws IOException if the text is not one
     */
    public static State read(byte[] json, Map<String, Tensor> tensors) throws IOException {
        return branch(root(json), tensors);
    }

    private static JsonNode root(byte[] json) throws IOException {
        JsonNode root = MAPPER.readTree(json);
        if (root == null || !root.isObject()) {
            throw new IOException("it is not a JSON object");
        }
        return root;
    }

    private static State branch(JsonNode node, Map<String, Tensor> tensors) throws IOException {
        if (!node.isObject()) {
            throw new IOException("a state must be an object, was " + node.getNodeType());
        }
        State state = State.empty();
        for (Iterator<Map.Entry<String, JsonNode>> fields = node.fields(); fields.hasNext(); ) {
            Map.Entry<String, JsonNode> field = fields.next();
            state = state.with(field.getKey(), item(field.getKey(), field.getValue(), tensors));
        }
        return state;
    }

    private static Saved item(String name, JsonNode node, Map<String, Tensor> tensors) throws IOException {
        if (node.isIntegralNumber() && node.canConvertToLong()) {
            return new Saved.Whole(node.longValue());
        } else if (node.isTextual()) {
            return new Saved.Text(node.textValue());
        } else if (node.path("real").isTextual()) {
            return new Saved.Real(Double.parseDouble(node.path("real").textValue()));
        } else if (node.path("tensor").isTextual()) {
            Tensor tensor = tensors.get(node.path("tensor").textValue());
            if (tensor == null) {
                throw new IOException("tensor " + node.path("tensor").textValue() + " is missing");
            }
            return new Saved.Array(tensor);
        } else if (node.path("state").isObject()) {
            return branch(node.path("state"), tensors);
        }
        throw new IOException(name + " is neither a number, text, real, tensor nor state");
    }
}
