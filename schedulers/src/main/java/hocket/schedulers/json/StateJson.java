package hocket.schedulers.json;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import hocket.schedulers.Saved;
import hocket.schedulers.State;
import hocket.scopes.ElementType;
import hocket.scopes.Shape;
import hocket.scopes.Tensor;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.function.Function;

/**
 * A state as JSON with its tensors and rows beside it. Whole numbers are numbers, texts are strings, reals {@code {"real":
 * "0.5"}}, tensors {@code {"tensor": "name"}}, branches {@code {"state": {…}}}, rows {@code {"rows": {"width": 7, "count": 3,
 * "blocks": [["00000001.rows", 0, 3, "SHA-256"]]}}}.
 */
public final class StateJson {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private StateJson() {}

    /** Where a tensor lies in a file of tensors: bytes from {@code begin} to {@code end} after the header. */
    public record Entry(ElementType type, Shape shape, long begin, long end) {}

    /**
     * Rows of a table in a file of segments: floats, the lowest byte first.
     *
     * @param file its name in the folder of segments
     * @param offset bytes before them
     * @param rows how many
     * @param sha256 of their bytes, in hexadecimal digits
     */
    public record Block(String file, long offset, int rows, String sha256) {}

    /** Gives rows that lie in blocks. */
    @FunctionalInterface
    public interface Table {
        /** @throws IOException if they are not there */
        Saved.Rows read(int width, int count, List<Block> blocks) throws IOException;
    }

    /**
     * The state as text.
     *
     * @param tensors gets its tensors, named by their branches joined by dots
     * @param blocks says where rows are
     */
    public static byte[] write(
            State state, SortedMap<String, Tensor> tensors, Function<Saved.Rows, List<Block>> blocks) {
        try {
            return MAPPER.writerWithDefaultPrettyPrinter().writeValueAsBytes(branch(state, "", tensors, blocks));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a state is always representable", e);
        }
    }

    private static ObjectNode branch(
            State state, String prefix, SortedMap<String, Tensor> tensors, Function<Saved.Rows, List<Block>> blocks) {
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
                node.putObject(name).set("state", branch(inner, prefix + name + ".", tensors, blocks));
            } else if (item instanceof Saved.Rows rows) {
                ObjectNode table = node.putObject(name).putObject("rows");
                table.put("width", rows.width()).put("count", rows.count());
                ArrayNode in = table.putArray("blocks");
                for (Block block : blocks.apply(rows)) {
                    in.addArray()
                            .add(block.file())
                            .add(block.offset())
                            .add(block.rows())
                            .add(block.sha256());
                }
            }
        });
        return node;
    }

    /**
     * The state again.
     *
     * @throws IOException if the text is not one, or a tensor or rows are not there
     */
    public static State read(byte[] json, Map<String, Tensor> tensors, Table table) throws IOException {
        return branch(root(json), tensors, table);
    }

    /**
     * Where the rows of a state are.
     *
     * @throws IOException if the text is no state
     */
    public static List<Block> blocks(byte[] json) throws IOException {
        List<Block> all = new ArrayList<>();
        for (JsonNode rows : root(json).findValues("rows")) {
            if (rows.isObject()) {
                all.addAll(blocks(rows.path("blocks")));
            }
        }
        return all;
    }

    private static List<Block> blocks(JsonNode in) throws IOException {
        List<Block> blocks = new ArrayList<>();
        for (JsonNode block : in) {
            if (!block.path(0).isTextual()
                    || !block.path(1).canConvertToLong()
                    || !block.path(2).canConvertToInt()
                    || !block.path(3).isTextual()) {
                throw new IOException("a block must be [file, offset, rows, SHA-256], was " + block);
            }
            blocks.add(new Block(
                    block.get(0).textValue(),
                    block.get(1).longValue(),
                    block.get(2).intValue(),
                    block.get(3).textValue()));
        }
        return blocks;
    }

    private static JsonNode root(byte[] json) throws IOException {
        JsonNode root = MAPPER.readTree(json);
        if (root == null || !root.isObject()) {
            throw new IOException("it is not a JSON object");
        }
        return root;
    }

    private static State branch(JsonNode node, Map<String, Tensor> tensors, Table table) throws IOException {
        if (!node.isObject()) {
            throw new IOException("a state must be an object, was " + node.getNodeType());
        }
        State state = State.empty();
        for (Iterator<Map.Entry<String, JsonNode>> fields = node.fields(); fields.hasNext(); ) {
            Map.Entry<String, JsonNode> field = fields.next();
            state = state.with(field.getKey(), item(field.getKey(), field.getValue(), tensors, table));
        }
        return state;
    }

    private static Saved item(String name, JsonNode node, Map<String, Tensor> tensors, Table table) throws IOException {
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
            return branch(node.path("state"), tensors, table);
        } else if (node.path("rows").isObject()) {
            JsonNode rows = node.path("rows");
            return table.read(rows.path("width").asInt(), rows.path("count").asInt(), blocks(rows.path("blocks")));
        }
        throw new IOException(name + " is neither a number, text, real, tensor, state nor rows");
    }

    /** The header of a safetensors file for these tensors, laid one after the other in their order. */
    public static byte[] safetensorsHeader(SortedMap<String, Tensor> tensors) {
        try {
            ObjectNode root = MAPPER.createObjectNode();
            long begin = 0;
            for (Map.Entry<String, Tensor> entry : tensors.entrySet()) {
                Tensor tensor = entry.getValue();
                long end = begin + tensor.buffer().remaining();
                ObjectNode node = root.putObject(entry.getKey());
                node.put(
                        "dtype",
                        switch (tensor.type()) {
                            case FLOAT32 -> "F32";
                            case FLOAT64 -> "F64";
                            case INT64 -> "I64";
                        });
                var shape = node.putArray("shape");
                for (int extent : tensor.shape().extents()) {
                    shape.add(extent);
                }
                node.putArray("data_offsets").add(begin).add(end);
                begin = end;
            }
            return MAPPER.writeValueAsBytes(root);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a header is always representable", e);
        }
    }

    /**
     * The entries of a safetensors header.
     *
     * @throws IOException if it is malformed
     */
    public static Map<String, Entry> readSafetensorsHeader(byte[] header) throws IOException {
        Map<String, Entry> entries = new LinkedHashMap<>();
        for (Iterator<Map.Entry<String, JsonNode>> fields = root(header).fields(); fields.hasNext(); ) {
            Map.Entry<String, JsonNode> field = fields.next();
            JsonNode node = field.getValue();
            if (field.getKey().equals("__metadata__")) {
                continue;
            }
            ElementType type = switch (node.path("dtype").asText()) {
                case "F32" -> ElementType.FLOAT32;
                case "F64" -> ElementType.FLOAT64;
                case "I64" -> ElementType.INT64;
                default ->
                    throw new IOException(field.getKey() + ": dtype must be F32, F64 or I64, was "
                            + node.path("dtype").asText());
            };
            int[] extents = new int[node.path("shape").size()];
            for (int i = 0; i < extents.length; i++) {
                extents[i] = node.path("shape").get(i).asInt();
            }
            Shape shape = Shape.of(extents);
            long begin = node.path("data_offsets").path(0).asLong(-1);
            long end = node.path("data_offsets").path(1).asLong(-1);
            if (begin < 0 || end - begin != (long) shape.size() * type.bytes()) {
                throw new IOException(
                        field.getKey() + ": " + type + shape + " does not fit bytes " + begin + " to " + end);
            }
            entries.put(field.getKey(), new Entry(type, shape, begin, end));
        }
        return entries;
    }
}
