package hocket.schedulers.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hocket.schedulers.state.Saved;
import hocket.schedulers.state.State;
import hocket.scopes.Shape;
import hocket.scopes.Tensor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rows of a growing table in checkpoints: each is written once, shared, checked, and gone when nobody needs it. */
class SegmentsTest {
    private static final int WIDTH = 12;
    private static final int ROOM = 100;

    @TempDir
    private Path folder;

    private final List<byte[]> table = new ArrayList<>();

    /** A table of tables of a hundred rows, of which the first ones are dropped. */
    private State state(long step, int rows, int dropped) {
        State state = State.empty().with("step", step).with("weights", Tensor.of(Shape.of(2), step, 1f));
        for (int i = dropped; i * ROOM < rows; i++) {
            while (table.size() <= i) {
                byte[] values = new byte[ROOM * WIDTH];
                for (int k = 0; k < values.length; k++) {
                    values[k] = (byte) (table.size() * 101 + k * 7 + k / 256);
                }
                table.add(values);
            }
            state = state.with("rows-" + i, new Saved.Rows(table.get(i), WIDTH, Math.min(ROOM, rows - i * ROOM)));
        }
        return state;
    }

    private CheckpointWriter writer(Disk disk, int last) {
        return new CheckpointWriter(
                disk,
                folder,
                new CheckpointPolicy(last, 0, 0, false, CheckpointPolicy.IfRefused.STOP),
                InstantSource.system());
    }

    private List<Path> segments() throws IOException {
        return segments(folder);
    }

    private static List<Path> segments(Path in) throws IOException {
        if (!Files.exists(in.resolve("segments"))) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(in.resolve("segments"))) {
            return files.sorted().toList();
        }
    }

    private long bytes() throws IOException {
        return bytes(folder);
    }

    private static boolean isThere(Path in, long number) {
        return Files.exists(in.resolve(Checkpoints.name(number)));
    }

    private static long bytesOf(int rows) {
        return (long) rows * WIDTH;
    }

    private static long bytes(Path in) throws IOException {
        long bytes = 0;
        for (Path file : segments(in)) {
            bytes += Files.size(file);
        }
        return bytes;
    }

    @Test
    void rowsAreWrittenOnceAndSharedByCheckpoints() throws IOException {
        CheckpointWriter writer = writer(Disk.local(), 3);
        int[] rows = {0, 1, 50, 100, 250, 250};
        for (int step = 0; step < rows.length; step++) {
            State state = state(step, rows[step], 0);
            writer.write(step, state);
            assertThat(bytes()).isEqualTo((long) rows[step] * WIDTH);
            assertThat(Checkpoints.readLatest(folder)).isEqualTo(state);
        }
        assertThat(segments()).hasSize(1);
        assertThat(Checkpoints.read(folder, 3)).isEqualTo(state(3, 100, 0));
    }

    @Test
    void aSegmentInManyPiecesIsWrittenAgainWhenItIsFull() throws IOException {
        CheckpointWriter writer = writer(Disk.local(), 1);
        for (int rows = 1; rows <= ROOM; rows++) {
            writer.write(rows, state(rows, rows, 0));
        }
        assertThat(bytes()).isEqualTo(2L * (ROOM - 1) * WIDTH + WIDTH);
        String text = Files.readString(folder.resolve("00000100/state.json"));
        assertThat(text.split("\\.rows", -1)).hasSize(2);
        assertThat(Checkpoints.readLatest(folder)).isEqualTo(state(ROOM, ROOM, 0));
    }

    @Test
    void anotherProcessBeginsAFileOfItsOwnAndWhatNobodyNeedsGoes() throws IOException {
        writer(Disk.local(), 2).write(1, state(1, 150, 0));
        Path first = segments().get(0);
        Files.write(first, new byte[] {1, 2, 3}, StandardOpenOption.APPEND); // killed while it wrote more
        CheckpointWriter next = writer(Disk.local(), 2);
        next.write(2, state(2, 160, 0));
        assertThat(segments()).hasSize(2);
        assertThat(Checkpoints.read(folder, 1)).isEqualTo(state(1, 150, 0));
        next.write(3, state(3, 170, 1));
        assertThat(segments()).hasSize(1).doesNotContain(first);
        assertThat(Checkpoints.readLatest(folder)).isEqualTo(state(3, 170, 1));
        next.write(4, state(4, 0, 0));
        next.write(5, state(5, 0, 0));
        Checkpoints.keepOnly(folder, List.of());
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void nothingOfAFolderWithADamagedCheckpointIsTakenForUnneeded() throws IOException {
        writer(Disk.local(), 2).write(1, state(1, 150, 0));
        Files.writeString(folder.resolve("00000001/state.json"), "{");
        writer(Disk.local(), 2).write(2, state(2, 150, 0));
        assertThat(segments()).hasSize(2);
    }

    @Test
    void aChangedOrCutSegmentIsNamedAndTheCheckpointBeforeIsFound() throws IOException {
        CheckpointWriter writer = writer(Disk.local(), 3);
        writer.write(1, state(1, 40, 0));
        writer.write(2, state(2, 80, 0));
        Path file = segments().get(0);
        byte[] whole = Files.readAllBytes(file);
        for (int at : new int[] {40 * WIDTH, whole.length - 1, 60 * WIDTH}) {
            byte[] flipped = whole.clone();
            flipped[at] ^= 1;
            Files.write(file, flipped);
            Checkpoints.Found found = Checkpoints.newest(folder);
            assertThat(found.number()).isEqualTo(1);
            assertThat(found.state()).isEqualTo(state(1, 40, 0));
            assertThat(found.skipped()).singleElement().asString().contains(file + " was changed: rows from byte 480");
            Files.write(file, Arrays.copyOf(whole, at));
            assertThat(Checkpoints.newest(folder).skipped())
                    .singleElement()
                    .asString()
                    .contains(file + " was cut: it has " + at + " bytes");
        }
        Files.delete(file);
        assertThatThrownBy(() -> Checkpoints.newest(folder)).hasMessageContaining(file + " is missing");
    }

    /** Every operation of a save fails once, in turn. */
    @Test
    void whateverTheDiskRefusesTheEarlierCheckpointsStayAndTheNextLeavesNothingBehind() throws IOException {
        int operations = 0;
        for (int failing = 1; ; failing++) {
            Path here = folder.resolve("failing-" + failing);
            Failing disk = new Failing();
            CheckpointWriter writer =
                    new CheckpointWriter(disk.disk(), here, CheckpointPolicy.USUAL, InstantSource.system());
            for (int step = 1; step <= 4; step++) {
                writer.write(step, state(step, 30 * step, 0));
            }
            disk.left = failing;
            boolean failed = false;
            try {
                writer.write(5, state(5, 150, 0));
            } catch (UncheckedIOException e) {
                failed = true;
                assertThat(e).hasMessageContaining("00000005").hasMessageContaining("No space left on device");
            }
            long newest = Checkpoints.newest(here).number();
            assertThat(bytes(here))
                    .as("failing %d", failing)
                    .isEqualTo(bytesOf(failed && !isThere(here, 5) ? 120 : 150));
            assertThat(newest).isBetween(4L, 5L);
            assertThat(Checkpoints.readLatest(here)).isEqualTo(state(newest, (int) (30 * newest), 0));
            assertThat(Checkpoints.read(here, 3)).isEqualTo(state(3, 90, 0));
            disk.left = 0;
            writer.write(6, state(6, 180, 0));
            assertThat(bytes(here)).isEqualTo(bytesOf(180));
            assertThat(Checkpoints.newest(here).skipped()).isEmpty();
            assertThat(Checkpoints.readLatest(here)).isEqualTo(state(6, 180, 0));
            try (Stream<Path> names = Files.list(here)) {
                assertThat(names.map(name -> name.getFileName().toString()))
                        .hasSize(5)
                        .contains("00000004", "00000006", "LATEST", "segments")
                        .containsAnyOf("00000003", "00000005");
            }
            if (!failed) {
                break;
            }
            operations = failing;
        }
        assertThat(operations).isGreaterThan(10);
    }

    /** A disk that refuses one operation, having written half of what it was to write. */
    private static final class Failing {
        private int left;

        Disk disk() {
            Disk local = Disk.local();
            return (Disk) Proxy.newProxyInstance(
                    Disk.class.getClassLoader(), new Class<?>[] {Disk.class}, (proxy, method, arguments) -> {
                        if (left > 0 && --left == 0) {
                            if (method.getName().equals("write")) {
                                Files.write((Path) arguments[0], new byte[] {1, 2, 3});
                            } else if (method.getName().equals("append")) {
                                Files.write((Path) arguments[0], new byte[] {1, 2, 3}, StandardOpenOption.APPEND);
                            }
                            throw new IOException("No space left on device");
                        }
                        try {
                            return method.invoke(local, arguments);
                        } catch (InvocationTargetException e) {
                            throw e.getTargetException();
                        }
                    });
        }
    }
}
