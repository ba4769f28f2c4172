package hocket.workbench.live.json;

import com.fasterxml.jackson.core.JsonEncoding;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.MinimalPrettyPrinter;
import hocket.schedulers.Source.Column;
import hocket.scopes.Tensor;
import hocket.workbench.online.json.RowLines;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Writes rows as JSON lines, as {@link RowLines} reads them: an object a line, each column's number, or numbers as
 * nested arrays of its shape. Values that are not finite are strings: {@code "NaN"}, {@code "Infinity"}, {@code
 * "-Infinity"}.
 */
public final class ResultLines {
    private static final JsonFactory JSON = new JsonFactory();

    private ResultLines() {}

    /**
     * Writes them, in UTF-8.
     *
     * @param columns of a row
     * @param values of each column, (rows, ...)
     */
    public static byte[] of(List<Column> columns, List<Tensor> values) {
        int rows = values.get(0).shape().get(0);
        ByteArrayOutputStream lines = new ByteArrayOutputStream();
        try (JsonGenerator json = JSON.createGenerator(lines, JsonEncoding.UTF8)) {
            json.setPrettyPrinter(new MinimalPrettyPrinter("")); // no separators between objects but line ends
            List<ByteBuffer> bytes = values.stream().map(Tensor::buffer).toList();
            for (int row = 0; row < rows; row++) {
                json.writeStartObject();
                for (int i = 0; i < columns.size(); i++) {
                    json.writeFieldName(columns.get(i).name());
                    write(json, columns.get(i), 0, bytes.get(i));
                }
                json.writeEndObject();
                json.writeRaw('\n');
            }
        } catch (IOException e) {
            throw new IllegalStateException("text in memory can always be written", e);
        }
        return lines.toByteArray();
    }

    private static void write(JsonGenerator json, Column column, int axis, ByteBuffer values) throws IOException {
        if (axis < column.shape().rank()) {
            json.writeStartArray();
            for (int i = 0; i < column.shape().get(axis); i++) {
                write(json, column, axis + 1, values);
            }
            json.writeEndArray();
            return;
        }
        switch (column.type()) {
            case FLOAT32 -> json.writeNumber(values.getFloat());
            case FLOAT64 -> json.writeNumber(values.getDouble());
            case INT64 -> json.writeNumber(values.getLong());
        }
    }
}
