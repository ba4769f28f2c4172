package hocket.workbench.runs;

import hocket.schedulers.checkpoint.AtomicFile;
import hocket.schedulers.checkpoint.AtomicFolder;
import hocket.schedulers.checkpoint.Checkpoints;
import hocket.schedulers.checkpoint.DiskFailureText;
import hocket.schedulers.checkpoint.FileWork;
import hocket.workbench.files.UserError;
import hocket.workbench.files.experiment.DescribedFeed;
import hocket.workbench.files.experiment.ExperimentFile;
import hocket.workbench.online.OnlineQueues;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The folder of a run: the names of its files.
 *
 * @param path the folder
 */
public record RunFolder(Path path) {
    /** The file that a run locks while it writes. */
    static final String LOCK = "lock";

    /** The output of a process that a workbench started, until it serves its own page: {@code start.txt}. */
    private static final String STARTED = "start.txt";

    /** The experiment that was run: a complete experiment file. */
    public Path experiment() {
        return path.resolve("experiment.yaml");
    }

    /** Returns whether a run was started there; an experiment file alone is not a run. */
    public boolean isRun() {
        return Files.isRegularFile(experiment()) && (hasLock() || Files.exists(provenance()));
    }

    /** @throws UserError if no run was started there */
    public void requireRun() {
        if (!Files.isRegularFile(experiment())) {
            DiskFailureText.hiding(experiment()).ifPresent(reason -> {
                throw new UserError(experiment() + " cannot be read: " + reason);
            });
            throw new UserError(path + " is not a run folder: it has no experiment.yaml");
        }
    }

    /**
     * Returns the experiment that was run, with changes.
     *
     * @throws UserError if no run was started there, or its file or a change is invalid
     */
    public ExperimentFile file(List<String> changes, ExperimentFile.Surroundings at) {
        requireRun();
        return ExperimentFile.read(experiment().toString(), changes, at);
    }

    /** Returns the facts of the feeds that the run saved, by name; none if they are damaged. */
    Map<String, DescribedFeed> remembered() {
        Map<String, DescribedFeed> remembered = new HashMap<>();
        try {
            Provenance.of(this)
                    .ifPresent(provenance -> provenance.last().feeds().stream()
                            .filter(Provenance.Feed::isRead)
                            .forEach(feed -> remembered.put(feed.name(), feed.remembered())));
        } catch (UserError e) {
            return new HashMap<>();
        }
        return remembered;
    }

    /** The metrics of the run, an object a line. */
    public Path metrics() {
        return path.resolve("metrics.jsonl");
    }

    /** The commands that the run received, an object a line. */
    public Path journal() {
        return path.resolve("journal.jsonl");
    }

    /** Returns the file of the provenance. */
    public Path provenance() {
        return path.resolve("provenance.json");
    }

    /** The scores of its end. */
    public Path scores() {
        return path.resolve("scores.json");
    }

    /** People's notes on the run. */
    public Path notes() {
        return path.resolve("notes.json");
    }

    /** Deletes the scores, if there are any. */
    public void dropScores() {
        FileWork.run(scores() + " could not be deleted", () -> Files.deleteIfExists(scores()));
    }

    /** Rows from outside, a folder for each feed that takes some. */
    public Path queues() {
        return path.resolve(OnlineQueues.FOLDER);
    }

    /** Sample grids. */
    public Path samples() {
        return path.resolve("samples");
    }

    /** The metrics and pictures for TensorBoard, if requested. */
    public Path tensorBoard() {
        return path.resolve("tensorboard");
    }

    /** Checkpoints by number, and the name of the latest. */
    public Path checkpoints() {
        return path.resolve("checkpoints");
    }

    /** Returns whether there is a checkpoint to resume from. */
    public boolean hasCheckpoint() {
        return FileWork.get(
                checkpoints() + " cannot be listed",
                () -> !Checkpoints.numbers(checkpoints()).isEmpty());
    }

    /**
     * Returns whether there is a checkpoint, or a file that should name one.
     *
     * @throws UncheckedIOException if the folder cannot be listed
     */
    public boolean hasAnyCheckpoint() {
        return hasCheckpoint() || Files.exists(checkpoints().resolve(Checkpoints.LATEST));
    }

    /** Returns whether a run has locked it, now or before. */
    public boolean hasLock() {
        return Files.exists(path.resolve(LOCK));
    }

    /** Returns whether a process is writing there. */
    public boolean isHeld() {
        if (!hasLock()) {
            return false;
        }
        try {
            RunLock.of(this).close();
            return false;
        } catch (FolderInUse e) {
            return true;
        }
    }

    /** The best checkpoint, by number, if the run keeps one. */
    public Path best() {
        return path.resolve("best");
    }

    /** The number and the scores of the best checkpoint. */
    public Path bestScores() {
        return path.resolve("best.json");
    }

    /** The same of the best checkpoint before that one, while it is kept as well. */
    public Path formerScores() {
        return best().resolve("former.json");
    }

    /** Returns the log file. */
    public Path log() {
        return path.resolve("log.txt");
    }

    /** Returns the output of a process that a workbench started: errors, for people, and the address of its page. */
    public Path started() {
        return path.resolve(STARTED);
    }

    /** Returns the process of this machine that has locked it, by the text of its lock, which remains after a kill. */
    public Optional<RunLock.Holder> holder() {
        return RunLock.holder(this);
    }

    /** Deletes the output of its process. */
    public void dropSaid() {
        FileWork.run(started() + " could not be deleted", () -> Files.deleteIfExists(started()));
    }

    /** Deletes the files of a failed start; a run that began, or a folder with other files in it, stays. */
    public void dropStart() {
        try {
            if (!Files.exists(experiment())) {
                Files.deleteIfExists(started());
                Files.deleteIfExists(path.resolve(LOCK));
                Files.deleteIfExists(path);
            }
        } catch (DirectoryNotEmptyException e) {
            // other files belong to someone else
        } catch (IOException e) {
            throw new UncheckedIOException(path + " could not be deleted: " + DiskFailureText.of(e), e);
        }
    }

    /** Returns whether a run has finished there and was evaluated. */
    public boolean isJudged() {
        return Files.isRegularFile(scores());
    }

    /** Returns whether the folder has files already. */
    public boolean isTaken() {
        return Files.isDirectory(path) ? !entries().isEmpty() : Files.exists(path);
    }

    private List<String> entries() {
        return FileWork.entries(path).stream()
                .map(entry -> String.valueOf(entry.getFileName()))
                .toList();
    }

    /** @throws UserError if the folder has files already, or another run begins there */
    public void requireFree() {
        requireFree(Set.of());
    }

    private void requireFree(Set<String> left) {
        if (Files.isRegularFile(path)) {
            throw new UserError(path + " is a file: choose another --out");
        }
        if (Files.exists(path.resolve(LOCK))) {
            RunLock.of(this).close();
        }
        requireOnly(left);
    }

    /** @param others names of further files that may be there */
    private void requireOnly(Set<String> others) {
        if (!entries().stream().allMatch(entry -> Set.of(LOCK, STARTED).contains(entry) || others.contains(entry))) {
            throw new FolderInUse(path + " exists and is not empty: choose another --out"
                    + (Files.exists(experiment()) ? ", or continue there with --resume" : ""));
        }
    }

    /**
     * Locks the folder for a new run; it is created if missing.
     *
     * @throws UserError if the folder has files already, or another run begins there
     * @throws CommandFailure if it cannot be locked
     */
    public RunLock begin() {
        return begin(Set.of());
    }

    /**
     * Locks the folder for a new run; it is created if missing.
     *
     * @param unfinished names of files that a process may have left which was killed at its beginning; beside its lock they are
     *     deleted
     * @throws UserError if the folder has files already, or another run begins there
     * @throws CommandFailure if it cannot be locked
     */
    public RunLock begin(Set<String> unfinished) {
        Set<String> left = Files.exists(path.resolve(LOCK)) ? unfinished : Set.of();
        requireFree(left);
        boolean isNew = !Files.exists(path);
        UserError.unlessMade("run folder " + path + " could not be made", () -> Files.createDirectories(path));
        RunLock lock = locked(isNew);
        try {
            requireOnly(left); // another one may have been created and deleted
            for (String name : left) {
                FileWork.run(
                        path.resolve(name) + " could not be deleted", () -> Files.deleteIfExists(path.resolve(name)));
            }
            return lock;
        } catch (RuntimeException e) {
            lock.close();
            throw e;
        }
    }

    /** Deletes a new folder that could not be locked. */
    private RunLock locked(boolean isNew) {
        try {
            return RunLock.of(this);
        } catch (FolderInUse e) {
            throw e;
        } catch (UserError | CommandFailure e) {
            if (isNew) {
                try {
                    Files.deleteIfExists(path.resolve(LOCK));
                    Files.deleteIfExists(path);
                } catch (IOException left) {
                    e.addSuppressed(left);
                }
            }
            throw e;
        }
    }

    /**
     * Locks this folder, or another one if another run takes it first.
     *
     * @param next returns the folder to try next; the same one again ends the search
     * @throws UserError if all folders are in use
     * @throws CommandFailure if one cannot be locked
     */
    public RunLock begin(Supplier<RunFolder> next) {
        RunFolder folder = this;
        while (true) {
            try {
                return folder.begin();
            } catch (FolderInUse e) {
                RunFolder other = next.get();
                if (other.equals(folder)) {
                    throw e;
                }
                folder = other;
            }
        }
    }

    /**
     * Locks the folder to resume its run.
     *
     * @throws UserError if another process writes there
     * @throws CommandFailure if it cannot be locked
     */
    public RunLock resume() {
        return RunLock.of(this);
    }

    /**
     * Writes the experiment atomically.
     *
     * @throws UncheckedIOException if writing fails
     */
    public void write(String text) {
        FileWork.run(experiment() + " could not be written", () -> AtomicFile.write(experiment(), text));
    }

    /**
     * Makes the folder.
     *
     * @throws UserError if writing fails
     */
    public void create() {
        UserError.unlessMade("run folder " + path + " could not be made", () -> {
            Path whole = path.toAbsolutePath().normalize();
            AtomicFolder.create(whole);
            AtomicFile.forceName(whole); // it was locked before, and created for that, perhaps with its parent
            Path above = whole.getParent();
            if (above != null) {
                AtomicFile.forceName(above);
            }
        });
    }

    /**
     * Returns the name of {@code NAME, NAME-2, NAME-3, …} that follows all existing ones in a folder, even after a gap.
     */
    public static RunFolder free(Path runs, String name) {
        List<Integer> taken = taken(runs, name);
        return numbered(runs, name, taken.isEmpty() ? 1 : taken.get(taken.size() - 1) + 1);
    }

    /** Returns the last of {@code NAME, NAME-2, NAME-3, …} in a folder with a run in it; the first if there is none. */
    public static RunFolder last(Path runs, String name) {
        int last = 1;
        for (int number : taken(runs, name)) {
            last = Files.isRegularFile(numbered(runs, name, number).experiment()) ? number : last;
        }
        return numbered(runs, name, last);
    }

    /** Returns the numbers of the existing ones, in order. */
    private static List<Integer> taken(Path runs, String name) {
        Pattern pattern = Pattern.compile(Pattern.quote(name) + "(?:-([2-9]|[1-9]\\d{1,8}))?");
        return new RunFolder(runs)
                .entries().stream()
                        .map(pattern::matcher)
                        .filter(Matcher::matches)
                        .map(match -> match.group(1) == null ? 1 : Integer.parseInt(match.group(1)))
                        .filter(number -> numbered(runs, name, number).isTaken())
                        .sorted()
                        .toList();
    }

    private static RunFolder numbered(Path runs, String name, int number) {
        return new RunFolder(runs.resolve(number == 1 ? name : name + "-" + number));
    }

    @Override
    public String toString() {
        return path.toString();
    }
}
