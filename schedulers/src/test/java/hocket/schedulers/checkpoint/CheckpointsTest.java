package hocket.schedulers.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.argThat;
import static org.mockito.Mockito.doCallRealMethod;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.spy;

import hocket.schedulers.state.State;
import hocket.scopes.Shape;
import hocket.scopes.Tensor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checkpoints on a disk: whole or refused by name, and what was there stays when the disk refuses. */
class CheckpointsTest {
    @TempDir
    private Path folder;

    private static State state(long step) {
        return State.empty()
                .with("step", step)
                .with("half", 0.5)
                .with("nothing", Double.NaN)
                .with("far", Double.NEGATIVE_INFINITY)
                .with("plan", "sequence(d × 5, \"g\")\n")
                .with("weights", Tensor.of(Shape.of(2, 2), 1f, -2, Float.NaN, step))
                .with(
                        "turns",
                        State.empty()
                                .with("d", State.empty().with("m", Tensor.of(Shape.of(3), 1e300, -0.0, step)))
                                .with("d.m", Tensor.of(Shape.scalar(), step))
                                .with("g", State.empty()));
    }

    private List<String> names(Path in) throws IOException {
        try (Stream<Path> entries = Files.list(in)) {
            return entries.map(entry -> entry.getFileName().toString()).sorted().toList();
        }
    }

    @Test
    void whatWasWrittenIsReadToTheBit() throws IOException {
        Checkpoints.write(folder.resolve("new/checkpoints"), 12, state(12));
        assertThat(Checkpoints.readLatest(folder.resolve("new/checkpoints"))).isEqualTo(state(12));
        assertThat(names(folder.resolve("new/checkpoints"))).containsExactly("00000012", "LATEST");
        assertThat(names(folder.resolve("new/checkpoints/00000012")))
                .containsExactly("SHA256SUMS", "state.json", "tensors.safetensors");
    }

    @Test
    void theNewestThreeAreKeptAndTheLatestAlways() throws IOException {
        for (long number : new long[] {100, 200, 300, 400}) {
            Checkpoints.write(folder, number, state(number));
        }
        assertThat(Checkpoints.numbers(folder)).containsExactly(200L, 300L, 400L);
        Checkpoints.write(folder, 50, state(50));
        assertThat(Checkpoints.numbers(folder)).containsExactly(50L, 300L, 400L);
        assertThat(Checkpoints.readLatest(folder)).isEqualTo(state(50));
        assertThat(Checkpoints.read(folder, 400)).isEqualTo(state(400));
    }

    @Test
    void thoseThatAreNotToBeKeptGo() throws IOException {
        for (long number : new long[] {100, 200, 300}) {
            Checkpoints.write(folder, number, state(number));
        }
        Checkpoints.keepOnly(folder, List.of(100L, 200L, 700L));
        assertThat(Checkpoints.numbers(folder)).containsExactly(100L, 200L);
        assertThat(Checkpoints.readLatest(folder)).isEqualTo(state(200));
        Checkpoints.keepOnly(folder, List.of());
        assertThat(names(folder)).isEmpty();
    }

    @Test
    void oneOfTheSameNumberIsReplaced() throws IOException {
        Checkpoints.write(folder, 5, state(1));
        Checkpoints.write(folder, 5, state(2));
        assertThat(Checkpoints.readLatest(folder)).isEqualTo(state(2));
        assertThat(names(folder)).containsExactly("00000005", "LATEST");
    }

    @Test
    void whatIsNotThereIsNamed() throws IOException {
        assertThatThrownBy(() -> Checkpoints.readLatest(folder)).hasMessage("there is no checkpoint in " + folder);
        Checkpoints.write(folder, 5, state(5));
        assertThatThrownBy(() -> Checkpoints.read(folder, 6))
                .hasMessage("there is no checkpoint 6 in " + folder + "; there is [5]");
        Path latest = folder.resolve("LATEST");
        for (String wrong : List.of("", "00000006\n", "five", "../00000005", "x".repeat(100_000))) {
            Files.writeString(latest, wrong);
            Checkpoints.Found found = Checkpoints.newest(folder);
            assertThat(found.state()).isEqualTo(state(5));
            assertThat(found.skipped())
                    .singleElement()
                    .asString()
                    .startsWith(latest.toString())
                    .endsWith("there is [5]")
                    .hasSizeLessThan(300);
        }
        Files.delete(latest);
        assertThat(Checkpoints.newest(folder).skipped()).containsExactly(latest + " is missing");
    }

    @Test
    void aLatestThatNamesAnotherCheckpointThanWasWrittenIsPassedOver() throws IOException {
        Checkpoints.write(folder, 40, state(40));
        Checkpoints.write(folder, 60, state(60));
        Path latest = folder.resolve("LATEST");
        byte[] whole = Files.readAllBytes(latest);
        for (int at = 0; at < whole.length; at++) {
            for (int bit = 0; bit < Byte.SIZE; bit++) {
                byte[] flipped = whole.clone();
                flipped[at] ^= (byte) (1 << bit);
                Files.write(latest, flipped);
                Checkpoints.Found found = Checkpoints.newest(folder);
                assertThat(found.number()).isEqualTo(60);
                assertThat(found.skipped())
                        .as("bit %d of byte %d", bit, at)
                        .singleElement()
                        .asString()
                        .startsWith(latest + " ");
            }
        }
        Files.writeString(latest, "00000040\n"); // by hand
        assertThat(Checkpoints.newest(folder)).isEqualTo(new Checkpoints.Found(folder, 40, state(40), List.of()));
    }

    @Test
    void theNewestThatIsWholeIsFoundAndSaysWhatWasPassedOver() throws IOException {
        for (long number : new long[] {5, 7, 9}) {
            Checkpoints.write(folder, number, state(number));
        }
        assertThat(Checkpoints.newest(folder)).isEqualTo(new Checkpoints.Found(folder, 9, state(9), List.of()));
        Files.delete(folder.resolve("00000009/SHA256SUMS"));
        Path damaged = folder.resolve("00000007/tensors.safetensors");
        byte[] whole = Files.readAllBytes(damaged);
        whole[whole.length / 2] ^= 4;
        Files.write(damaged, whole);
        Checkpoints.Found found = Checkpoints.newest(folder);
        assertThat(found.number()).isEqualTo(5);
        assertThat(found.state()).isEqualTo(state(5));
        assertThat(found.skipped()).hasSize(2);
        assertThat(found.skipped().get(0)).isEqualTo(folder.resolve("00000009/SHA256SUMS") + " is missing");
        assertThat(found.skipped().get(1)).startsWith(damaged + " cannot be read: its SHA-256 is");
        Files.delete(folder.resolve("00000005/state.json"));
        assertThatThrownBy(() -> Checkpoints.newest(folder))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("there is no intact checkpoint in " + folder + ": ")
                .hasMessageContainingAll("00000009", "00000007", "00000005");
    }

    @Test
    void whichAreKeptSaysThePolicy() {
        List<Long> numbers = List.of(100L, 250L, 300L, 1000L, 1100L, 2050L, 2100L);
        assertThat(policy(2, 0, 0).kept(2100, numbers, number -> 0)).containsExactly(2050L, 2100L);
        assertThat(policy(1, 0, 0).kept(100, numbers, number -> 0)).containsExactly(100L);
        assertThat(policy(1, 1000, 0).kept(2100, numbers, number -> 0)).containsExactly(1000L, 2050L, 2100L);
        assertThat(policy(1, 100, 0).kept(2100, numbers, number -> 0))
                .containsExactly(100L, 250L, 300L, 1000L, 1100L, 2050L, 2100L);
        // Hours; those of 300 and 1000 were written an hour and less ago, that of 250 when the clock was ahead.
        assertThat(policy(1, 0, 1).kept(2100, numbers, number -> switch ((int) number) {
                    case 300 -> 3_600_000;
                    case 1000 -> 10;
                    case 250 -> -5_000_000;
                    default -> 3_600_001;
                }))
                .containsExactly(250L, 300L, 1000L, 2100L);
    }

    private static CheckpointPolicy policy(int last, long every, double hours) {
        return new CheckpointPolicy(last, every, hours, false, CheckpointPolicy.IfRefused.STOP);
    }

    @Test
    void aMissingFileIsNamed() throws IOException {
        for (String name : List.of("SHA256SUMS", "state.json", "tensors.safetensors")) {
            Checkpoints.write(folder, 5, state(5));
            Path file = folder.resolve("00000005").resolve(name);
            Files.delete(file);
            assertThatThrownBy(() -> Checkpoints.readLatest(folder))
                    .isInstanceOf(IOException.class)
                    .hasMessage("there is no intact checkpoint in " + folder + ": " + file + " is missing");
        }
    }

    @Test
    void aFileThatWasCutAnywhereIsRefusedByName() throws IOException {
        Checkpoints.write(folder, 5, state(5));
        for (String name : List.of("state.json", "tensors.safetensors", "SHA256SUMS")) {
            Path file = folder.resolve("00000005").resolve(name);
            byte[] whole = Files.readAllBytes(file);
            for (int length = 0; length < whole.length; length += Math.max(1, whole.length / 40)) {
                Files.write(file, java.util.Arrays.copyOf(whole, length));
                assertDamaged(file, name + " cut to " + length);
            }
            Files.write(file, whole);
        }
        assertThat(Checkpoints.readLatest(folder)).isEqualTo(state(5));
    }

    @Test
    void aFlippedBitAnywhereIsRefused() throws IOException {
        Checkpoints.write(folder, 5, state(5));
        for (String name : List.of("state.json", "tensors.safetensors", "SHA256SUMS")) {
            Path file = folder.resolve("00000005").resolve(name);
            byte[] whole = Files.readAllBytes(file);
            for (int at = 0; at < whole.length; at++) {
                byte[] flipped = whole.clone();
                flipped[at] ^= (byte) (1 << at % 8);
                Files.write(file, flipped);
                assertDamaged(file, name + " with byte " + at + " changed");
            }
            Files.write(file, whole);
        }
    }

    private void assertDamaged(Path file, String how) {
        Throwable thrown = catchThrowable(() -> Checkpoints.readLatest(folder));
        assertThat(thrown).as(how).isInstanceOf(IOException.class);
        boolean sums = file.endsWith("SHA256SUMS");
        assertThat(thrown.getMessage())
                .as(how)
                .contains("cannot be read: its SHA-256 is ")
                .contains("is not what SHA256SUMS in its folder says")
                .contains(sums ? folder.resolve("00000005").toString() : file.toString());
    }

    private void write(Disk disk, long number, State state) {
        new CheckpointWriter(disk, folder, CheckpointPolicy.USUAL, InstantSource.system()).write(number, state);
    }

    @Test
    void aDiskThatRefusesAtAnyMomentLeavesWhatWasThere() throws IOException {
        Checkpoints.write(folder, 5, state(5));
        List<String> before = names(folder);
        List<String> steps = new ArrayList<>();
        for (String part : List.of("tensors.safetensors", "state.json", "SHA256SUMS", "LATEST.unfinished")) {
            Disk full = spy(Disk.local());
            doThrow(new IOException("No space left on device"))
                    .when(full)
                    .write(argThat(file -> file.endsWith(part)), any());
            assertThatThrownBy(() -> write(full, 7, state(7)))
                    .isInstanceOf(UncheckedIOException.class)
                    .hasMessage("checkpoint " + folder.resolve("00000007")
                            + " could not be written: No space left on device");
            assertThat(Checkpoints.readLatest(folder)).as(part).isEqualTo(state(5));
            steps.add(part);
            if (!part.startsWith("LATEST")) {
                assertThat(names(folder)).as(part).isEqualTo(before);
            }
        }
        assertThat(steps).hasSize(4);
    }

    @Test
    void aDiskThatRefusesToReplaceACheckpointLeavesTheOldOne() throws IOException {
        Checkpoints.write(folder, 5, state(5));
        Disk stubborn = spy(Disk.local());
        doCallRealMethod().when(stubborn).move(any(), any());
        doThrow(new IOException("Input/output error"))
                .when(stubborn)
                .move(argThat(from -> from.endsWith("00000005.unfinished")), any());
        assertThatThrownBy(() -> write(stubborn, 5, state(6))).hasMessageContaining("Input/output error");
        assertThat(Checkpoints.readLatest(folder)).isEqualTo(state(5));
        assertThat(names(folder)).containsExactly("00000005", "LATEST");
    }

    @Test
    void aCheckpointThatCouldNotTidyUpSaysThatItWasWritten() throws IOException {
        for (long number = 1; number <= 3; number++) {
            Checkpoints.write(folder, number, state(number));
        }
        Disk stubborn = spy(Disk.local());
        doThrow(new IOException("Permission denied"))
                .when(stubborn)
                .delete(argThat(path -> path.endsWith("00000001.unfinished")));
        CheckpointWriter writer =
                new CheckpointWriter(stubborn, folder, CheckpointPolicy.USUAL, InstantSource.system());
        assertThat(writer.write(4, state(4)))
                .contains("checkpoint " + folder.resolve("00000004")
                        + " was written, but older ones could not be deleted: Permission denied");
        assertThat(Checkpoints.readLatest(folder)).isEqualTo(state(4));
    }

    @Test
    void leftoversOfAKilledProcessAreNotInTheWay() throws IOException {
        Path unfinished = Files.createDirectories(folder.resolve("00000005.unfinished"));
        Files.writeString(unfinished.resolve("state.json"), "{");
        Checkpoints.write(folder, 5, state(5));
        assertThat(names(folder)).containsExactly("00000005", "LATEST");
    }

    @Test
    void leftoversOfOtherNumbersGoWithTheNextCheckpoint() throws IOException {
        Files.writeString(
                Files.createDirectories(folder.resolve("00000004.unfinished")).resolve("state.json"), "{");
        Checkpoints.write(folder, 3, state(3));
        Files.createDirectories(folder.resolve("00000003.replaced"));
        Checkpoints.write(folder, 5, state(5));
        assertThat(names(folder)).containsExactly("00000003", "00000005", "LATEST");
    }

    @Test
    void aProcessKilledWhileItReplacedACheckpointHasLeftTheOldOne() throws IOException {
        Checkpoints.write(folder, 5, state(5));
        Files.move(folder.resolve("00000005"), folder.resolve("00000005.replaced"));
        assertThat(Checkpoints.numbers(folder)).containsExactly(5L);
        assertThat(Checkpoints.readLatest(folder)).isEqualTo(state(5));
        Checkpoints.write(folder, 7, state(7));
        assertThat(names(folder)).containsExactly("00000005", "00000007", "LATEST");
    }

    @Test
    void aFolderThatCannotBeMadeIsNamed() throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "");
        assertThatThrownBy(() -> Checkpoints.write(file.resolve("checkpoints"), 5, state(5)))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageStartingWith("checkpoint " + file.resolve("checkpoints/00000005") + " could not be written");
    }
}
