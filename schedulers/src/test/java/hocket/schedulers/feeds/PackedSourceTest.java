package hocket.schedulers.feeds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hocket.schedulers.Rows;
import hocket.schedulers.Source;
import hocket.schedulers.state.State;
import hocket.scopes.Shape;
import hocket.scopes.Streams;
import hocket.scopes.Tensor;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PackedSourceTest {
    private static final Streams STREAMS = Streams.seed(3);

    private static Source inner(int batch) {
        float[] values = new float[12 * 6];
        for (int i = 0; i < values.length; i++) {
            values[i] = i;
        }
        long[] labels = IntStream.range(0, 12).asLongStream().toArray();
        return Rows.of("x", Tensor.of(Shape.of(12, 2, 3), values))
                .and("label", Tensor.of(Shape.of(12), labels))
                .batches("rows", batch, true);
    }

    /** The columns of the next batch. */
    private static List<Tensor> drawn(Source source) {
        Map<String, Tensor> tensors = source.draw(column -> true, STREAMS).tensors();
        return source.columns().stream()
                .map(column -> Objects.requireNonNull(tensors.get(column.name())))
                .toList();
    }

    @Test
    void aPackHasTheRowsOfTheOtherSourceOneAfterTheOther() {
        Source packed = PackedSource.of(inner(6), 3);
        assertThat(packed.columns()).hasToString("[x (6,3) FLOAT32, label (3) INT64]");
        assertThat(packed.batch()).isEqualTo(2);
        assertThat(packed.drawsAnEpoch()).hasValue(2);
        Source rows = inner(6);
        for (int draw = 0; draw < 5; draw++) { // over epochs, each with an order of its own
            List<Tensor> packs = drawn(packed);
            List<Tensor> single = drawn(rows);
            assertThat(packs.get(0).shape()).isEqualTo(Shape.of(2, 6, 3));
            assertThat(packs.get(0).floats()).isEqualTo(single.get(0).floats());
            assertThat(packs.get(1).longs()).isEqualTo(single.get(1).longs());
            assertThat(packed.epoch()).isEqualTo(rows.epoch());
        }
    }

    @Test
    void aResumedPackedSourceGivesTheNextPacks() {
        Source packed = PackedSource.of(inner(4), 2);
        drawn(packed);
        drawn(packed);
        State saved = packed.save();
        Source resumed = PackedSource.of(inner(4), 2);
        resumed.restore(saved);
        for (int draw = 0; draw < 4; draw++) {
            assertThat(drawn(resumed).get(0).floats())
                    .isEqualTo(drawn(packed).get(0).floats());
        }
        assertThat(drawn(packed.fresh().orElseThrow()).get(0).floats())
                .isEqualTo(drawn(PackedSource.of(inner(4), 2)).get(0).floats());
    }

    @Test
    void packsOfOneRowAreTheSourceItself() {
        Source source = inner(4);
        assertThat(PackedSource.of(source, 1)).isSameAs(source);
        assertThat(PackedSource.columns(source.columns(), 1)).isEqualTo(source.columns());
    }

    @Test
    void aBatchThatIsNotOfWholePacksIsRefused() {
        assertThatThrownBy(() -> PackedSource.of(inner(4), 3))
                .hasMessage("pack: must be at least 1 and divide the batch of source rows, 4 rows, was 3");
        assertThat(PackedSource.of(inner(4), 4).columns())
                .isEqualTo(List.copyOf(PackedSource.columns(inner(4).columns(), 4)));
    }
}
