package hocket.workbench.training.reports;

import hocket.schedulers.Event;
import hocket.schedulers.Next;
import hocket.schedulers.Recorder;
import hocket.schedulers.Ring;
import hocket.schedulers.Run;
import hocket.schedulers.Scheduler;
import hocket.workbench.runs.BestCheckpoint;
import hocket.workbench.runs.RunFolder;
import hocket.workbench.runs.SelectedExperiment;
import hocket.workbench.terminal.NumberFormats;
import hocket.workbench.terminal.Terminal;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The end of a run: its result and what can be done with it, or where it was stopped and how it resumes.
 *
 * @param goesOnBy the command that resumes the run
 * @param audit what an audit has verified, where there is one
 */
public record RunSummary(
        SelectedExperiment selected,
        RunFolder folder,
        Recorder recorder,
        BestCheckpoint best,
        Throughput pace,
        Pictures pictures,
        FinalScores scores,
        StopNotice stopping,
        Terminal terminal,
        Consumer<String> person,
        String goesOnBy,
        Supplier<Optional<Scheduler.Audited>> audit)
        implements Ring {
    /** Around what saves a run that was stopped, to say that it is saved. */
    private static final int ORDER = -500;

    @Override
    public int order() {
        return ORDER;
    }

    @Override
    public void saved(Run run, Event.Saved event) {
        best.dropFormer();
    }

    @Override
    public void run(Run run, Next rest) {
        rest.proceed();
        if (stopping.isRequested() && stopping.hasTrained()) {
            sayStopped(run.position());
        }
    }

    private void sayStopped(Event.Position at) {
        terminal.erase();
        String taken = pace.text(at);
        recorder.text(at, "stopped", taken);
        Optional<String> steps = pace.steps(selected.file().totalSteps());
        String place = at.epoch() > 0 && steps.isEmpty()
                ? String.format(Locale.ROOT, "epoch %.1f", at.epoch())
                : "round " + NumberFormats.grouped(at.round());
        String outcome = "stopped in " + place + " after "
                + steps.map(text -> text + ", ").orElse("") + taken;
        person.accept(outcome + (stopping.isSaved() ? "; saved" : "; not saved"));
        sayAudited(at);
        if (!stopping.isSaved()) {
            return;
        }
        person.accept("next     " + goesOnBy);
    }

    private void sayAudited(Event.Position at) {
        audit.get().ifPresent(audited -> {
            String verified = NumberFormats.counted(audited.turns(), "turn") + " in "
                    + NumberFormats.counted(audited.rounds(), "round")
                    + (audited.turns() == 0 ? ": no audited round was reached" : " changed only what the plan says");
            recorder.text(at, "audit", verified);
            person.accept("audit    " + verified);
        });
    }

    /** Returns the final scores, if the experiment has an evaluation. */
    public void score(Run run) {
        stopping.scoring(() -> scores.write(run, best.kept()));
    }

    /** Returns whether the evaluation of the trained run failed. */
    public boolean isUnjudged() {
        return scores.areMissing();
    }

    /** The usual terminal step. */
    public void report(Run run) {
        Event.Position at = run.position();
        terminal.erase();
        String taken = pace.text(at);
        recorder.text(at, "done", taken);
        person.accept("done in " + taken);
        sayAudited(at);
        score(run);
        if (pictures.any()) {
            person.accept("samples  " + folder.samples().resolve("latest.png"));
        }
        stopping.saved().ifPresent(step -> {
            Optional<BestCheckpoint.Kept> kept = best.kept();
            person.accept("saved    " + checkpoint(folder.checkpoints(), step));
            kept.ifPresent(it -> person.accept("best     " + checkpoint(folder.best(), it.step())));
            new NextCommands(selected.setup(), folder, kept.isPresent()).lines().forEach(person);
        });
    }

    private static Path checkpoint(Path folder, long step) {
        return folder.resolve(String.format(Locale.ROOT, "%08d", step));
    }
}
