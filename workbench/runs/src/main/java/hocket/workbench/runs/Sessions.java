package hocket.workbench.runs;

import hocket.programs.Program;
import hocket.programs.execution.Lowering;
import hocket.schedulers.Setup;
import hocket.schedulers.Turn;
import hocket.schedulers.checkpoint.Checkpoints;
import hocket.schedulers.checkpoint.DiskFailureText;
import hocket.schedulers.feeds.DataFingerprint;
import hocket.workbench.files.UserError;
import hocket.workbench.files.experiment.ExperimentSpec.RecordedSpec;
import hocket.workbench.files.experiment.WrittenSettings;
import hocket.workbench.runs.Provenance.Change;
import hocket.workbench.runs.Provenance.Content;
import hocket.workbench.runs.Provenance.Feed;
import hocket.workbench.runs.Provenance.Left;
import hocket.workbench.runs.Provenance.Machine;
import hocket.workbench.runs.Provenance.RunSession;
import hocket.workbench.runs.Provenance.Software;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Keeps a run's {@link Provenance}: one session for each start and resume, after a comparison with the session before.
 */
public final class Sessions {
    /** Starting parameters are identified like a feed, by the setting that names them. */
    private static final String STARTED_FROM = "startup/from";

    /** The way in which a session starts. */
    public enum Start {
        /** The first in its folder. */
        FIRST,
        /** A run from the beginning, in place of one that left no checkpoint. */
        RESTARTED,
        /** Resumed from a checkpoint. */
        RESUMED
    }

    private final RunFolder former;
    private final Start start;
    private final Optional<Provenance> before;
    private final Optional<RecordedSpec> recordedBefore;
    private final Software software;
    private final Machine machine;
    private final long seed;
    private final String runner;
    private final DataRecord data;
    private final List<Change> altered;
    private final List<Content> classpath;
    private final Map<String, String> moved = new LinkedHashMap<>();

    /**
     * Returns the session of a run that begins or resumes.
     *
     * @param former position of the run before, if there is one
     * @param selectedExperiment the experiment
     * @param start how it does
     * @param startedFrom origins of the starting parameters; empty for a resumed run
     * @param threads number of compute threads
     * @param seed the run's seed
     * @param recorded software that runs the experiment
     * @throws UserError if the records of the run before are damaged
     * @throws UncheckedIOException if data or jars cannot be read
     */
    public Sessions(
            RunFolder former,
            SelectedExperiment selectedExperiment,
            Start start,
            List<DataFingerprint> startedFrom,
            int threads,
            long seed,
            RecordedSpec recorded) {
        this.former = former;
        this.start = start;
        boolean isFirst = start == Start.FIRST;
        this.before = isFirst ? Optional.empty() : Provenance.of(former);
        this.recordedBefore =
                isFirst ? Optional.empty() : selectedExperiment.file().spec().recorded();
        this.seed = seed;
        this.runner = recorded.runner();
        software = new Software(
                recorded.hocket(), Runtime.version().toString(), recorded.kernels(), programs(selectedExperiment));
        machine = new Machine(
                System.getProperty("os.name") + " " + System.getProperty("os.version") + " "
                        + System.getProperty("os.arch"),
                hocket.workbench.terminal.MachineInfo.processor(),
                Runtime.getRuntime().availableProcessors(),
                threads);
        if (!isFirst) {
            Map<String, String> settings =
                    before.map(Provenance::settings).orElseGet(() -> settings(WrittenSettings.of(former.experiment())));
            selectedExperiment.file().places().forEach((path, place) -> {
                if (!withoutHome(place).equals(settings.get(path))) {
                    moved.put(path, path + " was " + settings.get(path) + ", is " + place);
                }
            });
        }
        data = new DataRecord(selectedExperiment.setup());
        if (start == Start.RESUMED) {
            before.ifPresent(all -> all.last().feeds().stream()
                    .filter(feed -> feed.name().equals(STARTED_FROM))
                    .forEach(data::add));
        } else if (!startedFrom.isEmpty()) {
            data.add(new Feed(STARTED_FROM, 0, null, List.of(), data.contents(startedFrom)));
        }
        altered = before.map(all -> altered(former, all.last())).orElse(List.of());
        classpath = selectedExperiment.file().jars().stream()
                .map(Sessions::classes)
                .map(Content::of)
                .toList();
    }

    private static Map<String, String> programs(SelectedExperiment selectedExperiment) {
        Map<String, String> programs = new TreeMap<>();
        Stream<Program> descended =
                selectedExperiment.setup().descending().stream().map(Turn.Descend::program);
        Stream.concat(descended, selectedExperiment.further().stream())
                .forEach(program ->
                        programs.put(program.name(), Lowering.of(program).title()));
        return programs;
    }

    private static DataFingerprint classes(Path jar) {
        if (!Files.isDirectory(jar)) {
            return DataFingerprint.of(jar);
        }
        try (Stream<Path> files = Files.walk(jar)) {
            return DataFingerprint.of(jar, files.filter(Files::isRegularFile).toList());
        } catch (IOException e) {
            throw new UncheckedIOException(jar + " cannot be read: " + DiskFailureText.of(e), e);
        }
    }

    /** Returns files that have changed since a session ended, by checksum. */
    private static List<Change> altered(RunFolder folder, RunSession last) {
        List<Change> altered = new ArrayList<>();
        for (Path file : records(folder)) {
            last.leftFile(String.valueOf(file.getFileName())).ifPresent(then -> {
                String now = Files.exists(file) ? DataFingerprint.of(file).sha256() : null;
                if (!then.sha256().equals(now)) {
                    altered.add(new Change(then.name(), then.sha256(), now));
                }
            });
        }
        return altered;
    }

    /** The files that a run writes without checksums of their own. */
    private static List<Path> records(RunFolder folder) {
        return List.of(folder.metrics(), folder.scores(), folder.bestScores(), folder.journal());
    }

    /**
     * Returns what a person has edited since the run wrote it, in words: settings of the experiment file, added
     * classes, metrics and scores, which may also be damaged.
     */
    public List<String> edited() {
        List<String> edited = new ArrayList<>(edited(former, before));
        altered.forEach(change -> edited.add(
                change.path() + (change.after() == null ? " is gone" : " is not as the run left it: hocket verify")));
        before.ifPresent(all -> all.last().classpath().stream()
                .filter(content -> !classpath.contains(content))
                .forEach(content -> edited.add(content.name() + " of the class path has changed")));
        return edited;
    }

    /**
     * Returns settings of a run's experiment file that a person has edited since the run wrote it, in words.
     *
     * @throws UserError if the file, or the run's provenance, is damaged
     */
    public static List<String> edited(RunFolder folder) {
        return edited(folder, Provenance.of(folder));
    }

    /**
     * Returns how the data of a setup differ from those that a run read last, in words; only data whose content is known.
     *
     * @throws UserError if the run's provenance is damaged
     * @throws UncheckedIOException if the data cannot be read
     */
    public static List<String> changedData(RunFolder folder, Setup setup) {
        return Provenance.of(folder)
                .map(all -> new DataRecord(setup).known().differences(all.last().feeds()))
                .orElse(List.of());
    }

    private static List<String> edited(RunFolder folder, Optional<Provenance> written) {
        return written.map(all -> changed(all.settings(), WrittenSettings.of(folder.experiment())))
                .orElse(List.of());
    }

    /** Returns settings in which a file differs from a {@link Provenance}, in words. */
    public static List<String> changed(Map<String, String> former, WrittenSettings now) {
        return changes(former, settings(now)).stream().map(Change::sentence).toList();
    }

    /**
     * Returns differences from the session before on which results depend, in words: data, threads, kernels, and
     * implementations of programs. Empty if there are none, or there was no session.
     */
    public List<String> differences() {
        List<String> differences = new ArrayList<>();
        if (before.isPresent()) {
            RunSession last = before.get().last();
            differ(differences, "threads", last.machine().threads(), machine.threads());
            differ(differences, "kernels", last.software().kernels(), software.kernels());
            software.programs().forEach((program, lowering) -> {
                String former = last.software().programs().getOrDefault(program, lowering);
                differ(differences, "the engine of program " + program, former, lowering);
            });
            differences.addAll(data.differences(last.feeds()));
        } else if (recordedBefore.isPresent()) {
            differ(differences, "kernels", recordedBefore.get().kernels(), software.kernels());
            String lowering = String.join(
                    " and ",
                    software.programs().values().stream().distinct().sorted().toList());
            differ(differences, "the engine of programs", recordedBefore.get().lowering(), lowering);
        }
        moved.forEach((path, sentence) -> {
            String name = path.startsWith("validation/") ? "validation" : path.split("/")[1];
            if (!isKnown(name)) {
                differences.add(sentence + ", and its checksum is unknown");
            }
        });
        return differences;
    }

    /** Returns whether the data of a source can be compared with what it read before. */
    private boolean isKnown(String name) {
        return Stream.concat(before.stream().flatMap(all -> all.last().feeds().stream()), data.feeds().stream())
                        .filter(feed ->
                                feed.name().equals(name) && !feed.origins().isEmpty())
                        .count()
                == 2;
    }

    private static void differ(List<String> differences, String what, Object former, Object now) {
        if (!former.equals(now)) {
            differences.add(what + " was " + former + ", is " + now);
        }
    }

    /**
     * Throws if a resumed run differs from the session before. A run that begins, or begins again, is not compared.
     *
     * @throws UserError if something differs without {@code --force}
     */
    public void require(boolean forced) {
        List<String> differences = differences();
        if (start == Start.RESUMED && !forced && !differences.isEmpty()) {
            throw new UserError("a resumed run keeps everything that its results depend on, and "
                    + String.join("; ", differences)
                    + "; --force resumes with results that differ from those of an uninterrupted run");
        }
    }

    /**
     * Records that the run begins or resumes.
     *
     * @param folder the run's folder
     * @param turn number of turns taken
     * @param experiment text of the file as it was written
     * @param set overrides of settings
     * @throws UncheckedIOException if writing fails
     */
    public void begin(RunFolder folder, long turn, String experiment, List<String> set, InstantSource clock) {
        byte[] content = experiment.getBytes(StandardCharsets.UTF_8);
        Map<String, String> now =
                settings(WrittenSettings.of(folder.experiment().toString(), content));
        RunSession runSession = new RunSession(
                clock.instant().truncatedTo(ChronoUnit.SECONDS).toString(),
                turn,
                DataFingerprint.of("", content).sha256(),
                set.stream().map(Sessions::withoutHome).toList(),
                Stream.concat(before.stream().flatMap(all -> changes(all.settings(), now).stream()), altered.stream())
                        .toList(),
                start == Start.RESUMED
                        ? differences().stream().map(Sessions::withoutHome).toList()
                        : List.of(),
                software,
                machine,
                seed,
                runner,
                data.feeds(),
                classpath,
                null);
        before.orElse(new Provenance("", List.of(), Map.of()))
                .and(runSession, now)
                .write(folder);
    }

    /**
     * Records the files at the end of a session. If writing fails, the session stays unended, as after a kill.
     *
     * @param turn number of turns taken
     */
    public static void end(RunFolder folder, long turn) {
        try {
            Path latest = folder.checkpoints().resolve(Checkpoints.LATEST);
            List<Content> files = Stream.concat(records(folder).stream(), Stream.of(latest))
                    .filter(Files::exists)
                    .map(DataFingerprint::of)
                    .map(Content::of)
                    .toList();
            Provenance.of(folder)
                    .ifPresent(written -> written.ended(new Left(turn, files)).write(folder));
        } catch (UncheckedIOException | UserError e) {
            // the run itself has been saved
        }
    }

    private static List<Change> changes(Map<String, String> from, Map<String, String> to) {
        return WrittenSettings.changes(from, to).stream()
                .map(change -> new Change(
                        change.path(),
                        change.left().orElse(null),
                        change.right().orElse(null)))
                .toList();
    }

    private static Map<String, String> settings(WrittenSettings written) {
        Map<String, String> settings = new LinkedHashMap<>();
        written.byPath().forEach((path, value) -> settings.put(path, withoutHome(value)));
        return settings;
    }

    /** A run's folder may be given away, so the home folder in a data path is left out. */
    private static String withoutHome(String text) {
        String home = System.getProperty("user.home", "");
        return home.length() < 2
                ? text
                : text.replaceAll("(?<![\\w./\\\\-])" + Pattern.quote(home) + "(?![\\w.-])", "~");
    }
}
