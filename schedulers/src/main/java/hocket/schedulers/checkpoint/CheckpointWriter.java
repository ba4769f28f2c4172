package hocket.schedulers.checkpoint;

import hocket.schedulers.formats.Safetensors;
import hocket.schedulers.json.StateJson;
import hocket.schedulers.json.StateJson.Piece;
import hocket.schedulers.state.State;
import hocket.scopes.Tensor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Writes the checkpoints of one run, as {@link Checkpoints} describes them, one after the other. Rows of tables that only grow
 * are written once, and shared.
 */
public final class CheckpointWriter {
    private final Disk disk;
    private final Path folder;
    private final CheckpointPolicy policy;
    private final Segments segments;
    private final InstantSource clock;

    /** The segment files that each checkpoint needs, where known. */
    private final Map<Long, Set<String>> needed = new HashMap<>();

    /**
     * @param folder of all checkpoints; made if missing
     * @param policy says which are kept
     */
    public CheckpointWriter(Path folder, CheckpointPolicy policy) {
        this(Disk.local(), folder, policy, InstantSource.system());
    }

    CheckpointWriter(Disk disk, Path folder, CheckpointPolicy policy, InstantSource clock) {
        this.clock = clock;
        this.disk = disk;
        this.folder = folder;
        this.policy = policy;
        this.segments = new Segments(disk, folder.resolve(Checkpoints.SEGMENTS));
    }

    /**
     * Writes a state.
     *
     * @param number turns so far
     * @return why older ones and their segments could not be deleted; usually empty
     * @throws UncheckedIOException if writing fails; older checkpoints are unchanged then
     */
    public Optional<String> write(long number, State state) {
        String name = Checkpoints.name(number);
        Path place = folder.resolve(name);
        Path unfinished = folder.resolve(name + Disk.UNFINISHED);
        Segments.@Nullable Append rows = null;
        try {
            disk.create(folder);
            disk.delete(unfinished);
            disk.create(unfinished);
            rows = segments.append();
            Set<String> files = writeFiles(unfinished, state, rows);
            replace(unfinished, place);
            rows.done();
            needed.put(number, files);
            Checkpoints.nameLatest(disk, folder, number);
        } catch (IOException e) {
            undo(unfinished, rows, e);
            throw new UncheckedIOException(
                    "checkpoint " + place + " could not be written: " + DiskFailureText.of(e), e);
        } catch (RuntimeException | Error e) {
            undo(unfinished, rows, e);
            throw e;
        }
        return tidy(number)
                .map(e -> "checkpoint " + place + " was written, but older ones could not be deleted: "
                        + DiskFailureText.of(e));
    }

    private interface Tidying {
        void run() throws IOException;
    }

    /** Deletes what no one needs; what cannot be deleted does not keep the rest. Returns the first failure. */
    private Optional<IOException> tidy(long number) {
        List<IOException> failures = new ArrayList<>();
        attempt(failures, () -> {
            List<Long> numbers = Checkpoints.numbers(folder);
            SortedSet<Long> kept = policy.kept(number, numbers, this::age);
            for (long other : numbers) {
                if (!kept.contains(other)) {
                    attempt(failures, () -> drop(Checkpoints.name(other)));
                }
            }
        });
        attempt(failures, () -> dropLeftovers(failures));
        attempt(failures, () -> dropSegments(disk, folder, segments, needed));
        return failures.stream().findFirst();
    }

    private static void attempt(List<IOException> failures, Tidying tidying) {
        try {
            tidying.run();
        } catch (IOException e) {
            failures.add(e);
        }
    }

    /** Deletes a checkpoint, which is none any more before its first file is gone. */
    private void drop(String name) throws IOException {
        Path unfinished = folder.resolve(name + Disk.UNFINISHED);
        disk.delete(unfinished);
        disk.move(folder.resolve(name), unfinished);
        disk.delete(unfinished);
    }

    private void undo(Path unfinished, Segments.@Nullable Append rows, Throwable failure) {
        try {
            if (rows != null && Files.exists(unfinished)) {
                rows.undo();
            } else if (rows != null) { // it is in its place, and needs them
                rows.done();
            }
            disk.delete(unfinished);
        } catch (IOException second) {
            failure.addSuppressed(second);
        }
    }

    private long age(long number) {
        try {
            return clock.millis()
                    - Files.getLastModifiedTime(folder.resolve(Checkpoints.name(number)))
                            .toMillis();
        } catch (IOException e) {
            return 0; // it stays
        }
    }

    /** Deletes segments that no checkpoint needs; deletes none if a checkpoint is damaged and its needs are unknown. */
    static void dropSegments(Disk disk, Path folder, Segments segments, Map<Long, Set<String>> needed)
            throws IOException {
        List<Long> numbers = Checkpoints.numbers(folder);
        needed.keySet().retainAll(numbers);
        for (long number : numbers) {
            if (!needed.containsKey(number)) {
                Path state = folder.resolve(Checkpoints.name(number)).resolve(Checkpoints.STATE);
                try {
                    needed.put(number, Segments.files(StateJson.blocks(Files.readAllBytes(state))));
                } catch (IOException e) {
                    return;
                }
            }
        }
        Set<String> all = new TreeSet<>();
        needed.values().forEach(all::addAll);
        segments.keepOnly(all);
    }

    /** Returns the segment files that it needs. */
    private Set<String> writeFiles(Path into, State state, Segments.Append rows) throws IOException {
        SortedMap<String, Tensor> tensors = new TreeMap<>();
        List<Piece> blocks = new ArrayList<>();
        byte[] json = StateJson.write(state, tensors, each -> {
            List<Piece> its = rows.add(each);
            blocks.addAll(its);
            return its;
        });
        rows.write();
        List<ByteBuffer> parts = Safetensors.parts(tensors, Map.of());
        String sums = Checksums.line(Checksums.sha256(parts), Checkpoints.TENSORS)
                + Checksums.line(Checksums.sha256(ByteBuffer.wrap(json)), Checkpoints.STATE);
        disk.write(into.resolve(Checkpoints.TENSORS), parts);
        disk.write(into.resolve(Checkpoints.STATE), List.of(ByteBuffer.wrap(json)));
        disk.write(into.resolve(Checkpoints.SUMS), List.of(Checkpoints.bytes(sums)));
        return Segments.files(blocks);
    }

    /** Moves a folder into place; the former one is kept under a temporary name until {@link #dropLeftovers}. */
    private void replace(Path from, Path to) throws IOException {
        if (!Files.exists(to)) {
            disk.move(from, to);
            return;
        }
        Path old = to.resolveSibling(to.getFileName() + Checkpoints.REPLACED);
        disk.delete(old);
        disk.move(to, old);
        try {
            disk.move(from, to);
        } catch (IOException e) {
            disk.move(old, to);
            throw e;
        }
    }

    /** Tidies up after a process that was killed while it wrote. */
    private void dropLeftovers(List<IOException> failures) throws IOException {
        for (Path entry : FileWork.in(folder)) {
            attempt(failures, () -> dropLeftover(entry));
        }
    }

    private void dropLeftover(Path entry) throws IOException {
        String name = String.valueOf(entry.getFileName());
        if (name.matches("\\d{8,18}\\" + Disk.UNFINISHED)) {
            disk.delete(entry);
        } else if (name.matches("\\d{8,18}\\" + Checkpoints.REPLACED)) {
            Path place = folder.resolve(name.substring(0, name.length() - Checkpoints.REPLACED.length()));
            if (Files.exists(place)) {
                disk.delete(entry);
            } else {
                disk.move(entry, place);
            }
        }
    }
}
