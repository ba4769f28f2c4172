package hocket.workbench.training.reports;

import hocket.schedulers.Event;
import hocket.schedulers.Ring;
import hocket.schedulers.Run;
import hocket.schedulers.checkpoint.AtomicFile;
import hocket.schedulers.checkpoint.Checkpoints;
import hocket.schedulers.checkpoint.FileWork;
import hocket.schedulers.evaluation.Evaluation;
import hocket.workbench.files.json.JsonLines;
import hocket.workbench.runs.BestCheckpoint;
import hocket.workbench.runs.CheckpointedRun;
import hocket.workbench.runs.RunFolder;
import hocket.workbench.runs.SelectedExperiment;
import hocket.workbench.terminal.Spinner;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The final scores of a run: those of its best checkpoint, or of its end if no best was kept; also as a file. */
public final class FinalScores implements Ring {
    private final SelectedExperiment selectedExperiment;
    private final RunFolder folder;
    private final TolerantActions tolerantActions;
    private final ConsoleReporter consoleReporter;
    private final boolean quiet;
    private final Consumer<String> person;
    private Event.@Nullable Scored last;
    private boolean missing;

    public FinalScores(
            SelectedExperiment selectedExperiment,
            RunFolder folder,
            TolerantActions tolerantActions,
            ConsoleReporter consoleReporter,
            boolean quiet,
            Consumer<String> person) {
        this.selectedExperiment = selectedExperiment;
        this.folder = folder;
        this.tolerantActions = tolerantActions;
        this.consoleReporter = consoleReporter;
        this.quiet = quiet;
        this.person = person;
    }

    @Override
    public void scored(Run run, Event.Scored scored) {
        last = scored;
    }

    /** Evaluates the run, unless it has no evaluation or was just evaluated. */
    void write(Run run, Optional<BestCheckpoint.Kept> best) {
        if (selectedExperiment.setup().evaluation().isEmpty()) {
            return;
        }
        (best.isPresent()
                        ? ofBest(run, best.get())
                        : ofEnd(run, selectedExperiment.setup().evaluation().get()))
                .ifPresent(this::write);
    }

    /** Returns whether the evaluation failed. */
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
            tolerantActions.recorder().flush(); // a resumed run with a file of scores does not evaluate again
            tolerantActions.recorder().force();
            return Optional.of(scores);
        } catch (Throwable e) {
            missing = true;
            tolerantActions.missing(run, "scores", e);
            return Optional.empty();
        }
    }

    /** Evaluates the best checkpoint in a run of its own. No metric is recorded: it would belong to another round. */
    private Optional<SortedMap<String, Double>> ofBest(Run run, BestCheckpoint.Kept kept) {
        person.accept("scoring the best, of step " + kept.step() + ", which takes a few seconds...");
        try {
            CheckpointedRun saved = new CheckpointedRun(folder, Checkpoints.read(folder.best(), kept.step()));
            SelectedExperiment again = selectedExperiment.again();
            SortedMap<String, Double> scores =
                    shown(() -> saved.scores(again, again.setup().evaluation().orElseThrow()));
            tolerantActions.recorder().text(run.position(), "scores", RunLog.line(scores));
            consoleReporter.say("scores", scores);
            return Optional.of(scores);
        } catch (IOException e) {
            throw new UncheckedIOException(String.valueOf(e.getMessage()), e);
        } catch (Throwable e) {
            missing = true;
            tolerantActions.missing(run, "scores", e);
            return Optional.empty();
        }
    }

    private SortedMap<String, Double> shown(Supplier<SortedMap<String, Double>> judging) {
        return Spinner.during(consoleReporter.terminal(), "scoring", quiet, judging);
    }

    private void write(SortedMap<String, Double> scores) {
        FileWork.run(folder.scores() + " could not be written", () -> {
            Map<String, Evaluation.Range> ranges =
                    selectedExperiment.setup().evaluation().orElseThrow().ranges();
            AtomicFile.write(folder.scores(), JsonLines.line(JsonLines.scores(scores, ranges)) + "\n");
        });
    }
}
