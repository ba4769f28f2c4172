package hocket.workbench.runs;

import hocket.schedulers.Source;
import hocket.schedulers.checkpoint.AtomicFile;
import hocket.schedulers.checkpoint.DiskFailureText;
import hocket.schedulers.checkpoint.FileWork;
import hocket.schedulers.feeds.DataFingerprint;
import hocket.scopes.ElementType;
import hocket.scopes.Shape;
import hocket.workbench.files.UserError;
import hocket.workbench.files.experiment.DescribedFeed;
import hocket.workbench.files.json.IfKnown;
import hocket.workbench.files.json.JsonDocument;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The provenance of a run: its file {@code provenance.json}, replaced atomically when the run begins, resumes or ends.
 * It names no host, user or place.
 *
 * @param sha256 of this document with nothing between the quotes here
 * @param sittings its sessions, one for each start and resume, in order
 * @param settings settings of the experiment file at the end of the last session, by path
 */
public record Provenance(String sha256, List<RunSession> sittings, Map<String, String> settings) {
    /**
     * A session: a part of a run between a start and an end.
     *
     * @param began when
     * @param turn number of turns taken before it
     * @param experiment SHA-256 of {@code experiment.yaml} at that time
     * @param set overrides, as they were typed
     * @param changed settings that differ from the session before, and changed files by their checksums
     * @param forced differences from the session before on which results depend; empty without {@code --force}
     * @param software software that computed
     * @param machine on what
     * @param seed of weights, noise and the order of the data
     * @param runner the experiment's runner
     * @param feeds the data
     * @param classpath added jars and folders of classes, by content
     * @param left files of the folder at the end; unknown if the process was killed or still runs
     */
    public record RunSession(
            String began,
            long turn,
            String experiment,
            List<String> set,
            List<Change> changed,
            List<String> forced,
            Software software,
            Machine machine,
            long seed,
            String runner,
            List<Feed> feeds,
            List<Content> classpath,
            @Nullable Left left)
            implements RunSessionCopies {
        /** Returns a file at the end of the session, by name; empty if it was missing, or the session has not ended. */
        public Optional<Content> leftFile(String name) {
            return left == null
                    ? Optional.empty()
                    : left.files().stream()
                            .filter(content -> content.name().equals(name))
                            .findFirst();
        }

        /** Returns this session with its end. */
        RunSession ended(Left what) {
            return left(what);
        }
    }

    /**
     * A setting that was changed.
     *
     * @param before its value; unknown if it was absent
     * @param after its new value; unknown if it is absent
     */
    public record Change(
            String path, @Nullable String before, @Nullable String after) {
        /** Returns a description. */
        public String sentence() {
            return path + ": " + (before == null ? "(none)" : before) + " -> " + (after == null ? "(none)" : after);
        }
    }

    /**
     * The software that computed.
     *
     * @param hocket Hocket's version
     * @param java the Java version
     * @param kernels the implementation that ran the optimizers
     * @param programs the implementation of each program that turns minimise, by name, with the engine's version
     */
    public record Software(String hocket, String java, String kernels, Map<String, String> programs) {}

    /**
     * On what it was computed.
     *
     * @param system the operating system, its version and architecture
     * @param processor the processor's name
     * @param cores number of cores available to the process
     * @param threads number of compute threads
     */
    public record Machine(String system, String processor, int cores, int threads) {}

    /**
     * The origin of data, or of parameters that the run started from, which have no rows and columns.
     *
     * @param name of the source, or of the setting that names the starting parameters
     * @param batch rows a draw
     * @param draws draws an epoch; unknown without epochs
     * @param columns the source's columns
     * @param origins files that its rows were read from
     */
    public record Feed(String name, int batch, @Nullable Long draws, List<Column> columns, List<Content> origins) {
        /** Returns whether it reads data, which a reader does not open; rows from outside are not in a file. */
        boolean isRead() {
            return draws != null || !origins.isEmpty();
        }

        DescribedFeed remembered() {
            return new DescribedFeed(
                    columns.stream().map(Column::column).toList(),
                    batch,
                    draws == null ? OptionalLong.empty() : OptionalLong.of(draws),
                    List.of());
        }
    }

    /** A column of a source: the shape of a row, the element type, and the meaning of the elements, if it needs one. */
    public record Column(
            String name,
            List<Integer> shape,
            ElementType type,
            @IfKnown @Nullable String encoding) {
        static Column of(Source.Column column) {
            List<Integer> extents =
                    Arrays.stream(column.shape().extents()).boxed().toList();
            return new Column(
                    column.name(), extents, column.type(), column.encoding().orElse(null));
        }

        Source.Column column() {
            return new Source.Column(
                    name,
                    Shape.of(shape.stream().mapToInt(Integer::intValue).toArray()),
                    type,
                    Optional.ofNullable(encoding));
        }
    }

    /** A file, a group of files or a resource, by content. */
    public record Content(String name, long bytes, String sha256) {
        public static Content of(DataFingerprint dataFingerprint) {
            return new Content(dataFingerprint.name(), dataFingerprint.bytes(), dataFingerprint.sha256());
        }

        public String described() {
            return name + " with SHA-256 " + sha256;
        }
    }

    /**
     * The files of the folder at the end of a session.
     *
     * @param turn number of turns taken
     * @param files files that a run writes while it trains, and the one that names its newest checkpoint; checkpoints
     *     and pictures have checksums of their own
     */
    public record Left(long turn, List<Content> files) {}

    /**
     * Reads the provenance of a run.
     *
     * @return empty if there is none: an older version of Hocket wrote the folder
     * @throws UserError if its file is damaged
     */
    public static Optional<Provenance> of(RunFolder folder) {
        Path file = folder.provenance();
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        try {
            return Optional.of(read(file));
        } catch (IllegalArgumentException e) {
            throw new UserError(
                    file + " is damaged: " + e.getMessage()
                            + "; if it is removed, the run continues without its provenance",
                    e);
        }
    }

    /**
     * Reads a file.
     *
     * @throws IllegalArgumentException if it is damaged, saying how
     */
    public static Provenance read(Path file) {
        String text;
        try {
            text = Files.readString(file);
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException("it is not UTF-8", e);
        } catch (IOException e) {
            throw new IllegalArgumentException("it cannot be read: " + DiskFailureText.of(e), e);
        }
        Provenance read = JsonDocument.read(text, Provenance.class);
        if (read.sittings().isEmpty()) {
            throw new IllegalArgumentException("must have at least one session, has none");
        } else if (!read.sha256().matches("[0-9a-f]{64}")) {
            throw new IllegalArgumentException("sha256 must be 64 hexadecimal digits, was \"" + read.sha256() + '"');
        }
        String found = sum(text.replaceFirst(read.sha256(), ""));
        if (!found.equals(read.sha256())) {
            throw new IllegalArgumentException("its SHA-256 is " + found + ", but it records " + read.sha256());
        }
        return read;
    }

    private static String sum(String text) {
        return DataFingerprint.of("", text.getBytes(StandardCharsets.UTF_8)).sha256();
    }

    /** Returns its last session. */
    public RunSession last() {
        return sittings.get(sittings.size() - 1);
    }

    /** Returns this provenance with one more session. */
    Provenance and(RunSession runSession, Map<String, String> now) {
        List<RunSession> all = new ArrayList<>(sittings);
        all.add(runSession);
        return new Provenance("", all, now);
    }

    /** Returns it with its last session ended. */
    Provenance ended(Left left) {
        List<RunSession> all = new ArrayList<>(sittings);
        all.set(all.size() - 1, last().ended(left));
        return new Provenance("", all, settings);
    }

    /**
     * Writes it atomically, replacing an older file.
     *
     * @throws UncheckedIOException if writing fails
     */
    void write(RunFolder folder) {
        String unsummed = JsonDocument.of(new Provenance("", sittings, settings)) + "\n";
        String text = unsummed.replaceFirst("\"\"", '"' + sum(unsummed) + '"');
        FileWork.run(folder.provenance() + " could not be written", () -> AtomicFile.write(folder.provenance(), text));
    }
}
