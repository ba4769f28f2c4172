package hocket.workbench.files.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;

/**
 * Reads objects from outside strictly: no key twice, no deep nesting, nothing after them, and each value of the
 * expected kind. An error is an {@link IllegalArgumentException} that begins with its key.
 */
public final class StrictJson {
    /** The most characters of a text. */
    public static final int LONGEST_TEXT = 20_000;

    private static final int DEEPEST = 40;
    private static final int LONGEST_NUMBER = 60;

    public static final ObjectMapper MAPPER = JsonMapper.builder(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNestingDepth(DEEPEST)
                            .maxStringLength(LONGEST_TEXT)
                            .maxNumberLength(LONGEST_NUMBER)
                            .build())
                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                    .build())
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private StrictJson() {}

    /**
     * An object.
     *
     * @param what its name and an example, for messages
     */
    public static JsonNode object(String text, String what, String such) {
        try {
            JsonNode node = MAPPER.readTree(text);
            if (!node.isObject()) {
                throw new IllegalArgumentException(
                        what + " must be an object, such as " + such + ", was " + shown(node));
            }
            return node;
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(what + " must be JSON: " + e.getOriginalMessage(), e);
        }
    }

    public static String text(JsonNode node, String key) {
        JsonNode value = node.path(key);
        if (!value.isTextual()) {
            throw new IllegalArgumentException(
                    key + ": " + (value.isMissingNode() ? "is missing" : "must be a text, was " + shown(value)));
        }
        return value.textValue();
    }

    /** Returns the value; empty if it is missing or null. */
    public static String optional(JsonNode node, String key) {
        JsonNode value = node.path(key);
        if (!value.isMissingNode() && !value.isNull() && !value.isTextual()) {
            throw new IllegalArgumentException(key + ": must be a text, was " + shown(value));
        }
        return value.isTextual() ? value.textValue() : "";
    }

    /** Returns the value; false if it is missing or null. */
    public static boolean truth(JsonNode node, String key) {
        JsonNode value = node.path(key);
        if (!value.isMissingNode() && !value.isNull() && !value.isBoolean()) {
            throw new IllegalArgumentException(key + ": must be true or false, was " + shown(value));
        }
        return value.asBoolean(false);
    }

    public static double number(JsonNode node, String key) {
        JsonNode value = node.path(key);
        if (!value.isNumber() || !Double.isFinite(value.doubleValue())) {
            throw new IllegalArgumentException(key + ": "
                    + (value.isMissingNode() ? "is missing" : "must be a finite number, was " + shown(value)));
        }
        return value.doubleValue();
    }

    /** Returns a value for a message, shortened. */
    public static String shown(JsonNode value) {
        return cut(value.toString());
    }

    public static String cut(String text) {
        return text.length() > 60 ? text.substring(0, 60) + "…" : text;
    }
}
