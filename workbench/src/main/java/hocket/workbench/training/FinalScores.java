package hocket.workbench.training;

import hocket.schedulers.Evaluation;
import hocket.schedulers.Event;
import hocket.schedulers.Ring;
import hocket.schedulers.Run;
import hocket.schedulers.checkpoint.Checkpoints;
import hocket.schedulers.checkpoint.FileWork;
import hocket.schedulers.checkpoint.WholeFile;
import hocket.workbench.json.JsonLines;
import hocket.workbench.runs.Best;
import hocket.workbench.runs.RunFolder;
import hocket.workbench.runs.SavedRun;
import hocket.workbench.runs.Selected;
import hocket.workbench.terminal.Working;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The scores that a run ends with: those of its best, or of its end where no best was kept; also as a file. */
final class FinalScores implements Ring {
    private final Selected selected;
    private final RunFolder folder;
    private final Sparing sparing;
    private final Telling telling;
    private final boolean quiet;
    private final Consumer<String> person;
    private Event.@Nullable Scored last;
    private boolean missing;

    FinalScores(
            Selected selected,
            RunFolder folder,
            Sparing sparing,
            Telling telling,
            boolean quiet,
            Consumer<String> person) {
        this.selected = selected;
        this.folder = folder;
        this.sparing = sparing;
        this.telling = telling;
        this.quiet = quiet;
        this.person = person;
    }

    @Override
    public void scored(Run run, Event.Scored scored) {
        last = scored;
    }

    /** Judges, unless it is not said how, or just was done. */
    void write(Run run, Optional<Best.Kept> best) {
        if (selected.setup().evaluation().isEmpty()) {
            return;
        }
        (best.isPresent()
                        ? ofBest(run, best.get())
                        : ofEnd(run, selected.setup().evaluation().get()))
                .ifPresent(this::write);
    }

    /** Whether the run could not be judged. */
    boolean areMissing() {
        return missing;
    }

    private Optional<SortedMap<String, Double>> ofEnd(Run run, Evaluation evaluation) {
        if (last != null && last.at().step() == run.position().step()) {
            return Optional.of(last.scores());
        }
        person.accept("scoring, which takes a few seconds...");
        try {
            SortedMap<String, Double> scores = shown(() -> run.scheduler().scores(evaluation));
            run.emit(new Event.Scored(run.position(), scores, false));
            return Optional.of(scores);
        } catch (Throwable e) {
            missing = true;
            sparing.missing(run, "scores", e);
            return Optional.empty();
        }
    }

    /** Judges the best in a run of its own. No metric is recorded: it would be one of another place. */
    private Optional<SortedMap<String, Double>> ofBest(Run run, Best.Kept kept) {
        person.accept("scoring the best, of step " + kept.step() + ", which takes a few seconds...");
        try {
            SavedRun saved = new SavedRun(folder, Checkpoints.read(folder.best(), kept.step()));
            Selected again = selected.again();
            SortedMap<String, Double> scores =
                    shown(() -> saved.scores(again, again.setup().evaluation().orElseThrow()));
            sparing.recorder().text(run.position(), "scores", Log.line(scores));
            telling.say("scores", scores);
            return Optional.of(scores);
        } catch (IOException e) {
            throw new UncheckedIOException(String.valueOf(e.getMessage()), e);
        } catch (Throwable e) {
            missing = true;
            sparing.missing(run, "scores", e);
            return Optional.empty();
        }
    }

    private SortedMap<String, Double> shown(Supplier<SortedMap<String, Double>> judging) {
        return Working.during(telling.terminal(), "scoring", quiet, judging);
    }

    private void write(SortedMap<String, Double> scores) {
        FileWork.run(folder.scores() + " could not be written", () -> {
            Map<String, Evaluation.Range> ranges =
                    selected.setup().evaluation().orElseThrow().ranges();
            WholeFile.write(folder.scores(), JsonLines.line(JsonLines.scores(scores, ranges)) + "\n");
        });
    }
}
