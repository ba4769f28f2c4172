package hocket.schedulers.json;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import hocket.schedulers.state.Saved;
import hocket.schedulers.state.State;
import hocket.scopes.Tensor;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * A state as JSON, with its tensors and rows in separate files. Whole numbers are numbers, texts are strings, reals
 * {@code {"real": "0.5"}}, tensors {@code {"tensor": "name"}}, branches {@code {"state": {…}}}, rows {@code {"rows":
 * {"bytes": 28, "count": 3, "blocks": [["00000001.rows", 0, 3, "SHA-256"]]}}}.
 */
public final class StateJson {
    private static final ObjectMapper MAPPER = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private static final Table NOWHERE = (width, count, blocks) -> {
        throw new IOException("rows are not read here");
    };

    private StateJson() {}

    /**
     * Rows of a table in a file of segments.
     *
     * @param file its name in the folder of segments
     * @param offset bytes before them
     * @param rows how many
     * @param sha256 of their bytes, in hexadecimal digits
     */
    public record Piece(String file, long offset, int rows, String sha256) {}

    /** Reads rows that are stored in blocks. */
    @FunctionalInterface
    public interface Table {
        /** @throws IOException if the blocks are missing or cannot be read */
        Saved.Rows read(int width, int count, List<Piece> blocks) throws IOException;
    }

    /**
     * Writes a state as JSON, without the content of its tensors and rows.
     *
     * @param tensors receives the tensors; the name of each is its path in the state, joined by dots
     * @param blocks returns the blocks in which the rows of a table are stored
     */
    public static byte[] write(
            State state, SortedMap<String, Tensor> tensors, Function<Saved.Rows, List<Piece>> blocks) {
        try {
            return MAPPER.writerWithDefaultPrettyPrinter().writeValueAsBytes(branch(state, "", tensors, blocks));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a state is always representable", e);
        }
    }

    private static ObjectNode branch(
            State state, String prefix, SortedMap<String, Tensor> tensors, Function<Saved.Rows, List<Piece>> blocks) {
        ObjectNode node = MAPPER.createObjectNode();
        state.items().forEach((name, item) -> node.set(name, item.by(new Writer(prefix + name, tensors, blocks))));
        return node;
    }

    /** Writes one item, whose branches are joined by dots. */
    private record Writer(String path, SortedMap<String, Tensor> tensors, Function<Saved.Rows, List<Piece>> blocks)
            implements Saved.Reader<JsonNode> {
        @Override
        public JsonNode whole(long value) {
            return MAPPER.getNodeFactory().numberNode(value);
        }

        @Override
        public JsonNode real(double value) {
            return MAPPER.createObjectNode().put("real", Double.toString(value));
        }

        @Override
        public JsonNode text(String value) {
            return MAPPER.getNodeFactory().textNode(value);
        }

        @Override
        public JsonNode array(Tensor value) {
            String tensor = path;
            while (tensors.containsKey(tensor)) {
                tensor += "+"; // names may hold dots themselves
            }
            tensors.put(tensor, value);
            return MAPPER.createObjectNode().put("tensor", tensor);
        }

        @Override
        public JsonNode rows(Saved.Rows rows) {
            ObjectNode node = MAPPER.createObjectNode();
            ObjectNode table = node.putObject("rows");
            table.put("bytes", rows.width()).put("count", rows.count());
            ArrayNode in = table.putArray("blocks");
            for (Piece block : blocks.apply(rows)) {
                in.addArray()
                        .add(block.file())
                        .add(block.offset())
                        .add(block.rows())
                        .add(block.sha256());
            }
            return node;
        }

        @Override
        public JsonNode state(State state) {
            return MAPPER.createObjectNode().set("state", branch(state, path + ".", tensors, blocks));
        }
    }

    /**
     * The state again.
     *
     * @throws IOException if the text is not one, says something twice, or a tensor or rows are not there
     */
    public static State read(byte[] json, Map<String, Tensor> tensors, Table table) throws IOException {
        return branch(root(json), tensors, table);
    }

    /**
     * Reads the numbers and texts of a state, without its tensors and rows.
     *
     * @throws IOException if the text is not a state
     */
    public static State outline(byte[] json) throws IOException {
        return outline(root(json));
    }

    private static State outline(JsonNode branch) throws IOException {
        SortedMap<String, Saved> items = new TreeMap<>();
        for (Iterator<Map.Entry<String, JsonNode>> fields = branch.fields(); fields.hasNext(); ) {
            Map.Entry<String, JsonNode> field = fields.next();
            JsonNode item = field.getValue();
            if (item.path("state").isObject()) {
                items.put(field.getKey(), outline(item.path("state")));
            } else if (!item.has("tensor") && !item.has("rows")) {
                items.put(field.getKey(), item(field.getKey(), item, Map.of(), NOWHERE));
            }
        }
        return new State(items);
    }

    /**
     * Returns the places of the rows of a state.
     *
     * @throws IOException if the text is not a state
     */
    public static List<Piece> blocks(byte[] json) throws IOException {
        List<Piece> all = new ArrayList<>();
        addBlocks(root(json), all);
        return all;
    }

    private static void addBlocks(JsonNode branch, List<Piece> all) throws IOException {
        for (JsonNode item : branch) {
            if (item.path("state").isObject()) {
                addBlocks(item.path("state"), all);
            } else if (item.path("rows").isObject()) {
                all.addAll(blocks(item.path("rows").path("blocks")));
            }
        }
    }

    private static List<Piece> blocks(JsonNode in) throws IOException {
        List<Piece> blocks = new ArrayList<>();
        for (JsonNode block : in) {
            if (!block.path(0).isTextual()
                    || !block.path(1).canConvertToLong()
                    || !block.path(2).canConvertToInt()
                    || !block.path(3).isTextual()) {
                throw new IOException("a block must be [file, offset, rows, SHA-256], was " + block);
            }
            blocks.add(new Piece(
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
        SortedMap<String, Saved> items = new TreeMap<>();
        for (Iterator<Map.Entry<String, JsonNode>> fields = node.fields(); fields.hasNext(); ) {
            Map.Entry<String, JsonNode> field = fields.next();
            items.put(field.getKey(), item(field.getKey(), field.getValue(), tensors, table));
        }
        return new State(items);
    }

    private static Saved item(String name, JsonNode node, Map<String, Tensor> tensors, Table table) throws IOException {
        if (node.isIntegralNumber() && node.canConvertToLong()) {
            return new Saved.Whole(node.longValue());
        } else if (node.isTextual()) {
            return new Saved.Text(node.textValue());
        } else if (node.path("real").isTextual()) {
            return new Saved.Real(real(name, node.path("real").textValue()));
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
            // Before, a row had a width in numbers of 4 bytes each.
            long former = (long) Float.BYTES * rows.path("width").asInt();
            int width = rows.has("bytes") ? rows.path("bytes").asInt() : (int) Math.min(former, Integer.MAX_VALUE);
            return table.read(width, rows.path("count").asInt(), blocks(rows.path("blocks")));
        }
        throw new IOException(name + " is neither a number, text, real, tensor, state nor rows");
    }

    private static double real(String name, String text) throws IOException {
        try {
            return Double.parseDouble(text);
        } catch (NumberFormatException e) {
            throw new IOException(name + ": real must be a number, was \"" + text + "\"", e);
        }
    }
}
