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
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The checkpoints of a run: {@code NNNNNNNN/} by number of turns, each with {@code state.json}, {@code
 * tensors.safetensors} and {@code SHA256SUMS} of both (as {@code sha256sum -c} reads it), and {@code LATEST}, which names
 * the newest. One is written under another name, forced to disk and moved into place, so that what has its name is
 * whole; the newest and the two of the highest numbers beside it are kept.
 */
public final class Checkpoints {
    private static final int KEPT = 3;
    private static final String STATE = "state.json";
    private static final String TENSORS = "tensors.safetensors";
    private static final String SUMS = "SHA256SUMS";
    private static final String LATEST = "LATEST";
    private static final String REPLACED = ".replaced";

    private Checkpoints() {}

    /**
     * Writes a state.
     *
     * @param folder of all checkpoints; made where it is missing
     * @param number turns so far
     * @throws UncheckedIOException if the disk refuses; what was there before is still there
     */
    public static void write(Path folder, long number, State state) {
        write(Disk.local(), folder, number, state);
    }

    static void write(Disk disk, Path folder, long number, State state) {
        String name = name(number);
        Path place = folder.resolve(name);
        Path unfinished = folder.resolve(name + Disk.UNFINISHED);
        try {
            disk.create(folder);
            disk.delete(unfinished);
            disk.create(unfinished);
            writeFiles(disk, unfinished, state);
            replace(disk, unfinished, place);
            WholeFile.write(disk, folder.resolve(LATEST), List.of(bytes(name + "\n")));
        } catch (IOException e) {
            try {
                disk.delete(unfinished);
            } catch (IOException second) {
                e.addSuppressed(second);
            }
            throw new UncheckedIOException("checkpoint " + place + " could not be written: " + Reason.of(e), e);
        }
        try {
            List<Long> others = new ArrayList<>(numbers(folder));
            others.remove(number);
            for (int i = 0; i < others.size() - (KEPT - 1); i++) {
                disk.delete(folder.resolve(name(others.get(i))));
            }
            dropLeftovers(disk, folder);
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "checkpoint " + place + " was written, but older ones could not be deleted: " + Reason.of(e), e);
        }
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
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "checkpoints in " + folder + " could not be reduced to " + kept + ": " + Reason.of(e), e);
        }
    }

    private static void writeFiles(Disk disk, Path folder, State state) throws IOException {
        SortedMap<String, Tensor> tensors = new TreeMap<>();
        byte[] json = StateJson.write(state, tensors);
        List<ByteBuffer> parts = Safetensors.parts(tensors, Map.of());
        String sums = line(sha256(parts), TENSORS) + line(sha256(List.of(ByteBuffer.wrap(json))), STATE);
        disk.write(folder.resolve(TENSORS), parts);
        disk.write(folder.resolve(STATE), List.of(ByteBuffer.wrap(json)));
        disk.write(folder.resolve(SUMS), List.of(bytes(sums)));
    }

    /** Moves a folder into place; one that is there goes only when the other has come. */
    private static void replace(Disk disk, Path from, Path to) throws IOException {
        if (!Files.exists(to)) {
            disk.move(from, to);
            return;
        }
        Path old = to.resolveSibling(to.getFileName() + REPLACED);
        disk.delete(old);
        disk.move(to, old);
        try {
            disk.move(from, to);
        } catch (IOException e) {
            disk.move(old, to);
            throw e;
        }
        disk.delete(old);
    }

    /** Tidies up after a process that was killed while it wrote. */
    private static void dropLeftovers(Disk disk, Path folder) throws IOException {
        List<String> names;
        try (Stream<Path> entries = Files.list(folder)) {
            names = entries.map(entry -> entry.getFileName().toString()).toList();
        }
        for (String name : names) {
            if (name.matches("\\d{8,18}\\" + Disk.UNFINISHED)) {
                disk.delete(folder.resolve(name));
            } else if (name.matches("\\d{8,18}\\" + REPLACED)) {
                Path place = folder.resolve(name.substring(0, name.length() - REPLACED.length()));
                if (Files.exists(place)) {
                    disk.delete(folder.resolve(name));
                } else {
                    disk.move(folder.resolve(name), place);
                }
            }
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
     * Reads the newest checkpoint.
     *
     * @throws IOException if there is none, or it is damaged, naming the file
     */
    public static State readLatest(Path folder) throws IOException {
        Path latest = folder.resolve(LATEST);
        String named;
        try {
            named = Files.readString(latest, StandardCharsets.ISO_8859_1).strip();
        } catch (NoSuchFileException e) {
            throw new IOException("there is no checkpoint in " + folder, e);
        } catch (IOException e) {
            throw new IOException(latest + " cannot be read: " + Reason.of(e), e);
        }
        if (!named.matches("\\d{8,18}") || !Files.isDirectory(place(folder, named))) {
            throw new IOException(latest + " must name a checkpoint by its number, was \"" + named + "\"; there is "
                    + numbers(folder));
        }
        return read(folder, Long.parseLong(named));
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
            Map<String, Tensor> tensors = tensors(Safetensors.of(file.toString(), checked(file, sums)));
            file = checkpoint.resolve(STATE);
            return StateJson.read(checked(file, sums).array(), tensors);
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

    private static ByteBuffer checked(Path file, String sums) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file));
        String name = String.valueOf(file.getFileName());
        String found = sha256(List.of(bytes));
        if (!sums.contains(line(found, name))) {
            throw new IOException("its SHA-256 is " + found + ", which is not what " + SUMS + " beside it says of "
                    + name + ": one of the two was changed");
        }
        return bytes;
    }

    private static Map<String, Tensor> tensors(Safetensors file) throws IOException {
        Map<String, Tensor> tensors = new TreeMap<>();
        for (String name : file.entries().keySet()) {
            tensors.put(name, file.tensor(name));
        }
        return tensors;
    }

    private static String name(long number) {
        return String.format(Locale.ROOT, "%08d", number);
    }

    /** As {@code sha256sum} writes it. */
    private static String line(String digest, String file) {
        return digest + "  " + file + "\n";
    }

    private static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String sha256(List<ByteBuffer> parts) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            parts.forEach(part -> digest.update(part.duplicate()));
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
