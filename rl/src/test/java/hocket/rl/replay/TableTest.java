package hocket.rl.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import hocket.schedulers.Source;
import hocket.schedulers.Source.Column;
import hocket.schedulers.optimizers.rates.Rate;
import hocket.schedulers.state.State;
import hocket.scopes.ElementType;
import hocket.scopes.Shape;
import hocket.scopes.Streams;
import hocket.scopes.Tensor;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tables of rows that a turn collects, and minibatches of them. */
class TableTest {
    private static Table numbers(long... numbers) {
        Table table = new Table(
                "rows",
                6,
                List.of(
                        new Column("a", Shape.of(), ElementType.INT64),
                        new Column("pair", Shape.of(2), ElementType.FLOAT32),
                        new Column("real", Shape.of(), ElementType.FLOAT32)),
                () -> List.of("written by hand"));
        if (numbers.length > 0) {
            collect(table, numbers);
        }
        return table;
    }

    private static void collect(Table table, long... numbers) {
        float[] reals = new float[numbers.length];
        float[] pairs = new float[2 * numbers.length];
        for (int i = 0; i < numbers.length; i++) {
            reals[i] = numbers[i];
            pairs[2 * i] = -numbers[i];
            pairs[2 * i + 1] = numbers[i] / 2f;
        }
        table.set("a", numbers);
        table.set("pair", pairs);
        table.set("real", reals);
        table.collected();
    }

    @Test
    void eachEpochPassesOnceOverAllRowsInANewOrderAndNewRowsBeginANewOne() {
        Table table = numbers();
        Source batches = new Minibatches("some", table, 2, "a").feeding("some", List.of("b"));
        assertThatThrownBy(() -> drawn(batches, 1))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("source some has no rows: put the turn that collects them first in the plan");
        collect(table, 0, 1, 2, 3, 4, 5);
        long[] first = drawn(batches, 3);
        long[] second = drawn(batches, 3);
        assertThat(first).containsExactlyInAnyOrder(0, 1, 2, 3, 4, 5);
        assertThat(second).containsExactlyInAnyOrder(0, 1, 2, 3, 4, 5).isNotEqualTo(first);
        drawn(batches, 1);
        State saved = batches.save();
        long[] rest = drawn(batches, 2);
        batches.restore(saved);
        assertThat(drawn(batches, 2)).isEqualTo(rest);
        drawn(batches, 1);
        collect(table, 10, 11, 12, 13, 14, 15);
        assertThat(drawn(batches, 3)).containsExactlyInAnyOrder(10, 11, 12, 13, 14, 15);
        assertThat(batches.columns()).extracting(Column::name).containsExactly("b");
        assertThatThrownBy(() -> new Minibatches("some", table, 4))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("source some: a minibatch must divide the 6 rows, was 4");
    }

    private static long[] drawn(Source batches, int draws) {
        return IntStream.range(0, draws)
                .mapToObj(draw -> batches.draw(column -> true, Streams.seed(1)).tensors())
                .flatMapToLong(columns ->
                        Arrays.stream(Objects.requireNonNull(columns.get("b")).longs()))
                .toArray();
    }

    @Test
    void aMinibatchHasTheSameRowsOfAllColumnsInTheirTypes() {
        Minibatches batches = new Minibatches(numbers(0, 1, 2, 3, 4, 5), 3).with("clip_range", Rate.constant(0.2));
        assertThat(batches.notes()).containsExactly("written by hand");
        for (int draw = 0; draw < 4; draw++) {
            var columns = batches.draw(column -> true, Streams.seed(1)).tensors();
            long[] a = Objects.requireNonNull(columns.get("a")).longs();
            float[] pair = Objects.requireNonNull(columns.get("pair")).floats();
            for (int i = 0; i < 3; i++) {
                assertThat(pair[2 * i]).isEqualTo(-a[i]);
                assertThat(pair[2 * i + 1]).isEqualTo(a[i] / 2f);
            }
            assertThat(Objects.requireNonNull(columns.get("clip_range")).floats())
                    .containsOnly(0.2f);
        }
    }

    @Test
    void aNormalisedColumnHasMeanZeroAndDeviationOneInEachMinibatch() {
        Minibatches batches = new Minibatches(numbers(1, 2, 4, 8, 16, 32), 3).normalising("real");
        var columns = batches.draw(column -> true, Streams.seed(1)).tensors();
        double[] real = Objects.requireNonNull(columns.get("real")).doubles();
        assertThat(Arrays.stream(real).sum()).isCloseTo(0, within(1e-6));
        assertThat(Arrays.stream(real).map(each -> each * each).sum() / 2).isCloseTo(1, within(1e-6));
        for (String column : new String[] {"a", "none"}) {
            assertThatThrownBy(() -> batches.normalising(column))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith("source rollout: no column " + column + " of FLOAT32 to normalise in [a ");
        }
    }

    @Test
    void aColumnOfMoreBytesThanAnArrayHoldsIsRefused() {
        Column wide = new Column("wide", Shape.of(1 << 10), ElementType.FLOAT32);
        assertThatThrownBy(() -> new Table("rows", 1 << 20, wide))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("table rows: bytes of column wide: must have at most 2147483647 elements,"
                        + " 1048576 · 1024 · 4 are 4294967296");
    }

    @Test
    void wrongColumnsAndSizesAreRefused() {
        Table table = numbers(0, 1, 2, 3, 4, 5);
        assertThatThrownBy(() -> table.set("b", new float[6]))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("table rows has no column b");
        assertThatThrownBy(() -> table.set("pair", new float[6]))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("table rows: 6 rows of column pair (2) FLOAT32 have 12 numbers, got 6");
        assertThatThrownBy(() -> table.set("real", new long[6]))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("table rows: column real () FLOAT32 takes no whole numbers of INT64");
        State before = table.save();
        assertThatThrownBy(() -> table.set("real", new float[5]))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("table rows: 6 rows of column real () FLOAT32 have 6 numbers, got 5");
        assertThat(table.save().equals(before)).isTrue();
        assertThatThrownBy(() -> new Minibatches("some", table, 2, "reel"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("table rows has no column reel");
    }

    @Test
    void aSavedTableIsRestoredAndOneOfOtherRowsChangesNothing() {
        Table table = numbers(0, 1, 2, 3, 4, 5);
        Table other = numbers();
        other.restore(table.save());
        assertThat(other.values("pair")).isEqualTo(table.values("pair"));
        assertThat(other.collections()).isEqualTo(1);
        State wrong = table.save().with("real", Tensor.of(Shape.of(5), new float[5]));
        State before = other.save();
        assertThatThrownBy(() -> other.restore(wrong))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("table rows: 6 rows of column real () FLOAT32 have 6 numbers, got 5");
        assertThat(other.save().equals(before)).isTrue();
    }

    /** Before 0.1 a rollout saved its arrays itself, discrete actions as floats. */
    @Test
    void rowsOfFormerRolloutsAreRead() {
        Table table = new Table(
                "rollout",
                2,
                new Column("observation", Shape.of(2), ElementType.FLOAT32),
                new Column("action", Shape.of(), ElementType.INT64));
        table.restore(OnPolicyRollout.rows(State.empty()
                .with("collected", 3)
                .with("observations", Tensor.of(Shape.of(4), 1f, 2, 3, 4))
                .with("actions", Tensor.of(Shape.of(2), 5f, 6))
                .with("returns", Tensor.of(Shape.of(2), 0f, 0))));
        assertThat(table.collections()).isEqualTo(3);
        assertThat(table.values("observation")).isEqualTo(Tensor.of(Shape.of(2, 2), 1f, 2, 3, 4));
        assertThat(table.values("action").longs()).containsExactly(5, 6);
    }
}
