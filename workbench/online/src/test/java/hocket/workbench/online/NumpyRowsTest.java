package hocket.workbench.online;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hocket.schedulers.Source.Column;
import hocket.schedulers.formats.Npy;
import hocket.scopes.ElementType;
import hocket.scopes.Shape;
import hocket.scopes.Tensor;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NumpyRowsTest {
    private static final RowFormat X = new RowFormat(List.of(new Column("x", Shape.of(2), ElementType.FLOAT32)));
    private static final RowFormat BOTH = new RowFormat(List.of(
            new Column("x", Shape.of(2), ElementType.FLOAT32), new Column("label", Shape.scalar(), ElementType.INT64)));

    @TempDir
    private Path here;

    private ByteBuffer npy(Tensor array) throws IOException {
        Path file = here.resolve("a.npy");
        Npy.write(file, array);
        return ByteBuffer.wrap(Files.readAllBytes(file));
    }

    private static Tensor floats(Shape shape, float... values) {
        return Tensor.of(shape, values);
    }

    private static Tensor longs(long... values) {
        ByteBuffer bytes = ByteBuffer.allocate(8 * values.length).order(ByteOrder.nativeOrder());
        for (long value : values) {
            bytes.putLong(value);
        }
        return Tensor.copyOf(Shape.of(values.length), ElementType.INT64, bytes.flip());
    }

    private static Tensor doubles(Shape shape, double... values) {
        ByteBuffer bytes = ByteBuffer.allocate(8 * values.length).order(ByteOrder.nativeOrder());
        for (double value : values) {
            bytes.putDouble(value);
        }
        return Tensor.copyOf(shape, ElementType.FLOAT64, bytes.flip());
    }

    @Test
    void anArrayOfOneColumnBecomesRows() throws Exception {
        RowBatch rowBatch = NumpyRows.npy(X, npy(floats(Shape.of(3, 2), 1, 2, 3, 4, 5, 6)));
        assertThat(rowBatch.bytes())
                .isEqualTo(RowBatch.of(X, List.of(floats(Shape.of(3, 2), 1, 2, 3, 4, 5, 6)))
                        .bytes());
        assertThat(NumpyRows.npy(X, npy(doubles(Shape.of(3, 2), 1, 2, 3, 4, 5, 6)))
                        .bytes())
                .isEqualTo(rowBatch.bytes());
    }

    @Test
    void whatDoesNotFitIsRefusedNamingColumnAndRow() throws Exception {
        Tensor x = floats(Shape.of(2, 2), 1, 2, 3, 4);
        RowFormat label = new RowFormat(List.of(new Column("label", Shape.scalar(), ElementType.INT64)));
        refused(label, floats(Shape.of(2), 1, 2), "column label: must be of whole numbers, was of F32");
        refused(X, floats(Shape.of(4), 1, 2, 3, 4), "column x: must have the shape (rows, then (2)), was [4]");
        refused(X, floats(Shape.of(2, 2), 1, 2, Float.NaN, 4), "column x: row 1 must be a finite FLOAT32, was NaN");
        refused(X, doubles(Shape.of(2, 2), 1, 2, 3, 1e39), "column x: row 1 must be a finite FLOAT32, was 1.0E39");
        assertThatThrownBy(() -> NumpyRows.npy(BOTH, npy(x))).hasMessageContaining("a .npy file holds one column");
        assertThatThrownBy(() -> NumpyRows.npy(X, ByteBuffer.wrap(new byte[20])))
                .hasMessageContaining("is not an .npy");
    }

    @Test
    void wholeNumbersThatAFloatWouldRoundAreRefused() throws Exception {
        RowFormat single = new RowFormat(List.of(new Column("x", Shape.scalar(), ElementType.FLOAT32)));
        assertThat(NumpyRows.npy(single, npy(longs(1L << 24, -3))).rows()).isEqualTo(2);
        for (long rounded : new long[] {(1L << 24) + 1, Long.MAX_VALUE}) {
            assertThatThrownBy(() -> NumpyRows.npy(single, npy(longs(1, rounded))))
                    .hasMessage("column x: row 1 must be representable in FLOAT32, was " + rounded);
        }
    }

    private void refused(RowFormat format, Tensor array, String sentence) {
        assertThatThrownBy(() -> NumpyRows.npy(format, npy(array)))
                .isInstanceOf(MalformedRowsException.class)
                .hasMessageStartingWith(sentence);
    }
}
