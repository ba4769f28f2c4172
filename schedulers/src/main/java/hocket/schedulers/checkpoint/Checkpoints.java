package hocket.schedulers.checkpoint;

import hocket.schedulers.State;
import hocket.schedulers.json.StateJson;
import hocket.scopes.Tensor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The checkpoints of a run: {@code NNNNNNNN/} by number of turns, each with {@code state.json} and {@code
 * tensors.safetensors}, and {@code LATEST}, which names the newest. One is written under another name, forced to disk and
 * moved into place, so that what has its name is whole; the three newest are kept.
 */
public final class Checkpoints {
    private static final int KEPT = 3;
    private static final String STATE = "state.json";
    private static final String TENSORS = "tensors.safetensors";
    private static final String LATEST = "LATEST";
    private static final int MOST_HEADER = 100_000_000;

    private Checkpoints() {}

    /**
     * Writes a state.
     *
     * @param folder of all checkpoints; made where it is missing
     * @param number turns so far
     * @throws UncheckedIOException if the disk refuses; what was there before is still there
     */
    public static void write(Path folder, long number, State state) {
        String name = String.format("%08d", number);
        Path unfinished = folder.resolve(name + ".unfinished");
        try {
            Files.createDirectories(folder);
            delete(unfinished);
            Files.createDirectory(unfinished);
            SortedMap<String, Tensor> tensors = StateJson.tensors(state);
            String digest = writeTensors(unfinished.resolve(TENSORS), tensors);
            writeForced(unfinished.resolve(STATE), StateJson.write(state, digest, new TreeMap<>()));
            delete(folder.resolve(name));
            Files.move(unfinished, folder.resolve(name), StandardCopyOption.ATOMIC_MOVE);
            Path latest = folder.resolve(LATEST + ".unfinished");
            writeForced(latest, (name + "\n").getBytes(java.nio.charset.StandardCharsets.UTF_8));
            Files.move(
                    latest,
                    folder.resolve(LATEST),
                    StandardCopyOption.ATOMIC_MOVE,
                    StandardCopyOption.REPLACE_EXISTING);
            List<Long> old = numbers(folder);
            for (int i = 0; i < old.size() - KEPT; i++) {
                delete(folder.resolve(String.format("%08d", old.get(i))));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "checkpoint " + folder.resolve(name) + " could not be written: " + e.getMessage(), e);
        }
    }

    /** The numbers of the checkpoints there are, in order. */
    public static List<Long> numbers(Path folder) throws IOException {
        List<Long> numbers = new ArrayList<>();
        if (Files.isDirectory(folder)) {
            try (Stream<Path> entries = Files.list(folder)) {
                entries.map(entry -> entry.getFileName().toString())
                        .filter(entry -> entry.matches("\\d{8,}"))
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
        try {
            return read(
                    folder,
                    Long.parseLong(Files.readString(folder.resolve(LATEST)).strip()));
        } catch (NoSuchFileException e) {
            throw new IOException("there is no checkpoint in " + folder, e);
        } catch (NumberFormatException e) {
            throw new IOException(folder.resolve(LATEST) + " must name a checkpoint by its number", e);
        }
    }

    /**
     * Reads one checkpoint.
     *
     * @throws IOException if it is missing or damaged, naming the file
     */
    public static State read(Path folder, long number) throws IOException {
        Path checkpoint = folder.resolve(String.format("%08d", number));
        if (!Files.isDirectory(checkpoint)) {
            throw new IOException(
                    "there is no checkpoint " + number + " in " + folder + "; there is " + numbers(folder));
        }
        Path file = checkpoint.resolve(STATE);
        try {
            byte[] json = Files.readAllBytes(file);
            String digest = StateJson.digest(json);
            file = checkpoint.resolve(TENSORS);
            Map<String, Tensor> tensors = readTensors(file, digest);
            file = checkpoint.resolve(STATE);
            return StateJson.read(json, tensors);
        } catch (IOException | RuntimeException e) {
            throw new IOException(file + " cannot be read: " + e.getMessage(), e);
        }
    }

    private static String writeTensors(Path file, SortedMap<String, Tensor> tensors) throws IOException {
        byte[] header = StateJson.safetensorsHeader(tensors);
        int padding = (8 - header.length % 8) % 8;
        MessageDigest digest = sha256();
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            ByteBuffer start = ByteBuffer.allocate(8 + header.length + padding).order(ByteOrder.LITTLE_ENDIAN);
            start.putLong(header.length + padding).put(header);
            while (start.hasRemaining()) {
                start.put((byte) ' ');
            }
            writeAll(channel, start.flip(), digest);
            for (Tensor tensor : tensors.values()) {
                writeAll(channel, tensor.buffer(), digest);
            }
            channel.force(true);
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    private static void writeAll(FileChannel channel, ByteBuffer bytes, MessageDigest digest) throws IOException {
        digest.update(bytes.duplicate());
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
    }

    private static void writeForced(Path file, byte[] bytes) throws IOException {
        try (FileChannel channel = FileChannel.open(
                file, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)) {
            ByteBuffer buffer = ByteBuffer.wrap(bytes);
            while (buffer.hasRemaining()) {
                channel.write(buffer);
            }
            channel.force(true);
        }
    }

    private static Map<String, Tensor> readTensors(Path file, String digest) throws IOException {
        byte[] all = Files.readAllBytes(file);
        String found = HexFormat.of().formatHex(sha256().digest(all));
        if (!found.equals(digest)) {
            throw new IOException(
                    "its SHA-256 is " + found + ", " + STATE + " says " + digest + ": the file was changed");
        }
        ByteBuffer bytes = ByteBuffer.wrap(all).order(ByteOrder.LITTLE_ENDIAN);
        long length = bytes.remaining() < 8 ? -1 : bytes.getLong();
        if (length < 0 || length > Math.min(bytes.remaining(), MOST_HEADER)) {
            throw new IOException("its header would be " + length + " bytes, there are " + bytes.remaining());
        }
        byte[] header = new byte[(int) length];
        bytes.get(header);
        ByteBuffer data = bytes.slice();
        Map<String, Tensor> tensors = new TreeMap<>();
        for (Map.Entry<String, StateJson.Entry> entry :
                StateJson.readSafetensorsHeader(header).entrySet()) {
            StateJson.Entry at = entry.getValue();
            if (at.end() > data.capacity()) {
                throw new IOException(entry.getKey() + " ends at byte " + at.end() + " of " + data.capacity());
            }
            tensors.put(
                    entry.getKey(),
                    Tensor.copyOf(
                            at.shape(),
                            at.type(),
                            data.duplicate().position((int) at.begin()).limit((int) at.end())));
        }
        return tensors;
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    private static void delete(Path folder) throws IOException {
        if (Files.isDirectory(folder)) {
            try (Stream<Path> entries = Files.list(folder)) {
                for (Path entry : entries.toList()) {
                    Files.delete(entry);
                }
            }
        }
        Files.deleteIfExists(folder);
    }
}
