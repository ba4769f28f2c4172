package hocket.workbench.runs;

import hocket.schedulers.Source;
import hocket.schedulers.checkpoint.AtomicFile;
import hocket.schedulers.checkpoint.DiskFailureText;
import hocket.schedulers.checkpoint.FileWork;
import hocket.schedulers.feeds.DataFingerprint;
import hocket.scopes.ElementType;
import hocket.scopes.Shape;
import hocket.workbench.experiment.DescribedFeed;
import hocket.workbench.json.JsonDocument;
import hocket.workbench.terminal.UserError;
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
 * From what a run came: its file {@code provenance.json}, replaced at once whenever it begins, goes on or ends. It names no
 * host, user or place.
 *
 * @param sha256 of this document with nothing between the quotes here
 * @param sittings one for every time that it began or went on, in order
 * @param settings those of the experiment file as it was left by the last of them, by their path
 */
public record Provenance(String sha256, List<RunSession> sittings, Map<String, String> settings) {
    /**
     * A part of a run between a start and an end.
     *
     * @param began when
     * @param turn how many turns had been taken
     * @param experiment SHA-256 of {@code experiment.yaml} as it was written then
     * @param set changes that were asked for, as they were typed
     * @param changed settings that differ from those of the sitting before, and by their sums files that it had not left so
     * @param forced what differed from the sitting before though bits depend on it; empty but for {@code --force}
     * @param software what computed
     * @param machine on what
     * @param seed of weights, noise and the order of the data
     * @param runner which of the file's runners
     * @param feeds the data
     * @param classpath jars and folders of classes that were added, by their content
     * @param left what lay in the folder at the end; unknown of one that was killed, or is going on
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
            implements SittingCopies {
        /** A file as it was left, by its name; empty where it was not there, or the sitting has not ended. */
        public Optional<Content> leftFile(String name) {
            return left == null
                    ? Optional.empty()
                    : left.files().stream()
                            .filter(content -> content.name().equals(name))
                            .findFirst();
        }

        /** The same, ended. */
        RunSession ended(Left what) {
            return left(what);
        }
    }

    /**
     * A setting that was changed.
     *
     * @param before its value; unknown where it was not there
     * @param after likewise
     */
    public record Change(
            String path, @Nullable String before, @Nullable String after) {
        /** In words. */
        public String sentence() {
            return path + ": " + (before == null ? "(none)" : before) + " -> " + (after == null ? "(none)" : after);
        }
    }

    /**
     * What computed.
     *
     * @param hocket its version
     * @param java the platform's version
     * @param kernels what ran the optimizers
     * @param programs what ran each of the programs that turns descend, by name, with the version of the engine
     */
    public record Software(String hocket, String java, String kernels, Map<String, String> programs) {}

    /**
     * On what it was computed.
     *
     * @param system the operating system, its version and architecture
     * @param processor its name
     * @param cores how many the process had
     * @param threads how many computed
     */
    public record Machine(String system, String processor, int cores, int threads) {}

    /**
     * Where data came from, or parameters that the run started from: these have no rows and no columns.
     *
     * @param name of the source, or of the setting that says what the run started from
     * @param batch rows a draw
     * @param draws how many an epoch has; unknown where there are no epochs
     * @param columns what it gave
     * @param origins what its rows were read from
     */
    public record Feed(String name, int batch, @Nullable Long draws, List<Column> columns, List<Content> origins) {
        /** Whether it reads data, which is not open to who only looks; rows from outside are nowhere to be read. */
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

    /** A column of a source: the extents of a row, and the type of its elements. */
    public record Column(String name, List<Integer> shape, ElementType type) {
        static Column of(Source.Column column) {
            List<Integer> extents =
                    Arrays.stream(column.shape().extents()).boxed().toList();
            return new Column(column.name(), extents, column.type());
        }

        Source.Column column() {
            return new Source.Column(
                    name, Shape.of(shape.stream().mapToInt(Integer::intValue).toArray()), type);
        }
    }

    /** A file, several as one, or a resource, by its content. */
    public record Content(String name, long bytes, String sha256) {
        public static Content of(DataFingerprint dataFingerprint) {
            return new Content(dataFingerprint.name(), dataFingerprint.bytes(), dataFingerprint.sha256());
        }

        public String described() {
            return name + " with SHA-256 " + sha256;
        }
    }

    /**
     * What lay in the folder when a sitting ended.
     *
     * @param turn how many turns had been taken
     * @param files those that a run writes on its way, with what names its newest checkpoint; without checkpoints and pictures,
     *     which have sums of their own
     */
    public record Left(long turn, List<Content> files) {}

    /**
     * Of a run.
     *
     * @return empty if it has none: a version of Hocket wrote it that kept none
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
                    file + " is damaged: " + e.getMessage() + "; moved away, the run goes on without what it knew", e);
        }
    }

    /**
     * Of a file.
     *
     * @throws IllegalArgumentException if it is damaged, saying how
     */
    public static Provenance read(Path file) {
        String text;
        try {
            text = Files.readString(file);
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException("it is no UTF-8", e);
        } catch (IOException e) {
            throw new IllegalArgumentException("it cannot be read: " + DiskFailureText.of(e), e);
        }
        Provenance read = JsonDocument.read(text, Provenance.class);
        if (read.sittings().isEmpty()) {
            throw new IllegalArgumentException("it must have at least one sitting, has none");
        } else if (!read.sha256().matches("[0-9a-f]{64}")) {
            throw new IllegalArgumentException("sha256 must be 64 hexadecimal digits, was \"" + read.sha256() + '"');
        }
        String found = sum(text.replaceFirst(read.sha256(), ""));
        if (!found.equals(read.sha256())) {
            throw new IllegalArgumentException(
                    "its SHA-256 is " + found + ", and it says " + read.sha256() + " itself");
        }
        return read;
    }

    private static String sum(String text) {
        return DataFingerprint.of("", text.getBytes(StandardCharsets.UTF_8)).sha256();
    }

    /** The last of its sittings. */
    public RunSession last() {
        return sittings.get(sittings.size() - 1);
    }

    /** With one more sitting. */
    Provenance and(RunSession runSession, Map<String, String> now) {
        List<RunSession> all = new ArrayList<>(sittings);
        all.add(runSession);
        return new Provenance("", all, now);
    }

    /** With its last sitting ended. */
    Provenance ended(Left left) {
        List<RunSession> all = new ArrayList<>(sittings);
        all.set(all.size() - 1, last().ended(left));
        return new Provenance("", all, settings);
    }

    /**
     * Writes it, over one that is there, whole or not at all.
     *
     * @throws UncheckedIOException if the disk refuses
     */
    void write(RunFolder folder) {
        String unsummed = JsonDocument.of(new Provenance("", sittings, settings)) + "\n";
        String text = unsummed.replaceFirst("\"\"", '"' + sum(unsummed) + '"');
        FileWork.run(folder.provenance() + " could not be written", () -> AtomicFile.write(folder.provenance(), text));
    }
}
