package hocket.workbench.runs;

import hocket.schedulers.checkpoint.AtomicFile;
import hocket.schedulers.checkpoint.CheckpointPolicy;
import hocket.schedulers.checkpoint.CheckpointWriter;
import hocket.schedulers.checkpoint.Checkpoints;
import hocket.schedulers.checkpoint.FileWork;
import hocket.schedulers.evaluation.Evaluation;
import hocket.schedulers.rings.KeepBest;
import hocket.schedulers.state.State;
import hocket.workbench.files.UserError;
import hocket.workbench.files.json.JsonLines;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;

/**
 * The best checkpoint of a run so far: a checkpoint in {@code best/}, which {@code best.json} names by its step. That
 * file is replaced atomically after the new checkpoint is complete, so that checkpoint and scores always match. While
 * the best checkpoint is later than the newest one, the previous best is kept as well: a run that resumes from the
 * newest continues with it.
 */
public final class BestCheckpoint implements KeepBest.Keeper {
    private static final String STEP = "step";

    private final RunFolder folder;
    private final CheckpointWriter writer;
    private Optional<Kept> kept;
    private Optional<Kept> former;

    /**
     * A kept checkpoint.
     *
     * @param step turns that had been taken
     * @param scores by name
     */
    public record Kept(long step, SortedMap<String, Double> scores) {}

    private BestCheckpoint(RunFolder folder) {
        this.folder = folder;
        this.writer = new CheckpointWriter(folder.best(), CheckpointPolicy.USUAL);
        this.kept = of(folder);
        this.former = former(folder);
    }

    /**
     * Returns the best checkpoint up to a step. Later ones of this folder are deleted.
     *
     * @throws UserError if a file that names the best, or the checkpoint, is damaged
     */
    public static BestCheckpoint upTo(long step, RunFolder folder) {
        BestCheckpoint bestCheckpoint = new BestCheckpoint(folder);
        if (bestCheckpoint.kept.filter(it -> it.step() > step).isPresent()) {
            bestCheckpoint.kept = bestCheckpoint.former.filter(it -> it.step() <= step);
            if (bestCheckpoint.kept.isPresent()) {
                bestCheckpoint.write(folder.bestScores(), bestCheckpoint.kept.get());
            } else {
                bestCheckpoint.delete(folder.bestScores());
            }
        }
        bestCheckpoint.kept.ifPresent(it -> bestCheckpoint.requireWhole(it.step()));
        bestCheckpoint.dropFormer();
        return bestCheckpoint;
    }

    /** The final evaluation reads it, and nothing may be better. */
    private void requireWhole(long step) {
        try {
            Checkpoints.read(folder.best(), step);
        } catch (IOException e) {
            throw new UserError(
                    "the best checkpoint is damaged: " + e.getMessage() + "; with " + folder.bestScores()
                            + " removed, the run continues without it",
                    e);
        }
    }

    /**
     * Returns the best checkpoint of a folder; empty if it keeps none.
     *
     * @throws UserError if the file that names it is damaged
     */
    public static Optional<Kept> of(RunFolder folder) {
        return read(folder.bestScores());
    }

    /** Returns the best checkpoint before that one, if it is kept as well. Throws as {@link #of}. */
    public static Optional<Kept> former(RunFolder folder) {
        return read(folder.formerScores());
    }

    /** Returns the best checkpoint so far. */
    public Optional<Kept> kept() {
        return kept;
    }

    /** @throws UncheckedIOException if writing fails; the best is unchanged */
    @Override
    public boolean offer(long step, SortedMap<String, Double> scores, Evaluation.Merit merit, Supplier<State> state) {
        // The score may have had another name when the kept checkpoint was evaluated.
        double before = kept.map(it -> it.scores().getOrDefault(merit.score(), Double.NaN))
                .orElse(Double.NaN);
        if (!merit.isBetter(merit.of(scores), before)) {
            return false;
        }
        writer.write(step, state.get());
        if (kept.isPresent() && kept.get().step() <= newestCheckpoint()) {
            write(folder.formerScores(), kept.get());
            former = kept;
        }
        kept = Optional.of(new Kept(step, scores));
        write(folder.bestScores(), kept.get());
        dropOthers();
        return true;
    }

    /** Forgets the previous best: after all is saved, no run resumes from before it. */
    public void dropFormer() {
        former = Optional.empty();
        if (Files.isDirectory(folder.best())) {
            delete(folder.formerScores());
            dropOthers();
        }
    }

    private void dropOthers() {
        TreeSet<Long> steps = new TreeSet<>();
        kept.ifPresent(it -> steps.add(it.step()));
        former.ifPresent(it -> steps.add(it.step()));
        Checkpoints.keepOnly(folder.best(), steps);
    }

    private long newestCheckpoint() {
        List<Long> numbers = FileWork.get(
                folder.checkpoints() + " cannot be listed", () -> Checkpoints.numbers(folder.checkpoints()));
        return numbers.isEmpty() ? -1 : numbers.get(numbers.size() - 1);
    }

    private static Optional<Kept> read(Path file) {
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        SortedMap<String, Double> scores;
        try {
            scores = new TreeMap<>(JsonLines.numbers(file));
        } catch (IllegalArgumentException e) {
            throw new UserError(String.valueOf(e.getMessage()), e);
        }
        Double step = scores.remove(STEP);
        if (step == null || !(step >= 0)) {
            throw new UserError(file + " must name the step of a checkpoint, was " + step);
        }
        return Optional.of(new Kept(step.longValue(), scores));
    }

    private void write(Path file, Kept what) {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put(STEP, what.step());
        values.putAll(what.scores());
        FileWork.run(file + " could not be written", () -> AtomicFile.write(file, JsonLines.line(values) + "\n"));
    }

    private void delete(Path file) {
        FileWork.run(file + " could not be deleted", () -> Files.deleteIfExists(file));
    }
}
