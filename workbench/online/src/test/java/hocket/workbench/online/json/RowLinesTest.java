package hocket.workbench.online.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import hocket.schedulers.Source;
import hocket.schedulers.Source.Column;
import hocket.scopes.ElementType;
import hocket.scopes.Shape;
import hocket.scopes.Streams;
import hocket.scopes.Tensor;
import hocket.workbench.online.DurableQueue;
import hocket.workbench.online.MalformedRowsException;
import hocket.workbench.online.OnlineQueues;
import hocket.workbench.online.OnlineSource;
import hocket.workbench.online.RowBatch;
import hocket.workbench.online.RowFormat;
import hocket.workbench.online.RowsObserver;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RowLinesTest {
    private static final RowFormat FORMAT = new RowFormat(List.of(
            new Column("x", Shape.of(2, 3), ElementType.FLOAT32),
            new Column("größe", Shape.scalar(), ElementType.FLOAT64),
            new Column("label", Shape.scalar(), ElementType.INT64)));
    private static final String FIRST = "{\"x\":[[1,2,3],[4,5,-6.5e0]],\"größe\":0.1,\"label\":-9223372036854775808}";
    private static final String SECOND =
            " { \"label\" : 7, \"x\" : [ [0,0,0] , [0,0,1e-3] ] , \"gr\\u00f6ße\" : 1e300 } \r";

    @TempDir
    private Path here;

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** What a run would train on. */
    private Map<String, Tensor> stored(RowBatch rowBatch) {
        Source source = new OnlineSource("rows", rowBatch.format(), rowBatch.rows(), 1000, false);
        try (OnlineQueues queues = OnlineQueues.open(List.of(source), here, RowsObserver.NOBODY)) {
            queues.of("rows").append(DurableQueue.NOBODY, 0, rowBatch);
            return source.draw(column -> true, Streams.seed(0)).tensors();
        }
    }

    @Test
    void linesBecomeRowsWhateverTheOrderOfTheirColumns() throws Exception {
        Map<String, Tensor> rows = stored(RowLines.read(FORMAT, bytes(FIRST + "\n" + SECOND + "\n")));
        assertThat(rows.get("x"))
                .isEqualTo(Tensor.of(Shape.of(2, 2, 3), new float[] {1, 2, 3, 4, 5, -6.5f, 0, 0, 0, 0, 0, 1e-3f}));
        ByteBuffer size = Objects.requireNonNull(rows.get("größe")).buffer();
        assertThat(new double[] {size.getDouble(), size.getDouble()}).containsExactly(0.1, 1e300);
        ByteBuffer label = Objects.requireNonNull(rows.get("label")).buffer();
        assertThat(new long[] {label.getLong(), label.getLong()}).containsExactly(Long.MIN_VALUE, 7);
    }

    @Test
    void bytesMayComeInPartsThatEndAnywhere() throws Exception {
        byte[] all = bytes(FIRST + "\n" + SECOND);
        Map<String, Tensor> whole = stored(RowLines.read(FORMAT, all));
        for (int cut = 0; cut < all.length; cut++) {
            RowLines lines = new RowLines(FORMAT);
            lines.add(ByteBuffer.wrap(all, 0, cut));
            lines.add(ByteBuffer.wrap(all, cut, all.length - cut));
            assertThat(lines.rows()).isEqualTo(1);
            RowBatch rowBatch = lines.end();
            assertThat(rowBatch.rows()).isEqualTo(2);
            if (cut % 20 == 0) {
                assertThat(stored(rowBatch).get("x")).as("cut at %d", cut).isNotNull();
            }
        }
        assertThat(whole).hasSize(3);
    }

    @Test
    void whatIsTakenEarlyIsABatchAndLinesAreCountedOn() throws Exception {
        RowLines lines = new RowLines(FORMAT);
        lines.add(ByteBuffer.wrap(bytes(FIRST + "\n" + FIRST + "\n" + FIRST)));
        assertThat(lines.rows()).isEqualTo(2);
        assertThat(lines.bytes()).isEqualTo(2 * FORMAT.bytes());
        assertThat(lines.take().rows()).isEqualTo(2);
        assertThatThrownBy(() -> lines.add(ByteBuffer.wrap(bytes("\n}\n"))))
                .isInstanceOf(MalformedRowsException.class)
                .hasMessageStartingWith("line 4: ");
    }

    @Test
    void whatIsNoRowIsRefusedAtItsLineAndColumn() {
        refused("", "line 1: must be a row as a JSON object, but the input ends");
        refused(FIRST + "\n\n" + FIRST, "line 2: must be an object such as {\"x\": …}, was empty");
        refused("[]", "line 1: must be an object such as {\"x\": …}, was an array");
        refused(FIRST + "\n" + FIRST + FIRST, "line 2: must end after its object, was an object");
        refused(FIRST.replace(":0.1", ":0.1,\"label\":1"), "line 1, column label: must be there once, is there twice");
        refused(FIRST.replace("label", "lable"), "line 1: there is no column lable; did you mean label?");
        refused(FIRST.replace(",\"größe\":0.1", ""), "line 1, column größe: must be there, is missing");
        refused(FIRST.substring(0, 30), "line 1: is not JSON: Unexpected end-of-input");
        refused("{'x': 1}", "line 1: is not JSON: Unexpected character (''' (code 39))");
    }

    @Test
    void whatIsNotOfItsColumnsShapeIsRefused() {
        refusedX("[[1,2,3]]", "must be an array of 2 values as axis 0 of (2,3), has 1");
        refusedX("[[1,2,3],[1,2,3],[1,2,3]]", "must be an array of 2 values as axis 0 of (2,3), has more");
        refusedX("[[1,2,3],[1,2]]", "must be an array of 3 values as axis 1 of (2,3), has 2");
        refusedX("[[1,2,3],[1,2,3,4]]", "must be an array of 3 values as axis 1 of (2,3), has more");
        refusedX("[1,2,3,4,5,6]", "must be an array of 3 values as axis 1 of (2,3), was 1");
        refusedX("3", "must be an array of 2 values as axis 0 of (2,3), was 3");
        refusedX("{\"a\":1}", "must be an array of 2 values as axis 0 of (2,3), was an object");
        refusedX("[[1,2,[3]],[1,2,3]]", "must be a number, was an array");
    }

    @Test
    void numbersThatAreNoneAreRefused() {
        refusedX("[[1,2,3],[4,5,\"6\"]]", "must be a number, was 6");
        refusedX("[[1,2,3],[4,5,null]]", "must be a number, was null");
        refusedX("[[1,2,3],[4,5,true]]", "must be a number, was true");
        refusedX("[[1,2,3],[4,5,1e39]]", "must be a finite FLOAT32, was 1.0E39");
        refusedX("[[1,2,3],[4,5,1e999]]", "must be a finite FLOAT32, was Infinity");
        refused(FIRST.replace("-6.5e0", "NaN"), "line 1: is not JSON: ");
        refused(FIRST.replace("-6.5e0", "Infinity"), "line 1: is not JSON: ");
        refused(FIRST.replace("-6.5e0", "0x10"), "line 1: is not JSON: ");
        refused(FIRST.replace("-6.5e0", "1".repeat(101)), "line 1: is not JSON: Number value length (101)");
        String whole = "line 1, column label: must be a whole number from -2^63 to 2^63 - 1, was ";
        for (String label : List.of("9223372036854775808", "1.0", "1e3", "null")) {
            refused(FIRST.replace("-9223372036854775808", label), whole + label);
        }
    }

    @Test
    void whatIsNoTextInUtf8IsRefused() {
        byte[] latin = FIRST.getBytes(StandardCharsets.ISO_8859_1);
        assertThatThrownBy(() -> RowLines.read(FORMAT, latin)).hasMessage("line 1: must be UTF-8 text, is not");
        for (var other : List.of(StandardCharsets.UTF_16BE, StandardCharsets.UTF_16LE)) {
            assertThatThrownBy(() -> RowLines.read(FORMAT, FIRST.getBytes(other)))
                    .hasMessageContaining("must be UTF-8 text, has a zero");
        }
    }

    @Test
    void linesAndDepthsAreLimited() {
        refused(FIRST.replace("0.1", "[".repeat(200)), "line 1, column größe: must be a number, was an array");
        refused("{\"x\":" + "[".repeat(500), "line 1, column x: ");
        RowFormat small = new RowFormat(List.of(new Column("a", Shape.scalar(), ElementType.INT64)));
        byte[] blanks = new byte[RowLines.MOST_LINE_BYTES + 1];
        Arrays.fill(blanks, (byte) ' ');
        assertThatThrownBy(() -> RowLines.read(small, blanks))
                .hasMessage("line 1: a line may have 16777216 bytes, this one has more");
    }

    private static void refusedX(String x, String sentence) {
        refused(FIRST.replace("[[1,2,3],[4,5,-6.5e0]]", x), "line 1, column x: " + sentence);
    }

    private static void refused(String text, String sentence) {
        MalformedRowsException refused =
                catchThrowableOfType(MalformedRowsException.class, () -> RowLines.read(FORMAT, bytes(text)));
        assertThat(refused).as(text).hasMessageStartingWith(sentence);
        assertThat(sentence).startsWith("line " + refused.line());
        assertThat(sentence.contains("column " + refused.column() + ":"))
                .isEqualTo(!refused.column().isEmpty());
    }
}
