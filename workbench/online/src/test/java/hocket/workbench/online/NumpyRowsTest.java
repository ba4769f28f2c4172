package hocket.workbench.online;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hocket.schedulers.Source.Column;
import hocket.schedulers.formats.Npy;
import hocket.schedulers.formats.Npz;
import hocket.scopes.ElementType;
import hocket.scopes.Shape;
import hocket.scopes.Tensor;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeMap;
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

    private Path npz(Object... arrays) {
        TreeMap<String, Tensor> all = new TreeMap<>();
        for (int i = 0; i < arrays.length; i += 2) {
            all.put((String) arrays[i], (Tensor) arrays[i + 1]);
        }
        Path file = here.resolve("a.npz");
        Npz.write(file, all);
        return file;
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
    void anArchiveHasAnArrayOfEachColumn() throws Exception {
        Tensor x = floats(Shape.of(2, 2), 1, 2, 3, 4);
        RowBatch rowBatch = NumpyRows.npz(BOTH, npz("label", longs(8, 9), "x", x));
        assertThat(rowBatch.rows()).isEqualTo(2);
        assertThat(rowBatch.bytes())
                .isEqualTo(RowBatch.of(BOTH, List.of(x, longs(8, 9))).bytes());
    }

    @Test
    void whatDoesNotFitIsRefusedNamingColumnAndRow() throws Exception {
        Tensor x = floats(Shape.of(2, 2), 1, 2, 3, 4);
        refused(npz("x", x), "column label: must be there, is missing");
        refused(npz("x", x, "lable", longs(1, 2)), "there is no column lable; did you mean label?");
        refused(npz("x", x, "label", longs(1, 2, 3)), "column label: must have as many rows as x, 2, has 3");
        refused(npz("x", x, "label", floats(Shape.of(2), 1, 2)), "column label: must be of whole numbers, was of F32");
        refused(
                npz("x", floats(Shape.of(4), 1, 2, 3, 4), "label", longs(1, 2)),
                "column x: must have the shape (rows, then (2)), was [4]");
        refused(
                npz("x", floats(Shape.of(2, 2), 1, 2, Float.NaN, 4), "label", longs(1, 2)),
                "column x: row 1 must be a finite FLOAT32, was NaN");
        refused(
                npz("x", doubles(Shape.of(2, 2), 1, 2, 3, 1e39), "label", longs(1, 2)),
                "column x: row 1 must be a finite FLOAT32, was 1.0E39");
        Files.writeString(here.resolve("a.npz"), "PK no zip");
        refused(here.resolve("a.npz"), "is not a sound zip archive: ");
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

    private static void refused(Path file, String sentence) {
        assertThatThrownBy(() -> NumpyRows.npz(BOTH, file))
                .isInstanceOf(MalformedRowsException.class)
                .hasMessageStartingWith(sentence);
    }
}
