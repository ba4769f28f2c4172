package hocket.schedulers.checkpoint;

import hocket.schedulers.State;
import hocket.schedulers.formats.Safetensors;
import hocket.schedulers.json.StateJson;
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
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The checkpoints of a run: {@code NNNNNNNN/} by number of turns, each with {@code state.json}, {@code
 * tensors.safetensors} and {@code SHA256SUMS} of both (as {@code sha256sum -c} reads it), and {@code LATEST}, which names
 * the newest. One is written under another name, forced to disk and moved into place, so that what has its name is whole. Rows
 * of tables that only grow, such as an agent's replay, are in {@code segments/}, where checkpoints share them; their sums are in
 * {@code state.json}. {@link CheckpointPolicy} says which are kept.
 */
public final class Checkpoints {
    static final String STATE = "state.json";
    static final String TENSORS = "tensors.safetensors";
    static final String SUMS = "SHA256SUMS";
    /** The file that names the newest. */
    public static final String LATEST = "LATEST";

    static final String SEGMENTS = "segments";
    static final String REPLACED = ".replaced";
    private static final int MOST_SHOWN = 40;

    private Checkpoints() {}

    /**
     * Writes one state by itself; who writes several has a {@link CheckpointWriter}. The newest three are kept.
     *
     * @param folder of all checkpoints; made where it is missing
     * @param number turns so far
     * @throws UncheckedIOException if the disk refuses; what was there before is still there
     */
    public static void write(Path folder, long number, State state) {
        new CheckpointWriter(folder, CheckpointPolicy.USUAL).write(number, state);
    }

    /**
     * Deletes all checkpoints of a folder but these, of which the highest is the newest then.
     *
     * @throws UncheckedIOException if the disk refuses; what was to be kept is kept
     */
    public static void keepOnly(Path folder, Collection<Long> kept) {
        Disk disk = Disk.local();
        try {
            List<Long> there = numbers(folder);
            Path latest = folder.resolve(LATEST);
            List<Long> left = there.stream().filter(kept::contains).toList();
            if (left.isEmpty()) {
                disk.delete(latest);
            } else {
                WholeFile.write(disk, latest, List.of(bytes(name(left.get(left.size() - 1)) + "\n")));
            }
            for (long number : there) {
                if (!kept.contains(number)) {
                    disk.delete(folder.resolve(name(number)));
                }
            }
            CheckpointWriter.dropSegments(disk, folder, new Segments(disk, folder.resolve(SEGMENTS)), new HashMap<>());
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "checkpoints in " + folder + " could not be reduced to " + kept + ": " + Reason.of(e), e);
        }
    }

    /** The numbers of the checkpoints there are, in order. */
    public static List<Long> numbers(Path folder) throws IOException {
        List<Long> numbers = new ArrayList<>();
        if (Files.isDirectory(folder)) {
            try (Stream<Path> entries = Files.list(folder)) {
                entries.map(entry -> entry.getFileName().toString())
                        .filter(entry -> entry.matches("\\d{8,18}"))
                        .forEach(entry -> numbers.add(Long.valueOf(entry)));
            }
        }
        numbers.sort(Comparator.naturalOrder());
        return numbers;
    }

    /**
     * A checkpoint that was found.
     *
     * @param number turns so far
     * @param skipped why newer ones, or {@code LATEST}, could not be used: a line each, naming the file
     */
    public record Found(long number, State state, List<String> skipped) {}

    /**
     * Reads the newest checkpoint that is whole: the one that {@code LATEST} names, or that of the highest number.
     *
     * @throws IOException if there is none that is whole, naming the file that is wrong in each
     */
    public static Found newest(Path folder) throws IOException {
        List<String> skipped = new ArrayList<>();
        List<Long> numbers = new ArrayList<>(numbers(folder));
        Collections.reverse(numbers);
        Path latest = folder.resolve(LATEST);
        try {
            String named = Files.readString(latest, StandardCharsets.ISO_8859_1).strip();
            if (named.matches("\\d{8,18}") && Files.isDirectory(place(folder, named))) {
                numbers.remove(Long.valueOf(named));
                numbers.add(0, Long.valueOf(named));
            } else {
                skipped.add(latest + " must name a checkpoint by its number, was \"" + shortened(named)
                        + "\"; there is " + numbers(folder));
            }
        } catch (NoSuchFileException e) {
            if (!numbers.isEmpty()) {
                skipped.add(latest + " is missing");
            }
        } catch (IOException e) {
            skipped.add(latest + " cannot be read: " + Reason.of(e));
        }
        for (long number : numbers) {
            try {
                return new Found(number, read(folder, number), skipped);
            } catch (IOException e) {
                skipped.add(String.valueOf(e.getMessage()));
            }
        }
        throw new IOException(
                skipped.isEmpty()
                        ? "there is no checkpoint in " + folder
                        : "there is no whole checkpoint in " + folder + ": " + String.join("; ", skipped));
    }

    private static String shortened(String text) {
        return text.length() <= MOST_SHOWN ? text : text.substring(0, MOST_SHOWN) + "…";
    }

    /** The state of {@link #newest}. Throws as it does. */
    public static State readLatest(Path folder) throws IOException {
        return newest(folder).state();
    }

    /**
     * Reads one checkpoint.
     *
     * @throws IOException if it is missing or damaged, naming the file
     */
    public static State read(Path folder, long number) throws IOException {
        Path checkpoint = place(folder, name(number));
        if (!Files.isDirectory(checkpoint)) {
            throw new IOException(
                    "there is no checkpoint " + number + " in " + folder + "; there is " + numbers(folder));
        }
        Path file = checkpoint.resolve(SUMS);
        try {
            String sums = Files.readString(file, StandardCharsets.ISO_8859_1);
            file = checkpoint.resolve(TENSORS);
            require(file, sums);
            Map<String, Tensor> tensors = tensors(Safetensors.open(file));
            file = checkpoint.resolve(STATE);
            require(file, sums);
            return StateJson.read(
                    Files.readAllBytes(file),
                    tensors,
                    (width, count, blocks) -> Segments.read(folder.resolve(SEGMENTS), width, count, blocks));
        } catch (NoSuchFileException e) {
            throw new IOException(file + " is missing", e);
        } catch (IOException e) {
            throw new IOException(file + " cannot be read: " + Reason.of(e), e);
        } catch (RuntimeException e) {
            throw new IOException(file + " cannot be read: " + e.getMessage(), e);
        }
    }

    /** Where a checkpoint is: a process that was killed while it replaced one has left the old one beside. */
    private static Path place(Path folder, String name) {
        Path place = folder.resolve(name);
        Path old = folder.resolve(name + REPLACED);
        return !Files.exists(place) && Files.isDirectory(old) ? old : place;
    }

    private static void require(Path file, String sums) throws IOException {
        String name = String.valueOf(file.getFileName());
        String found = Sums.sha256(file);
        if (!sums.contains(Sums.line(found, name))) {
            throw new IOException("its SHA-256 is " + found + ", which is not what " + SUMS + " beside it says of "
                    + name + ": one of the two was changed");
        }
    }

    private static Map<String, Tensor> tensors(Safetensors file) throws IOException {
        Map<String, Tensor> tensors = new TreeMap<>();
        for (String name : file.entries().keySet()) {
            tensors.put(name, file.tensor(name));
        }
        return tensors;
    }

    /** What the folder of one is called. */
    public static String name(long number) {
        return String.format(Locale.ROOT, "%08d", number);
    }

    static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    }
}
