package hocket.schedulers.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import hocket.scopes.Quoted;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The header of a safetensors file as JSON, whether or not it fits a file. */
public final class SafetensorsJson {
    private static final JsonFactory FACTORY = JsonFactory.builder()
            .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES) // names differ from file to file
            .build();

    private static final String METADATA = "__metadata__";
    private static final String DTYPE = "dtype";
    private static final String SHAPE = "shape";
    private static final String OFFSETS = "data_offsets";

    private SafetensorsJson() {}

    /** A header: notes, and what it says of each tensor, in its order. */
    public record Header(Map<String, String> metadata, Map<String, Fields> tensors) {
        public Header {
            metadata = Collections.unmodifiableMap(new LinkedHashMap<>(metadata));
            tensors = Collections.unmodifiableMap(new LinkedHashMap<>(tensors));
        }
    }

    /**
     * A tensor's entry in a header.
     *
     * @param dtype whatever it says
     * @param shape its extents, each at least 0
     * @param begin of its bytes, at least 0
     * @param end of its bytes, at least {@code begin}
     */
    public record Fields(String dtype, List<Long> shape, long begin, long end) {
        public Fields {
            shape = List.copyOf(shape);
        }
    }

    /**
     * The header as UTF-8, without blanks.
     *
     * @throws IllegalArgumentException if a name or a note is not Unicode
     */
    public static byte[] write(Header header) {
        header.tensors().keySet().forEach(SafetensorsJson::checkUnicode);
        header.metadata().keySet().forEach(SafetensorsJson::checkUnicode);
        header.metadata().values().forEach(SafetensorsJson::checkUnicode);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (JsonGenerator out = FACTORY.createGenerator(bytes)) {
            out.writeStartObject();
            if (!header.metadata().isEmpty()) {
                out.writeObjectFieldStart(METADATA);
                for (Map.Entry<String, String> note : header.metadata().entrySet()) {
                    out.writeStringField(note.getKey(), note.getValue());
                }
                out.writeEndObject();
            }
            for (Map.Entry<String, Fields> tensor : header.tensors().entrySet()) {
                Fields fields = tensor.getValue();
                out.writeObjectFieldStart(tensor.getKey());
                out.writeStringField(DTYPE, fields.dtype());
                write(out, SHAPE, fields.shape());
                write(out, OFFSETS, List.of(fields.begin(), fields.end()));
                out.writeEndObject();
            }
            out.writeEndObject();
        } catch (IOException e) {
            throw new IllegalStateException("a header is always representable", e);
        }
        return bytes.toByteArray();
    }

    private static void write(JsonGenerator out, String key, List<Long> numbers) throws IOException {
        out.writeArrayFieldStart(key);
        for (long number : numbers) {
            out.writeNumber(number);
        }
        out.writeEndArray();
    }

    private static void checkUnicode(String text) {
        if (!isUnicode(text)) {
            throw new IllegalArgumentException(
                    "a name must be Unicode, half a surrogate pair is not: " + Quoted.text(text));
        }
    }

    private static boolean isUnicode(String text) {
        return StandardCharsets.UTF_8.newEncoder().canEncode(text);
    }

    /**
     * Reads a header.
     *
     * @throws IOException if it is not one; the message does not name the file
     */
    public static Header read(String header) throws IOException {
        try (JsonParser in = FACTORY.createParser(header)) {
            return new Reading(in).header();
        } catch (JsonProcessingException e) {
            throw new IOException(
                    "the header must be JSON: " + e.getOriginalMessage() + ", at character "
                            + (e.getLocation() == null ? 0 : e.getLocation().getCharOffset()),
                    e);
        }
    }

    /** One header being read, token by token. */
    private static final class Reading {
        private final JsonParser in;

        Reading(JsonParser in) {
            this.in = in;
        }

        Header header() throws IOException {
            wanted(in.nextToken(), JsonToken.START_OBJECT, "the header", "an object");
            Map<String, String> metadata = new LinkedHashMap<>();
            Map<String, Fields> tensors = new LinkedHashMap<>();
            boolean noted = false;
            while (in.nextToken() != JsonToken.END_OBJECT) {
                String name = in.currentName();
                if (name.equals(METADATA)) {
                    once(!noted, "the header", name);
                    noted = true;
                    metadata.putAll(metadata());
                } else {
                    once(!tensors.containsKey(name), "the header", name);
                    tensors.put(name, fields(name));
                }
            }
            if (in.nextToken() != null) {
                throw new IOException("after the header only blanks may stand, there is " + found());
            }
            return new Header(metadata, tensors);
        }

        private Map<String, String> metadata() throws IOException {
            wanted(in.nextToken(), JsonToken.START_OBJECT, METADATA, "an object of strings");
            Map<String, String> metadata = new LinkedHashMap<>();
            while (in.nextToken() != JsonToken.END_OBJECT) {
                String name = in.currentName();
                once(!metadata.containsKey(name), METADATA, name);
                metadata.put(name, text(METADATA + "/" + Quoted.name(name)));
            }
            return metadata;
        }

        private Fields fields(String tensor) throws IOException {
            String name = Quoted.name(tensor);
            wanted(
                    in.nextToken(),
                    JsonToken.START_OBJECT,
                    name,
                    "an object of " + DTYPE + ", " + SHAPE + " and " + OFFSETS);
            String dtype = null;
            List<Long> shape = null;
            List<Long> offsets = null;
            while (in.nextToken() != JsonToken.END_OBJECT) {
                String key = in.currentName();
                switch (key) {
                    case DTYPE -> {
                        once(dtype == null, name, key);
                        dtype = text(name + ": " + key);
                    }
                    case SHAPE -> {
                        once(shape == null, name, key);
                        shape = numbers(name + ": " + key);
                    }
                    case OFFSETS -> {
                        once(offsets == null, name, key);
                        offsets = numbers(name + ": " + key);
                    }
                    default ->
                        throw new IOException(name + ": may have " + DTYPE + ", " + SHAPE + " and " + OFFSETS
                                + " only, has " + Quoted.name(key));
                }
            }
            if (dtype == null || shape == null || offsets == null) {
                throw new IOException(
                        name + ": " + (dtype == null ? DTYPE : shape == null ? SHAPE : OFFSETS) + " is missing");
            }
            if (offsets.size() != 2 || offsets.get(0) > offsets.get(1)) {
                throw new IOException(name + ": " + OFFSETS + " must be a begin and an end that is not before it, was "
                        + Quoted.list(offsets));
            }
            return new Fields(dtype, shape, offsets.get(0), offsets.get(1));
        }

        private String text(String what) throws IOException {
            wanted(in.nextToken(), JsonToken.VALUE_STRING, what, "a string");
            String text = in.getText();
            if (!isUnicode(text)) {
                throw new IOException(what + ": must be Unicode, half a surrogate pair is not: " + Quoted.text(text));
            }
            return text;
        }

        private List<Long> numbers(String what) throws IOException {
            wanted(in.nextToken(), JsonToken.START_ARRAY, what, "a list of whole numbers from 0");
            List<Long> numbers = new ArrayList<>();
            while (in.nextToken() != JsonToken.END_ARRAY) {
                wanted(in.currentToken(), JsonToken.VALUE_NUMBER_INT, what, "a list of whole numbers from 0");
                boolean beyond = in.getNumberType() == JsonParser.NumberType.BIG_INTEGER;
                if (beyond || in.getLongValue() < 0) {
                    throw new IOException(what + " must be a list of whole numbers from 0 to 2^63 - 1, there is "
                            + Quoted.text(in.getText()));
                }
                numbers.add(in.getLongValue());
            }
            return numbers;
        }

        private void once(boolean first, String where, String key) throws IOException {
            if (!first) {
                throw new IOException(where + ": must name everything once, names " + Quoted.name(key) + " twice");
            }
        }

        private void wanted(@Nullable JsonToken token, JsonToken wanted, String what, String rule) throws IOException {
            if (token != wanted) {
                throw new IOException(what + " must be " + rule + ", there is " + found());
            }
        }

        private String found() throws IOException {
            JsonToken token = in.currentToken();
            return token == null
                    ? "nothing"
                    : switch (token) {
                        case START_OBJECT -> "an object";
                        case START_ARRAY -> "a list";
                        case VALUE_STRING -> "the string " + Quoted.text(in.getText());
                        default -> Quoted.text(in.getText());
                    };
        }
    }
}
