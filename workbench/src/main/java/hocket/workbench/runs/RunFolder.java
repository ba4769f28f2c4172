package hocket.workbench.runs;

import hocket.schedulers.checkpoint.AtomicFile;
import hocket.schedulers.checkpoint.AtomicFolder;
import hocket.schedulers.checkpoint.Checkpoints;
import hocket.schedulers.checkpoint.DiskFailureText;
import hocket.schedulers.checkpoint.FileWork;
import hocket.workbench.experiment.DescribedFeed;
import hocket.workbench.experiment.ExperimentFile;
import hocket.workbench.online.OnlineQueues;
import hocket.workbench.terminal.UserError;
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
 * Where a run keeps what it leaves behind, and what is called how in there.
 *
 * @param path the folder
 */
public record RunFolder(Path path) {
    /** What a run locks while it writes. */
    static final String LOCK = "lock";

    /** What its process said that a workbench started, as long as nobody else listened: {@code start.txt}. */
    private static final String STARTED = "start.txt";

    /** What was run: a complete experiment file. */
    public Path experiment() {
        return path.resolve("experiment.yaml");
    }

    /** Whether a run was begun there; an experiment file alone is none. */
    public boolean isRun() {
        return Files.isRegularFile(experiment()) && (hasLock() || Files.exists(provenance()));
    }

    /** @throws UserError if no run was begun there */
    public void requireRun() {
        if (!Files.isRegularFile(experiment())) {
            DiskFailureText.hiding(experiment()).ifPresent(reason -> {
                throw new UserError(experiment() + " cannot be read: " + reason);
            });
            throw new UserError(path + " is no run folder: there is no experiment.yaml in it");
        }
    }

    /**
     * What was run, with changes.
     *
     * @throws UserError if no run was begun there, or its file or a change is refused
     */
    public ExperimentFile file(List<String> changes, ExperimentFile.Surroundings at) {
        requireRun();
        return ExperimentFile.read(experiment().toString(), changes, at);
    }

    /** The facts of the feeds that the run saved, by name; none where they are damaged: then the data is read. */
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

    /** What it reported, an object a line. */
    public Path metrics() {
        return path.resolve("metrics.jsonl");
    }

    /** The commands that people gave it, an object a line. */
    public Path journal() {
        return path.resolve("journal.jsonl");
    }

    /** From what it came. */
    public Path provenance() {
        return path.resolve("provenance.json");
    }

    /** The scores of its end. */
    public Path scores() {
        return path.resolve("scores.json");
    }

    /** What people wrote about the run. */
    public Path notes() {
        return path.resolve("notes.json");
    }

    /** Takes the scores away, if there are any. */
    public void dropScores() {
        FileWork.run(scores() + " could not be taken away", () -> Files.deleteIfExists(scores()));
    }

    /** Rows that came from outside, a folder for each feed that takes some. */
    public Path queues() {
        return path.resolve(OnlineQueues.FOLDER);
    }

    /** Sample grids. */
    public Path samples() {
        return path.resolve("samples");
    }

    /** The same figures and pictures for TensorBoard, where they are wanted. */
    public Path tensorBoard() {
        return path.resolve("tensorboard");
    }

    /** Checkpoints by number, and which is the latest. */
    public Path checkpoints() {
        return path.resolve("checkpoints");
    }

    /** Whether there is one that a run can go on from. */
    public boolean hasCheckpoint() {
        return FileWork.get(
                checkpoints() + " cannot be listed",
                () -> !Checkpoints.numbers(checkpoints()).isEmpty());
    }

    /**
     * Whether there is a checkpoint, or something that should name one.
     *
     * @throws UncheckedIOException if the folder cannot be listed
     */
    public boolean hasAnyCheckpoint() {
        return hasCheckpoint() || Files.exists(checkpoints().resolve(Checkpoints.LATEST));
    }

    /** Whether a run has locked it, now or before. */
    public boolean hasLock() {
        return Files.exists(path.resolve(LOCK));
    }

    /** Whether somebody writes there just now. */
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

    /** The best checkpoint, by number, where a run keeps one. */
    public Path best() {
        return path.resolve("best");
    }

    /** Which is the best checkpoint, and its scores. */
    public Path bestScores() {
        return path.resolve("best.json");
    }

    /** What happened, for people. */
    public Path log() {
        return path.resolve("log.txt");
    }

    /** What was said where a workbench started it: errors, for people, and the address of its page. */
    public Path started() {
        return path.resolve(STARTED);
    }

    /** The process of this machine that has locked it, by the text of its lock, which stays where a process was killed. */
    public Optional<RunLock.Holder> holder() {
        return RunLock.holder(this);
    }

    /** Takes away what its process said. */
    public void dropSaid() {
        FileWork.run(started() + " could not be taken away", () -> Files.deleteIfExists(started()));
    }

    /** Takes away what a start has left that came to nothing; a run that began stays, and a folder with something else in it. */
    public void dropStart() {
        try {
            if (!Files.exists(experiment())) {
                Files.deleteIfExists(started());
                Files.deleteIfExists(path.resolve(LOCK));
                Files.deleteIfExists(path);
            }
        } catch (DirectoryNotEmptyException e) {
            // what else is there is nobody's to take away
        } catch (IOException e) {
            throw new UncheckedIOException(path + " could not be taken away: " + DiskFailureText.of(e), e);
        }
    }

    /** Whether a run came to its end there and was judged. */
    public boolean isJudged() {
        return Files.isRegularFile(scores());
    }

    /** Whether something is there already. */
    public boolean isTaken() {
        return Files.isDirectory(path) ? !entries().isEmpty() : Files.exists(path);
    }

    private List<String> entries() {
        return FileWork.entries(path).stream()
                .map(entry -> String.valueOf(entry.getFileName()))
                .toList();
    }

    /** @throws UserError if something is there already, or another run begins there just now */
    public void requireFree() {
        if (Files.isRegularFile(path)) {
            throw new UserError(path + " is a file: take another --out");
        }
        if (Files.exists(path.resolve(LOCK))) {
            RunLock.of(this).close();
        }
        requireNothingThere();
    }

    private void requireNothingThere() {
        if (!Set.of(LOCK, STARTED).containsAll(entries())) {
            throw new FolderInUse(path + " exists and is not empty: take another --out"
                    + (Files.exists(experiment()) ? ", or go on there with --resume" : ""));
        }
    }

    /**
     * Takes the folder for a new run, and makes it where it is missing.
     *
     * @throws UserError if something is there already, another run begins there just now, or the disk refuses
     */
    public RunLock begin() {
        requireFree();
        boolean isNew = !Files.exists(path);
        UserError.unlessMade("run folder " + path + " could not be made", () -> Files.createDirectories(path));
        RunLock lock = locked(isNew);
        try {
            requireNothingThere(); // another one may have come and gone
            return lock;
        } catch (RuntimeException e) {
            lock.close();
            throw e;
        }
    }

    /** Leaves no folder behind that it could not lock. */
    private RunLock locked(boolean isNew) {
        try {
            return RunLock.of(this);
        } catch (FolderInUse e) {
            throw e;
        } catch (UserError e) {
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
     * The same, or of another folder where another run takes this one first.
     *
     * @param next gives the folder to take then; the same once more ends it
     * @throws UserError likewise
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
     * Takes the folder for the run in it, which goes on.
     *
     * @throws UserError if another process writes there, or the disk refuses
     */
    public RunLock resume() {
        return RunLock.of(this);
    }

    /**
     * Writes what is run, whole or not at all.
     *
     * @throws UncheckedIOException if the disk refuses
     */
    public void write(String text) {
        FileWork.run(experiment() + " could not be written", () -> AtomicFile.write(experiment(), text));
    }

    /**
     * Makes the folder.
     *
     * @throws UserError if the disk refuses
     */
    public void create() {
        UserError.unlessMade("run folder " + path + " could not be made", () -> {
            Path whole = path.toAbsolutePath().normalize();
            AtomicFolder.create(whole);
            AtomicFile.forceName(whole); // it was locked before, and made for that, perhaps with the one above
            Path above = whole.getParent();
            if (above != null) {
                AtomicFile.forceName(above);
            }
        });
    }

    /** The one of {@code NAME, NAME-2, NAME-3, …} in a folder that comes after all that are taken, also after a gap. */
    public static RunFolder free(Path runs, String name) {
        List<Integer> taken = taken(runs, name);
        return numbered(runs, name, taken.isEmpty() ? 1 : taken.get(taken.size() - 1) + 1);
    }

    /** The last of {@code NAME, NAME-2, NAME-3, …} in a folder that a run was begun in; the first if there is none. */
    public static RunFolder last(Path runs, String name) {
        int last = 1;
        for (int number : taken(runs, name)) {
            last = Files.isRegularFile(numbered(runs, name, number).experiment()) ? number : last;
        }
        return numbered(runs, name, last);
    }

    /** The numbers of those that are taken, in order. */
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
