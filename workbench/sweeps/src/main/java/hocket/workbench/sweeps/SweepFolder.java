package hocket.workbench.sweeps;

import hocket.schedulers.checkpoint.AtomicFile;
import hocket.schedulers.checkpoint.DiskFailureText;
import hocket.schedulers.checkpoint.FileWork;
import hocket.workbench.files.UserError;
import hocket.workbench.files.experiment.ExperimentFile;
import hocket.workbench.runs.RunFolder;
import hocket.workbench.runs.RunLock;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The folder of a sweep: the names of its files. It holds all that is needed to resume the sweep.
 *
 * @param path the folder
 */
public record SweepFolder(Path path) {
    /** The experiment, next to the sweep's file. */
    private static final String BASE = "base.yaml";

    private static final String FILE = "sweep.yaml";

    private static final Pattern SEED = Pattern.compile("seed-(-?\\d{1,18})");

    /** The complete file of the sweep, which refers to {@link #base}. */
    public Path file() {
        return path.resolve(FILE);
    }

    /** The experiment with the settings of all trials. */
    Path base() {
        return path.resolve(BASE);
    }

    /** Results of runs, an object a line. */
    Path results() {
        return path.resolve("trials.jsonl");
    }

    /** The trials, a line each. */
    Path table() {
        return path.resolve("trials.csv");
    }

    /** Results and statistics as one document. */
    Path facts() {
        return path.resolve("sweep.json");
    }

    /** Statistics of the scores of a sweep over seeds. */
    public Path seedFacts() {
        return path.resolve("seeds.json");
    }

    /** Returns the folder of a trial's seed. */
    RunFolder run(SweepTrial sweepTrial, long seed, boolean isOnly) {
        SweepFolder own = new SweepFolder(path.resolve("trial-" + sweepTrial.number()));
        return isOnly ? new RunFolder(own.path) : own.seed(seed);
    }

    /** The members of a population at each interval, an object a line. */
    Path lineage() {
        return path.resolve("lineage.jsonl");
    }

    /** Returns the folder of a seed. */
    public RunFolder seed(long seed) {
        return new RunFolder(path.resolve("seed-" + seed));
    }

    /** Returns the seeds that were begun here; none if this is the folder of a run. */
    public SortedSet<Long> seeds() {
        SortedSet<Long> seeds = new TreeSet<>();
        if (Files.isDirectory(path) && !Files.exists(new RunFolder(path).experiment())) {
            try {
                for (Path entry : FileWork.in(path)) {
                    Matcher name = SEED.matcher(String.valueOf(entry.getFileName()));
                    if (name.matches() && Files.isRegularFile(new RunFolder(entry).experiment())) {
                        seeds.add(Long.parseLong(name.group(1)));
                    }
                }
            } catch (IOException e) {
                throw new UserError(path + " cannot be listed: " + DiskFailureText.of(e), e);
            }
        }
        return seeds;
    }

    /** Returns whether a sweep was begun there. */
    public boolean isBegun() {
        return Files.isRegularFile(file());
    }

    /**
     * Locks the folder for a new sweep.
     *
     * @param file the sweep
     * @param base the text of its experiment
     * @throws UserError if the folder is not empty, or a file cannot be written
     */
    RunLock begin(SweepFile file, String base) {
        if (isBegun()) {
            throw new UserError(path + " holds a sweep: --resume continues it, or choose another --out");
        }
        return written(new RunFolder(path).begin(Set.of(BASE)), () -> {
            AtomicFile.write(base(), base);
            AtomicFile.write(file(), file.text(BASE)); // written last: the sweep is complete with it
        });
    }

    private RunLock written(RunLock lock, FileWork.Action writing) {
        try {
            UserError.unlessMade(path + " could not be written", writing);
            return lock;
        } catch (UserError e) {
            lock.close();
            throw e;
        }
    }

    /**
     * Locks the folder to resume its sweep, with permitted changes; the objective may change as long as there are no
     * results.
     *
     * @throws UserError if it holds another sweep, naming the keys; if another process works there; or if writing fails
     */
    RunLock resume(SweepFile file, ExperimentFile.Surroundings at) {
        SweepFile before = SweepFile.read(file(), List.of(), at);
        List<String> differences = new ArrayList<>(file.differences(before));
        boolean isJudged = !text(results()).isEmpty();
        differences.removeIf(key -> !isJudged && key.startsWith("objective/"));
        file.base().differences(before.base()).stream()
                .filter(key -> !key.equals("threads")) // unset in the one, recorded in the other
                .forEach(differences::add);
        if (!file.base().hasBudgetOf(before.base())) {
            differences.add("budget");
        }
        if (!differences.isEmpty()) {
            throw new UserError(path + " holds a sweep with other settings (" + String.join(", ", differences)
                    + "): choose another --out");
        }
        return written(new RunFolder(path).resume(), () -> AtomicFile.write(file(), file.text(BASE)));
    }

    /** Returns the text of an ASCII file; empty if there is no file. */
    static String text(Path file) {
        return FileWork.get(
                file + " could not be read",
                () -> Files.exists(file) ? Files.readString(file, StandardCharsets.ISO_8859_1) : "");
    }

    /** Writes a file atomically. */
    static void write(Path file, String text) {
        FileWork.make(file + " could not be written", () -> AtomicFile.write(file, text));
    }

    @Override
    public String toString() {
        return path.toString();
    }
}
