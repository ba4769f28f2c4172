package hocket.schedulers.checkpoint;

import hocket.schedulers.formats.Safetensors;
import hocket.schedulers.json.StateJson;
import hocket.schedulers.state.State;
import hocket.scopes.Quoted;
import hocket.scopes.Tensor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The checkpoints of a run: {@code NNNNNNNN/} by number of turns, each with {@code state.json}, {@code
 * tensors.safetensors} and {@code SHA256SUMS} of both (as {@code sha256sum -c} reads it), and {@code LATEST}, which
 * names the newest and has the SHA-256 of its {@code SHA256SUMS}. A checkpoint is written under another name, forced to
 * disk and renamed, so that it is complete. Rows of tables that only grow, such as an agent's replay, are in {@code
 * segments/}, where checkpoints share them; their sums are in {@code state.json}. {@link CheckpointPolicy} says which are
 * kept.
 */
public final class Checkpoints {
    static final String STATE = "state.json";
    static final String TENSORS = "tensors.safetensors";
    static final String SUMS = "SHA256SUMS";

    /** The file that names the newest. */
    public static final String LATEST = "LATEST";

    static final String SEGMENTS = "segments";
    static final String REPLACED = ".replaced";

    /** A line as of {@link #SUMS}; a number alone, as by hand. */
    private static final Pattern NAMED = Pattern.compile("([0-9a-f]{64})  (\\d{8,18})/SHA256SUMS\\n|(\\d{8,18})\\n?");

    /** The name of a checkpoint, or of an old one that a killed process left while replacing it. */
    private static final Pattern NUMBERED = Pattern.compile("(\\d{8,18})(?:\\" + REPLACED + ")?");

    private Checkpoints() {}

    /**
     * Writes a single state and keeps the newest three; use a {@link CheckpointWriter} for several states.
     *
     * @param folder of all checkpoints; made where it is missing
     * @param number turns so far
     * @return why older ones could not be deleted; usually empty
     * @throws UncheckedIOException if the disk refuses; what was there before is still there
     */
    public static Optional<String> write(Path folder, long number, State state) {
        return new CheckpointWriter(folder, CheckpointPolicy.USUAL).write(number, state);
    }

    /**
     * Deletes all checkpoints of a folder except these; the highest of these is the newest then.
     *
     * @throws UncheckedIOException if deleting fails; the checkpoints to keep are kept
     */
    public static void keepOnly(Path folder, Collection<Long> kept) {
        Disk disk = Disk.local();
        FileWork.run("checkpoints in " + folder + " could not be reduced to " + kept, () -> {
            List<Long> there = numbers(folder);
            Path latest = folder.resolve(LATEST);
            List<Long> left = there.stream().filter(kept::contains).toList();
            if (left.isEmpty()) {
                disk.delete(latest);
            } else {
                nameLatest(disk, folder, left.get(left.size() - 1));
            }
            for (long number : there) {
                if (!kept.contains(number)) {
                    disk.delete(folder.resolve(name(number)));
                }
            }
            CheckpointWriter.dropSegments(disk, folder, new Segments(disk, folder.resolve(SEGMENTS)), new HashMap<>());
        });
    }

    /** Returns the numbers of all checkpoints, in order. */
    public static List<Long> numbers(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        return FileWork.in(folder).stream()
                .map(entry -> NUMBERED.matcher(String.valueOf(entry.getFileName())))
                .filter(Matcher::matches)
                .map(name -> Long.valueOf(name.group(1)))
                .distinct()
                .sorted()
                .toList();
    }

    /** Writes {@code LATEST}, which names the newest and its sums. */
    static void nameLatest(Disk disk, Path folder, long number) throws IOException {
        Path sums = folder.resolve(name(number)).resolve(SUMS);
        String line = Files.exists(sums)
                ? Checksums.line(Checksums.sha256(sums), name(number) + "/" + SUMS)
                : name(number) + "\n"; // it is damaged, and whoever reads it will say so
        AtomicFile.write(disk, folder.resolve(LATEST), List.of(bytes(line)));
    }

    /**
     * Reads the checkpoint that {@code LATEST} names.
     *
     * @return empty if there is none yet
     * @throws IOException if it names none, or one that is damaged or missing, naming it
     */
    public static OptionalLong latest(Path folder) throws IOException {
        Path latest = folder.resolve(LATEST);
        List<Long> numbers = numbers(folder);
        String text;
        try {
            text = Files.readString(latest, StandardCharsets.ISO_8859_1);
        } catch (NoSuchFileException e) {
            if (numbers.isEmpty()) {
                return OptionalLong.empty();
            }
            throw new IOException(latest + " is missing", e);
        } catch (IOException e) {
            throw new IOException(latest + " cannot be read: " + DiskFailureText.of(e), e);
        }
        Matcher named = NAMED.matcher(text);
        if (!named.matches()) {
            throw new IOException(
                    latest + " must name a checkpoint, was \"" + Quoted.text(text.strip()) + "\"; there is " + numbers);
        }
        long number = Long.parseLong(named.group(named.group(2) == null ? 3 : 2));
        if (!numbers.contains(number)) {
            throw new IOException(latest + " names checkpoint " + number + ", which is not there; there is " + numbers);
        }
        Path sums = place(folder, number).resolve(SUMS);
        if (named.group(1) != null
                && Files.exists(sums)
                && !Checksums.sha256(sums).equals(named.group(1))) {
            throw new IOException(latest + " and " + sums + " do not fit: one of the two was changed");
        }
        return OptionalLong.of(number);
    }

    /**
     * A checkpoint that was found.
     *
     * @param folder of all checkpoints
     * @param number turns so far
     * @param skipped why newer ones, or {@code LATEST}, could not be used: a line each, naming the file
     */
    public record Found(Path folder, long number, State state, List<String> skipped) {}

    /**
     * Reads the newest intact checkpoint: the one that {@code LATEST} names, or that of the highest number.
     *
     * @throws IOException if none is intact, naming the damaged file of each
     */
    public static Found newest(Path folder) throws IOException {
        List<String> skipped = new ArrayList<>();
        List<Long> numbers = new ArrayList<>(numbers(folder));
        Collections.reverse(numbers);
        try {
            latest(folder).ifPresent(named -> {
                numbers.remove(named);
                numbers.add(0, named);
            });
        } catch (IOException e) {
            skipped.add(String.valueOf(e.getMessage()));
        }
        for (long number : numbers) {
            try {
                return new Found(folder, number, read(folder, number), skipped);
            } catch (IOException e) {
                skipped.add(String.valueOf(e.getMessage()));
            }
        }
        throw new IOException(
                skipped.isEmpty()
                        ? "there is no checkpoint in " + folder
                        : "there is no intact checkpoint in " + folder + ": " + String.join("; ", skipped));
    }

    /** Returns the state of {@link #newest}. Throws as it does. */
    public static State readLatest(Path folder) throws IOException {
        return newest(folder).state();
    }

    /**
     * Reads one checkpoint.
     *
     * @throws IOException if it is missing or damaged, naming the file
     */
    public static State read(Path folder, long number) throws IOException {
        Path checkpoint = place(folder, number);
        if (!Files.isDirectory(checkpoint)) {
            throw new IOException(
                    "there is no checkpoint " + number + " in " + folder + "; there is " + numbers(folder));
        }
        Path file = checkpoint.resolve(SUMS);
        try {
            String sums = Files.readString(file, StandardCharsets.ISO_8859_1);
            file = checkpoint.resolve(TENSORS);
            require(file, sums);
            Map<String, Tensor> tensors = Safetensors.open(file).tensors();
            file = checkpoint.resolve(STATE);
            require(file, sums);
            return StateJson.read(
                    Files.readAllBytes(file),
                    tensors,
                    (width, count, blocks) -> Segments.read(folder.resolve(SEGMENTS), width, count, blocks));
        } catch (NoSuchFileException e) {
            throw new IOException(file + " is missing", e);
        } catch (IOException e) {
            throw new IOException(file + " cannot be read: " + DiskFailureText.of(e), e);
        } catch (RuntimeException e) {
            throw new IOException(file + " cannot be read: " + e.getMessage(), e);
        }
    }

    /**
     * Reads the numbers and texts of the checkpoint that {@code LATEST} names, without its arrays.
     *
     * @return empty if there is none yet
     * @throws IOException if it is damaged or missing, naming the file
     */
    public static Optional<State> outline(Path folder) throws IOException {
        OptionalLong latest = latest(folder);
        if (latest.isEmpty()) {
            return Optional.empty();
        }
        Path checkpoint = place(folder, latest.getAsLong());
        Path file = checkpoint.resolve(STATE);
        require(file, Files.readString(checkpoint.resolve(SUMS), StandardCharsets.ISO_8859_1));
        try {
            return Optional.of(StateJson.outline(Files.readAllBytes(file)));
        } catch (IOException e) {
            throw new IOException(file + " cannot be read: " + DiskFailureText.of(e), e);
        }
    }

    /** Returns the folder of a checkpoint, or of an old one that a killed process left while replacing it. */
    public static Path place(Path folder, long number) {
        Path place = folder.resolve(name(number));
        Path old = folder.resolve(name(number) + REPLACED);
        return !Files.exists(place) && Files.isDirectory(old) ? old : place;
    }

    private static void require(Path file, String sums) throws IOException {
        String name = String.valueOf(file.getFileName());
        String found = Checksums.sha256(file);
        if (!sums.contains(Checksums.line(found, name))) {
            throw new IOException("its SHA-256 is " + found + ", which is not what " + SUMS + " in its folder says of "
                    + name + ": one of the two was changed");
        }
    }

    /** Returns the name of a checkpoint's folder. */
    public static String name(long number) {
        return String.format(Locale.ROOT, "%08d", number);
    }

    static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    }
}
