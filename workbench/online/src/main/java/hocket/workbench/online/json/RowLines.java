package hocket.workbench.online.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonParser.NumberType;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import hocket.schedulers.Source.Column;
import hocket.scopes.ElementType;
import hocket.scopes.Quoted;
import hocket.scopes.SimilarNames;
import hocket.workbench.online.MalformedRowsException;
import hocket.workbench.online.RowBatch;
import hocket.workbench.online.RowFormat;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * Reads rows as JSON lines, an object a line: a column's name, and its number or numbers as nested arrays of its shape:
 * {@code {"x": [0.5, 1], "label": 3}}. Bytes may arrive in parts of any length. Strict: every column once and no other,
 * all of its numbers, finite in its type, integers without a point for INT64; UTF-8; no empty line.
 */
public final class RowLines {
    /** The longest line in bytes. */
    public static final int MOST_LINE_BYTES = 16 << 20;

    private static final int FIRST_BYTES = 1 << 10;
    private static final int MOST_DIGITS = 100;
    private static final int MOST_NAME = 1000;

    /** Deeper than any shape in a file. */
    private static final int MOST_DEPTH = 100;

    private static final JsonFactory JSON = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(MOST_DEPTH)
                    .maxNumberLength(MOST_DIGITS)
                    .maxNameLength(MOST_NAME)
                    .build())
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
            .build();

    private final RowFormat format;
    private final boolean[] seen;
    private RowBatch.Builder batch;
    private int rows;
    private long line;
    private byte[] part = new byte[FIRST_BYTES];
    private int length;

    /** @param format of the rows */
    public RowLines(RowFormat format) {
        this.format = format;
        this.seen = new boolean[format.columns().size()];
        this.batch = new RowBatch.Builder(format);
    }

    /**
     * Reads a whole text.
     *
     * @throws MalformedRowsException if a line is malformed, naming line and column, or if there is no line
     */
    public static RowBatch read(RowFormat format, byte[] text) throws MalformedRowsException {
        RowLines lines = new RowLines(format);
        lines.add(ByteBuffer.wrap(text));
        return lines.end();
    }

    /**
     * Reads the next bytes. After an exception the reader must not be used again.
     *
     * @param bytes from position to limit
     */
    public void add(ByteBuffer bytes) throws MalformedRowsException {
        while (bytes.hasRemaining()) {
            byte next = bytes.get();
            if (next == '\n') {
                line();
            } else {
                if (length == part.length) {
                    if (length >= MOST_LINE_BYTES) {
                        throw new MalformedRowsException(
                                line + 1, "", "a line may have " + MOST_LINE_BYTES + " bytes, this one has more");
                    }
                    part = Arrays.copyOf(part, Math.min(2 * length, MOST_LINE_BYTES));
                }
                part[length++] = next;
            }
        }
    }

    /** Returns the number of rows in whole lines so far. */
    public int rows() {
        return rows;
    }

    /** Returns their size in bytes as they will be stored. */
    public long bytes() {
        return batch.bytes();
    }

    /**
     * Returns the rows of the whole lines so far; later rows are another batch, and line numbers continue.
     *
     * @throws IllegalArgumentException if there are none, or too many for a batch
     */
    public RowBatch take() {
        RowBatch taken = batch.end(rows);
        batch = new RowBatch.Builder(format);
        rows = 0;
        return taken;
    }

    /**
     * Returns all rows, or those since {@link #take}: the last line may lack its end.
     *
     * @throws MalformedRowsException if that line is malformed, or there is no row
     */
    public RowBatch end() throws MalformedRowsException {
        if (length > 0) {
            line();
        }
        if (rows == 0) {
            throw new MalformedRowsException(line + 1, "", "must be a row as a JSON object, but the input ends");
        }
        try {
            return take();
        } catch (IllegalArgumentException e) {
            throw new MalformedRowsException(line, "", String.valueOf(e.getMessage()));
        }
    }

    private void line() throws MalformedRowsException {
        line++;
        requireUtf8();
        try (JsonParser json = JSON.createParser(part, 0, length)) {
            Arrays.fill(seen, false);
            if (json.nextToken() != JsonToken.START_OBJECT) {
                throw wrong(
                        "",
                        "must be an object such as {\""
                                + format.columns().get(0).name() + "\": …}",
                        json);
            }
            while (json.nextToken() == JsonToken.FIELD_NAME) {
                column(json);
            }
            for (int i = 0; i < seen.length; i++) {
                if (!seen[i]) {
                    throw new MalformedRowsException(
                            line, format.columns().get(i).name(), "must be there, is missing");
                }
            }
            if (json.nextToken() != null) {
                throw wrong("", "must end after its object", json);
            }
        } catch (JsonProcessingException e) {
            throw new MalformedRowsException(line, "", "is not JSON: " + reason(e));
        } catch (IOException e) {
            throw new IllegalStateException("bytes in memory can always be read", e);
        }
        rows++;
        length = 0;
    }

    private static String reason(JsonProcessingException e) {
        String place =
                e.getLocation() == null ? "" : " (character " + e.getLocation().getColumnNr() + ")";
        String message =
                String.valueOf(e.getOriginalMessage()).lines().findFirst().orElse("");
        int advice = message.indexOf(": enable "); // of a parser that is not the client's
        return Quoted.text(advice < 0 ? message : message.substring(0, advice)) + place;
    }

    /** Other encodings, which a JSON reader would guess, contain zeros or invalid UTF-8. */
    private void requireUtf8() throws MalformedRowsException {
        boolean isPlain = true;
        for (int i = 0; i < length; i++) {
            isPlain &= part[i] > 0;
        }
        if (isPlain) {
            return;
        }
        for (int i = 0; i < length; i++) {
            if (part[i] == 0) {
                throw new MalformedRowsException(line, "", "must be UTF-8 text, has a zero as byte " + (i + 1));
            }
        }
        try {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(part, 0, length));
        } catch (CharacterCodingException e) {
            throw new MalformedRowsException(line, "", "must be UTF-8 text, is not");
        }
    }

    private void column(JsonParser json) throws IOException, MalformedRowsException {
        String name = json.currentName();
        int index = format.indexOf(name);
        if (index < 0) {
            List<String> known = format.columns().stream().map(Column::name).toList();
            throw new MalformedRowsException(
                    line, "", "there is no column " + Quoted.text(name) + SimilarNames.among(name, known));
        }
        if (seen[index]) {
            throw new MalformedRowsException(line, name, "must be there once, is there twice");
        }
        seen[index] = true;
        json.nextToken();
        value(json, index, 0);
    }

    private void value(JsonParser json, int index, int axis) throws IOException, MalformedRowsException {
        Column column = format.columns().get(index);
        if (axis == column.shape().rank()) {
            number(json, index, column);
            return;
        }
        int extent = column.shape().get(axis);
        String wanted = "must be an array of " + extent + (extent == 1 ? " value" : " values")
                + (column.shape().rank() == 1 ? "" : " as axis " + axis + " of " + column.shape());
        if (json.currentToken() != JsonToken.START_ARRAY) {
            throw wrong(column.name(), wanted, json);
        }
        for (int i = 0; i < extent; i++) {
            if (json.nextToken() == JsonToken.END_ARRAY) {
                throw new MalformedRowsException(line, column.name(), wanted + ", has " + i);
            }
            value(json, index, axis + 1);
        }
        if (json.nextToken() != JsonToken.END_ARRAY) {
            throw new MalformedRowsException(line, column.name(), wanted + ", has more");
        }
    }

    private void number(JsonParser json, int index, Column column) throws IOException, MalformedRowsException {
        JsonToken token = json.currentToken();
        boolean isWhole = column.type() == ElementType.INT64;
        if (isWhole) {
            if (token != JsonToken.VALUE_NUMBER_INT || json.getNumberType() == NumberType.BIG_INTEGER) {
                throw wrong(column.name(), "must be a whole number from -2^63 to 2^63 - 1", json);
            }
            batch(column, () -> batch.add(index, longOf(json)));
        } else {
            if (token != JsonToken.VALUE_NUMBER_INT && token != JsonToken.VALUE_NUMBER_FLOAT) {
                throw wrong(column.name(), "must be a number", json);
            }
            double value = json.getDoubleValue();
            batch(column, () -> batch.add(index, value));
        }
    }

    private static long longOf(JsonParser json) {
        try {
            return json.getLongValue();
        } catch (IOException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    private void batch(Column column, Runnable adding) throws MalformedRowsException {
        try {
            adding.run();
        } catch (IllegalArgumentException e) {
            throw new MalformedRowsException(line, column.name(), String.valueOf(e.getMessage()));
        }
    }

    /** Returns the value for a message, shortened. */
    private MalformedRowsException wrong(String column, String wanted, JsonParser json) throws IOException {
        JsonToken token = json.currentToken();
        String was = token == null
                ? "empty"
                : switch (token) {
                    case START_OBJECT -> "an object";
                    case START_ARRAY -> "an array";
                    default -> Quoted.text(String.valueOf(json.getText()));
                };
        return new MalformedRowsException(line, column, wanted + ", was " + was);
    }
}
