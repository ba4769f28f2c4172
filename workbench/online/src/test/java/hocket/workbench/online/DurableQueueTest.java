package hocket.workbench.online;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import hocket.schedulers.Source.Column;
import hocket.scopes.ElementType;
import hocket.scopes.Shape;
import hocket.workbench.online.Numbered.Row;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DurableQueueTest {
    @TempDir
    private Path here;

    private DurableQueue open() {
        return DurableQueue.open(here.resolve("stream"), Numbered.FORMAT, 1000, true);
    }

    /** Segments of a few batches. */
    private DurableQueue openSmall() {
        return DurableQueue.open(here.resolve("stream"), Numbered.FORMAT, 1000, true, 1000, LogFile::local);
    }

    private static List<Row> rows(long client, long from, long to) {
        return LongStream.range(from, to).mapToObj(i -> new Row(client, i)).toList();
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> all = Files.list(here.resolve("stream"))) {
            return all.sorted().toList();
        }
    }

    @Test
    void aBatchHasNumbersThatItsColumnsHave() {
        RowBatch.Builder batch = new RowBatch.Builder(Numbered.FORMAT);
        assertThatThrownBy(() -> batch.add(1, Double.NaN)).hasMessage("must be a finite FLOAT32, was NaN");
        assertThatThrownBy(() -> batch.add(1, 1e39)).hasMessage("must be a finite FLOAT32, was 1.0E39");
        assertThatThrownBy(() -> batch.add(0, 0.5)).hasMessage("must be a whole number, was 0.5");
        batch.add(0, 3);
        batch.add(1, 3); // as a float
        batch.add(1, 4.5);
        batch.add(2, 3);
        assertThat(batch.end(1).bytes()).hasSize(Numbered.FORMAT.bytes());
        assertThatThrownBy(() -> batch.end(0)).hasMessageContaining("at least 1 row");
        int most = RowBatch.MOST_BYTES / Numbered.FORMAT.bytes();
        assertThatThrownBy(() -> Numbered.rows(1, 0, most + 1)).hasMessageContaining("give fewer at a time");
    }

    @Test
    void rowsComeBackInTheOrderInWhichTheyCame() {
        try (DurableQueue queue = open()) {
            assertThat(queue.append("a", 0, Numbered.rows(1, 0, 3))).isEqualTo(new DurableQueue.Acknowledged(3, 3, 3));
            queue.append("b", 0, Numbered.tensors(2, 0, 2));
            queue.append("a", 3, Numbered.rows(1, 3, 1));
            List<Row> wanted = new ArrayList<>(rows(1, 0, 3));
            wanted.addAll(rows(2, 0, 2));
            wanted.addAll(rows(1, 3, 4));
            assertThat(Numbered.read(queue, 0, 6)).isEqualTo(wanted);
            assertThat(Numbered.read(queue, 2, 3)).isEqualTo(wanted.subList(2, 5));
        }
    }

    @Test
    void theyAreThereWhenItIsOpenedAgainAlsoAcrossSegments() throws Exception {
        try (DurableQueue queue = openSmall()) {
            for (int i = 0; i < 50; i++) {
                queue.append("a", 3 * i, Numbered.rows(1, 3 * i, 3));
            }
        }
        assertThat(files()).hasSizeGreaterThan(5);
        try (DurableQueue queue = openSmall()) {
            assertThat(queue.end()).isEqualTo(150);
            assertThat(Numbered.read(queue, 0, 150)).isEqualTo(rows(1, 0, 150));
            queue.append("a", 150, Numbered.rows(1, 150, 3));
            assertThat(Numbered.read(queue, 140, 13)).isEqualTo(rows(1, 140, 153));
        }
    }

    @Test
    void aSequenceThatIsRepeatedIsAcknowledgedAgainAndStoredOnce() {
        try (DurableQueue queue = open()) {
            queue.append("a", 0, Numbered.rows(1, 0, 4));
            assertThat(queue.append("a", 0, Numbered.rows(1, 0, 4))).isEqualTo(new DurableQueue.Acknowledged(4, 0, 4));
            assertThat(queue.append("a", 1, Numbered.rows(1, 1, 2))).isEqualTo(new DurableQueue.Acknowledged(4, 0, 4));
            assertThat(queue.append("a", 2, Numbered.rows(1, 2, 5))).isEqualTo(new DurableQueue.Acknowledged(7, 3, 7));
            assertThat(Numbered.read(queue, 0, 7)).isEqualTo(rows(1, 0, 7));
        }
        try (DurableQueue queue = open()) {
            assertThat(queue.append("a", 5, Numbered.rows(1, 5, 2)).stored()).isZero();
        }
    }

    @Test
    void whoGivesNoNameIsNotNumbered() {
        try (DurableQueue queue = open()) {
            queue.append(DurableQueue.NOBODY, 0, Numbered.rows(1, 0, 2));
            queue.append(DurableQueue.NOBODY, 0, Numbered.rows(1, 2, 2));
            assertThat(Numbered.read(queue, 0, 4)).isEqualTo(rows(1, 0, 4));
        }
        try (DurableQueue queue = open()) {
            assertThat(queue.clients()).isEmpty();
        }
    }

    @Test
    void aGapIsRefusedNamingTheNumberThatIsExpected() {
        try (DurableQueue queue = open()) {
            queue.append("a", 0, Numbered.rows(1, 0, 4));
            assertThatThrownBy(() -> queue.append("a", 6, Numbered.rows(1, 6, 1)))
                    .isInstanceOf(NotStoredException.Gap.class)
                    .hasMessageEndingWith("client a must continue with sequence number 4, was 6");
            assertThatThrownBy(() -> queue.append("b", 1, Numbered.rows(1, 0, 1)))
                    .isInstanceOf(NotStoredException.Gap.class);
            assertThat(queue.end()).isEqualTo(4);
        }
    }

    @Test
    void aFullQueueSaysHowManyRowsWaitAndTakesMoreOnceSomeAreTaken() {
        try (DurableQueue queue = DurableQueue.open(here, Numbered.FORMAT, 10, true)) {
            queue.append("a", 0, Numbered.rows(1, 0, 5));
            queue.append("a", 5, Numbered.rows(1, 5, 4));
            NotStoredException.Full full = catchThrowableOfType(
                    NotStoredException.Full.class, () -> queue.append("a", 9, Numbered.rows(1, 9, 2)));
            assertThat(full.waiting()).isEqualTo(9);
            assertThat(full.capacity()).isEqualTo(10);
            assertThat(queue.append("a", 7, Numbered.rows(1, 7, 3)).stored()).isEqualTo(1); // two were there
            queue.taken(4);
            assertThat(queue.append("a", 10, Numbered.rows(1, 10, 4)).waiting()).isEqualTo(10);
        }
    }

    @Test
    void noRefusalTellsAClientWhereTheQueueLies() {
        LogFile.Opening full = file -> {
            throw new IOException("No space left on device");
        };
        try (DurableQueue queue = DurableQueue.open(here.resolve("points"), Numbered.FORMAT, 4, true, 1000, full)) {
            assertThatThrownBy(() -> queue.append("a", 0, Numbered.rows(1, 0, 1)))
                    .hasMessage("feed points could not be written: No space left on device");
            assertThatThrownBy(() -> queue.append("a", 0, Numbered.rows(1, 0, 3)))
                    .hasMessageStartingWith("feed points: a batch may have 2 rows");
            assertThatThrownBy(() -> queue.append("x".repeat(201), 0, Numbered.rows(1, 0, 1)))
                    .hasMessage("feed points: the name of a client may have 200 bytes, this one has 201");
            assertThatThrownBy(() -> queue.append("a\0b", 0, Numbered.rows(1, 0, 1)))
                    .hasMessage("feed points: the name of a client may not have the character NUL");
            assertThatThrownBy(() -> queue.append("a", -1, Numbered.rows(1, 0, 1)))
                    .hasMessageStartingWith("feed points: a sequence number");
        }
        try (DurableQueue queue = DurableQueue.open(here.resolve("points"), Numbered.FORMAT, 4, true)) {
            assertThatThrownBy(() -> queue.append("a", 3, Numbered.rows(1, 0, 1)))
                    .hasMessageStartingWith("feed points: client a must continue");
            queue.append("a", 0, Numbered.rows(1, 0, 2));
            queue.append("a", 2, Numbered.rows(1, 2, 2));
            assertThatThrownBy(() -> queue.append("a", 4, Numbered.rows(1, 4, 1)))
                    .hasMessageStartingWith("feed points: 1 rows do not fit");
            queue.close();
            assertThatThrownBy(() -> queue.append("a", 4, Numbered.rows(1, 4, 1)))
                    .hasMessage("feed points is closed");
        }
    }

    @Test
    void aBatchThatWouldNeverFitIsRefusedForGood() {
        try (DurableQueue queue = DurableQueue.open(here, Numbered.FORMAT, 10, true)) {
            assertThatThrownBy(() -> queue.append("a", 0, Numbered.rows(1, 0, 6)))
                    .isInstanceOf(NotStoredException.Unfit.class)
                    .hasMessageContaining("may have 5 rows, half of the capacity, this one has 6");
            assertThatThrownBy(() -> queue.append("x".repeat(201), 0, Numbered.rows(1, 0, 1)))
                    .isInstanceOf(NotStoredException.Unfit.class);
            assertThatThrownBy(() -> queue.append("a", -1, Numbered.rows(1, 0, 1)))
                    .isInstanceOf(NotStoredException.Unfit.class);
        }
    }

    @Test
    void clientsBeyondThoseThatAreRememberedAreRefused() {
        try (DurableQueue queue = DurableQueue.open(here, Numbered.FORMAT, 20_000, false)) {
            RowBatch row = Numbered.rows(1, 0, 1);
            for (int i = 0; i < DurableQueue.MOST_CLIENTS; i++) {
                queue.append("c" + i, 0, row);
            }
            assertThatThrownBy(() -> queue.append("one more", 0, row))
                    .isInstanceOf(NotStoredException.TooManyClients.class);
            queue.append("c7", 1, row);
        }
    }

    @Test
    void clientsAreRememberedWhenTheirSegmentsAreGone() throws Exception {
        try (DurableQueue queue = openSmall()) {
            queue.append("früh", 0, Numbered.rows(1, 0, 2));
            for (int i = 0; i < 50; i++) {
                queue.append("late", 3 * i, Numbered.rows(2, 3 * i, 3));
            }
            int before = files().size();
            queue.release(100);
            assertThat(files()).hasSizeLessThan(before);
            assertThat(queue.first()).isBetween(50L, 100L);
        }
        try (DurableQueue queue = openSmall()) {
            assertThat(queue.next("früh")).isEqualTo(2);
            assertThat(queue.next("late")).isEqualTo(150);
            assertThat(Numbered.read(queue, 100, 52)).isEqualTo(rows(2, 98, 150));
            assertThatThrownBy(() -> Numbered.read(queue, 3, 1)).hasMessageContaining("has no row 3 any longer");
        }
    }

    @Test
    void segmentsStayUntilAllOfTheirRowsArePast() throws Exception {
        try (DurableQueue queue = openSmall()) {
            for (int i = 0; i < 20; i++) {
                queue.append("a", 3 * i, Numbered.rows(1, 3 * i, 3));
            }
            long second = queue.segments().get(1).first();
            queue.release(second - 1);
            assertThat(queue.first()).isZero();
            queue.release(second);
            assertThat(queue.first()).isEqualTo(second);
            queue.release(1000);
            assertThat(files()).hasSize(1);
        }
    }

    /** Leaves a queue with two batches of three rows, and gives where the first ends in its file. */
    private long twoBatches() throws Exception {
        try (DurableQueue queue = open()) {
            queue.append("a", 0, Numbered.rows(1, 0, 3));
            long whole = Files.size(files().get(0));
            queue.append("a", 3, Numbered.rows(1, 3, 3));
            return whole;
        }
    }

    @Test
    void aTailThatWasNeverFinishedIsCutWhereverItEnds() throws Exception {
        long whole = twoBatches();
        Path file = files().get(0);
        byte[] all = Files.readAllBytes(file);
        for (int length = (int) whole; length < all.length; length++) {
            Files.write(file, Arrays.copyOf(all, length));
            try (DurableQueue queue = open()) {
                assertThat(queue.end()).as("of %d bytes", length).isEqualTo(3);
                assertThat(queue.next("a")).isEqualTo(3);
                queue.append("a", 3, Numbered.rows(1, 3, 3));
                assertThat(Numbered.read(queue, 0, 6)).isEqualTo(rows(1, 0, 6));
            }
            assertThat(Files.readAllBytes(file)).isEqualTo(all);
        }
    }

    @Test
    void aTailOfZerosAsALossOfPowerLeavesItIsCut() throws Exception {
        long whole = twoBatches();
        Path file = files().get(0);
        byte[] all = Files.readAllBytes(file);
        for (int length = (int) whole; length < all.length - 3; length++) {
            byte[] grown = new byte[all.length];
            System.arraycopy(all, 0, grown, 0, length);
            Files.write(file, grown);
            try (DurableQueue queue = open()) {
                assertThat(queue.end()).as("zeros from byte %d on", length).isEqualTo(3);
            }
        }
    }

    @Test
    void aByteThatWasChangedIsNamedAndNothingIsCut() throws Exception {
        try (DurableQueue queue = openSmall()) {
            for (int i = 0; i < 15; i++) {
                queue.append("a", 2 * i, Numbered.rows(1, 2 * i, 2));
            }
        }
        List<Path> files = files();
        assertThat(files).hasSizeGreaterThan(1);
        for (Path file : files) {
            byte[] all = Files.readAllBytes(file);
            for (int at = 0; at < all.length; at++) {
                byte[] changed = all.clone();
                changed[at] ^= (byte) (1 << at % 8);
                Files.write(file, changed);
                assertThatThrownBy(this::openSmall)
                        .as("byte %d of %s", at, file)
                        .isInstanceOf(UncheckedIOException.class)
                        .hasMessageContaining(file.toString());
                assertThat(Files.readAllBytes(file)).isEqualTo(changed);
            }
            Files.write(file, all);
        }
        openSmall().close();
    }

    @Test
    void aByteThatIsChangedWhileItIsOpenIsNotTrainedOn() throws Exception {
        try (DurableQueue queue = open()) {
            queue.append("a", 0, Numbered.rows(1, 0, 3));
            queue.append("a", 3, Numbered.rows(1, 3, 3));
            Path file = files().get(0);
            byte[] all = Files.readAllBytes(file);
            all[all.length - 10] ^= 1;
            Files.write(file, all);
            assertThat(Numbered.read(queue, 0, 3)).isEqualTo(rows(1, 0, 3));
            assertThatThrownBy(() -> Numbered.read(queue, 0, 4))
                    .hasMessageContaining(file + " was changed from byte")
                    .hasMessageContaining("at row 3");
        }
    }

    @Test
    void aSegmentThatIsMissingIsNamed() throws Exception {
        try (DurableQueue queue = openSmall()) {
            for (int i = 0; i < 50; i++) {
                queue.append("a", 2 * i, Numbered.rows(1, 2 * i, 2));
            }
        }
        Path second = files().get(1);
        Path third = files().get(2);
        Path aside = here.resolve("aside");
        Files.move(second, aside);
        assertThatThrownBy(this::openSmall).hasMessageContaining(third + " begins with row");
        Files.move(aside, second);
        Files.move(second, third, StandardCopyOption.REPLACE_EXISTING);
        assertThatThrownBy(this::openSmall).hasMessageContaining("a segment is missing, or was renamed");
    }

    @Test
    void rowsOfOtherColumnsAreRefusedNamingBoth() {
        open().close();
        RowFormat other = new RowFormat(List.of(new Column("x", Shape.of(3), ElementType.FLOAT32)));
        try (DurableQueue queue = open()) {
            queue.append("a", 0, Numbered.rows(1, 0, 1));
        }
        assertThatThrownBy(() -> DurableQueue.open(here.resolve("stream"), other, 10, true))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("x (2) FLOAT32")
                .hasMessageContaining("x (3) FLOAT32");
    }

    @Test
    void aDiskThatIsFullLosesNothingAndRowsFitLater() {
        AtomicInteger writes = new AtomicInteger();
        LogFile.Opening full = file -> new Failing(LogFile.local(file)) {
            @Override
            public void write(long at, byte[] bytes, int length) throws IOException {
                if (writes.incrementAndGet() == 2) {
                    super.write(at, bytes, length / 2);
                    throw new IOException("No space left on device");
                }
                super.write(at, bytes, length);
            }
        };
        try (DurableQueue queue = DurableQueue.open(here, Numbered.FORMAT, 100, true, 1 << 20, full)) {
            queue.append("a", 0, Numbered.rows(1, 0, 2));
            assertThatThrownBy(() -> queue.append("a", 2, Numbered.rows(1, 2, 2)))
                    .isInstanceOf(UncheckedIOException.class)
                    .hasMessageContaining("No space left on device");
            queue.append("a", 2, Numbered.rows(1, 2, 2));
            assertThat(Numbered.read(queue, 0, 4)).isEqualTo(rows(1, 0, 4));
        }
    }

    /** A disk on which a new segment cannot be created, opened, or both, until there is space again. */
    private static final class FullAtBoundaries implements LogFile.Opening {
        private final boolean isCreated;
        private boolean isFull;
        private int refused;

        /** @param isCreated whether the new file is there already when the disk refuses */
        FullAtBoundaries(boolean isCreated) {
            this.isCreated = isCreated;
        }

        @Override
        public LogFile open(Path file) throws IOException {
            return LogFile.local(file);
        }

        @Override
        public void create(Path file, byte[] bytes) throws IOException {
            if (!isFull || isCreated) {
                LogFile.Opening.super.create(file, bytes);
            }
            if (isFull) {
                refused++;
                throw new IOException("No space left on device");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aDiskThatIsFullAtASegmentBoundaryLosesNothingAndRowsFitLater(boolean isCreated) throws Exception {
        FullAtBoundaries disk = new FullAtBoundaries(isCreated);
        Path folder = here.resolve("stream");
        try (DurableQueue queue = DurableQueue.open(folder, Numbered.FORMAT, 1000, true, 1000, disk)) {
            disk.isFull = true;
            assertThatThrownBy(() -> queue.append("a", 0, Numbered.rows(1, 0, 3))) // not even the first segment
                    .hasMessageEndingWith("stream could not be written: No space left on device");
            assertThat(queue.await(0, 1, 1)).isZero(); // training waits
            disk.isFull = false;
            long next = 0;
            for (; queue.segments().size() < 3; next += 3) {
                disk.isFull = next % 2 == 1; // every second batch, wherever it falls
                try {
                    queue.append("a", next, Numbered.rows(1, next, 3));
                } catch (UncheckedIOException e) {
                    assertThat(e).hasMessageEndingWith("No space left on device");
                    assertThatThrownBy(() -> queue.append("b", 0, Numbered.rows(2, 0, 1))) // a row that would still fit
                            .hasMessageEndingWith("No space left on device");
                    assertThat(queue.await(0, next, 1)).isEqualTo(next);
                    assertThat(QueueRecovery.of(folder, Numbered.FORMAT).end).isEqualTo(next); // as after a kill
                    disk.isFull = false;
                    queue.append("a", next, Numbered.rows(1, next, 3));
                }
            }
            assertThat(disk.refused).isGreaterThan(2);
            assertThat(Numbered.read(queue, 0, (int) next)).isEqualTo(rows(1, 0, next));
        }
        try (DurableQueue queue = openSmall()) {
            assertThat(queue.next("a")).isEqualTo(queue.end());
            assertThat(Numbered.read(queue, 0, (int) queue.end())).isEqualTo(rows(1, 0, queue.end()));
        }
    }

    @Test
    void aDeviceThatRefusesIsNotTrustedAgain() throws InterruptedException {
        AtomicInteger forces = new AtomicInteger();
        LogFile.Opening refusing = file -> new Failing(LogFile.local(file)) {
            @Override
            public void force() throws IOException {
                if (forces.incrementAndGet() == 2) {
                    throw new IOException("Input/output error");
                }
            }
        };
        try (DurableQueue queue = DurableQueue.open(here, Numbered.FORMAT, 100, true, 1 << 20, refusing)) {
            queue.append("a", 0, Numbered.rows(1, 0, 2));
            assertThatThrownBy(() -> queue.append("a", 2, Numbered.rows(1, 2, 2)))
                    .hasMessageContaining("Input/output error");
            assertThatThrownBy(() -> queue.append("a", 2, Numbered.rows(1, 2, 2)))
                    .hasMessageContaining("Input/output error");
            assertThat(queue.await(0, 2, 1)).isEqualTo(2);
            assertThatExceptionOfType(UncheckedIOException.class).isThrownBy(() -> queue.await(0, 4, 1));
        }
    }

    @Test
    void severalThreadsAreForcedTogether() throws Exception {
        AtomicInteger forces = new AtomicInteger();
        LogFile.Opening slow = file -> new Failing(LogFile.local(file)) {
            @Override
            public void force() throws IOException {
                forces.incrementAndGet();
                try {
                    Thread.sleep(5);
                } catch (InterruptedException e) {
                    throw new IOException(e);
                }
            }
        };
        int threads = 8;
        int batches = 40;
        try (DurableQueue queue = DurableQueue.open(here, Numbered.FORMAT, 10_000, true, 10_000, slow)) {
            List<Thread> clients = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                int client = i;
                Thread thread = new Thread(() -> {
                    for (int batch = 0; batch < batches; batch++) {
                        queue.append("c" + client, 2 * batch, Numbered.rows(client, 2 * batch, 2));
                    }
                });
                thread.start();
                clients.add(thread);
            }
            for (Thread client : clients) {
                client.join();
            }
            List<Row> all = Numbered.read(queue, 0, 2 * threads * batches);
            for (int i = 0; i < threads; i++) {
                int client = i;
                assertThat(all.stream().filter(row -> row.client() == client))
                        .containsExactlyElementsOf(rows(client, 0, 2 * batches));
            }
            assertThat(forces.get()).isLessThan(threads * batches / 2);
        }
    }

    /** A disk that fails where a test says so. */
    private abstract static class Failing implements LogFile {
        private final LogFile file;

        Failing(LogFile file) {
            this.file = file;
        }

        @Override
        public void write(long at, byte[] bytes, int length) throws IOException {
            file.write(at, bytes, length);
        }

        @Override
        public void force() throws IOException {
            file.force();
        }

        @Override
        public void cut(long at) throws IOException {
            file.cut(at);
        }

        @Override
        public void close() throws IOException {
            file.close();
        }
    }
}
