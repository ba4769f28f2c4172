package hocket.workbench.online;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hocket.schedulers.Source;
import hocket.schedulers.feeds.WaitCancelledException;
import hocket.scopes.Streams;
import hocket.scopes.Tensor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class OnlineSourceTest {
    private static final Streams STREAMS = Streams.seed(7);

    @TempDir
    private Path here;

    private static OnlineSource source() {
        return new OnlineSource("stream", Numbered.FORMAT, 4, 100, true);
    }

    private static List<Long> drawn(Source source) {
        Tensor sequence =
                Objects.requireNonNull(source.draw(column -> column.name().equals("sequence"), STREAMS)
                        .tensors()
                        .get("sequence"));
        List<Long> rows = new ArrayList<>();
        var values = sequence.buffer();
        while (values.hasRemaining()) {
            rows.add(values.getLong());
        }
        return rows;
    }

    @Test
    void drawsGiveBatchesInOrderAndFreeRoomInTheQueue() {
        OnlineSource source = source();
        try (OnlineQueues queues = OnlineQueues.open(List.of(source), here, RowsObserver.NOBODY)) {
            DurableQueue queue = queues.of("stream");
            queue.append("a", 0, Numbered.rows(1, 0, 3));
            queue.append("a", 3, Numbered.rows(1, 3, 6));
            assertThat(drawn(source)).containsExactly(0L, 1L, 2L, 3L);
            assertThat(queue.waiting()).isEqualTo(5);
            assertThat(drawn(source)).containsExactly(4L, 5L, 6L, 7L);
            assertThat(queue.waiting()).isEqualTo(1);
        }
        assertThat(here.resolve("queue/stream")).isDirectory();
    }

    @Test
    void itGoesOnFromWhatWasSavedAlsoInAnotherProcess() {
        OnlineSource source = source();
        var begin = source.save();
        try (OnlineQueues queues = OnlineQueues.open(List.of(source), here, RowsObserver.NOBODY)) {
            queues.of("stream").append("a", 0, Numbered.rows(1, 0, 20));
            drawn(source);
            var saved = source.save();
            assertThat(drawn(source)).containsExactly(4L, 5L, 6L, 7L);
            source.restore(saved);
            assertThat(drawn(source)).containsExactly(4L, 5L, 6L, 7L);
            source.restore(begin);
            assertThat(drawn(source)).containsExactly(0L, 1L, 2L, 3L);
            begin = saved;
        }
        OnlineSource again = source();
        again.restore(begin);
        try (OnlineQueues queues = OnlineQueues.open(List.of(again), here, RowsObserver.NOBODY)) {
            assertThat(queues.of("stream").waiting()).isEqualTo(16);
            assertThat(drawn(again)).containsExactly(4L, 5L, 6L, 7L);
        }
    }

    @Test
    void aQueueThatIsNotTheRunsIsRefusedNamingItsRows() {
        OnlineSource source = source();
        source.restore(source.save().with("row", 12));
        assertThatThrownBy(() -> OnlineQueues.open(List.of(source), here, RowsObserver.NOBODY))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("source stream continues with row 12, and the queue")
                .hasMessageContaining("has rows 0 to 0");
    }

    @Test
    void itWaitsForAWholeBatchAndSaysSo() throws Exception {
        OnlineSource source = source();
        try (OnlineQueues queues = OnlineQueues.open(List.of(source), here, RowsObserver.NOBODY)) {
            DurableQueue queue = queues.of("stream");
            queue.append("a", 0, Numbered.rows(1, 0, 3));
            List<Long> got = new ArrayList<>();
            Thread training = new Thread(() -> got.addAll(drawn(source)));
            training.start();
            while (!source.waits()) {
                Thread.onSpinWait();
            }
            queue.append("a", 3, Numbered.rows(1, 3, 1));
            training.join();
            assertThat(got).containsExactly(0L, 1L, 2L, 3L);
            assertThat(source.waits()).isFalse();
        }
    }

    @Test
    void whoIsAskedToEndDoesNotWaitAndLosesNothing() {
        AtomicBoolean asked = new AtomicBoolean(true);
        List<String> heard = new ArrayList<>();
        RowsObserver rowsObserver = new RowsObserver() {
            @Override
            public boolean isAskedToEnd() {
                return asked.get();
            }

            @Override
            public void waits(String source, long there, int wanted) {
                heard.add(source + " " + there + "/" + wanted);
                asked.set(true);
            }

            @Override
            public void continues(String source) {
                heard.add("on");
            }

            @Override
            public void says(String line) {}
        };
        OnlineSource source = source();
        try (OnlineQueues queues = OnlineQueues.open(List.of(source), here, rowsObserver)) {
            DurableQueue queue = queues.of("stream");
            queue.append("a", 0, Numbered.rows(1, 0, 6));
            assertThat(drawn(source)).containsExactly(0L, 1L, 2L, 3L); // those are there
            asked.set(false);
            assertThatThrownBy(() -> drawn(source)).isInstanceOf(WaitCancelledException.class);
            assertThat(heard).containsExactly("stream 2/4", "on");
            queue.append("a", 6, Numbered.rows(1, 6, 2));
            assertThat(drawn(source)).containsExactly(4L, 5L, 6L, 7L);
        }
    }

    @Test
    @Timeout(value = 10, threadMode = Timeout.ThreadMode.SEPARATE_THREAD) // a thread that spins heeds no interrupt
    void anInterruptedThreadStopsWaitingAndLosesNoRow() {
        OnlineSource source = source();
        try (OnlineQueues queues = OnlineQueues.open(List.of(source), here, RowsObserver.NOBODY)) {
            DurableQueue queue = queues.of("stream");
            queue.append("a", 0, Numbered.rows(1, 0, 2));
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> drawn(source)).isInstanceOf(WaitCancelledException.class);
            assertThat(Thread.interrupted()).isTrue();
            assertThat(source.waits()).isFalse();
            queue.append("a", 2, Numbered.rows(1, 2, 2));
            assertThat(drawn(source)).containsExactly(0L, 1L, 2L, 3L);
        } finally {
            Thread.interrupted();
        }
    }

    @Test
    void whatIsNotOpenTouchesNoDiskAndGivesNoRows() throws IOException {
        OnlineSource source = source();
        assertThat(source.save().whole("row")).isZero();
        assertThat(source.notes()).hasSize(1);
        assertThatThrownBy(() -> drawn(source))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("has rows only while a run trains");
        try (var entries = Files.list(here)) {
            assertThat(entries).isEmpty();
        }
    }

    @Test
    void underAnotherNameItIsTheSameQueue() {
        OnlineSource source = source();
        Source renamed = source.feeding("other", List.of("who", "point", "sequence"));
        assertThat(renamed.columns().get(1)).hasToString("point (2) FLOAT32");
        assertThatThrownBy(() -> source.feeding("other", List.of("x"))).hasMessageContaining("feed_order names 1");
        try (OnlineQueues queues = OnlineQueues.open(List.of(renamed), here, RowsObserver.NOBODY)) {
            queues.of("other").append("a", 0, Numbered.rows(1, 0, 4));
            assertThat(drawn(renamed)).containsExactly(0L, 1L, 2L, 3L);
            assertThat(source.save().whole("row")).isEqualTo(4);
        }
    }

    @Test
    void aFeedThatThereIsNotIsRefusedNamingWhatIsNear() {
        try (OnlineQueues queues = OnlineQueues.open(List.of(source()), here, RowsObserver.NOBODY)) {
            assertThatThrownBy(() -> queues.of("steam"))
                    .hasMessage("no feed from outside is called steam; did you mean stream?");
        }
    }

    @Test
    void namesThatAreNoFoldersAndCapacitiesWithoutRoomAreRefused() {
        for (String name : List.of("..", "a/b", "", ".hidden", "x".repeat(101))) {
            assertThatThrownBy(() -> new OnlineSource(name, Numbered.FORMAT, 4, 100, true))
                    .hasMessageContaining("letters, digits");
        }
        assertThatThrownBy(() -> new OnlineSource("stream", Numbered.FORMAT, 51, 100, true))
                .hasMessage("capacity: must be at least 2 batches of 51 rows, so that a batch fits while one is waited"
                        + " for, was 100");
    }
}
