package hocket.workbench.training;

import hocket.schedulers.Rest;
import hocket.schedulers.Ring;
import hocket.schedulers.Scheduler;
import hocket.schedulers.rings.KeepBest;
import hocket.schedulers.rings.Recording;
import hocket.schedulers.rings.SaveOnFailure;
import hocket.schedulers.rings.StopWhen;
import hocket.workbench.runs.Best;
import hocket.workbench.runs.FolderRecorder;
import hocket.workbench.runs.RunFolder;
import hocket.workbench.runs.Selected;
import hocket.workbench.runs.Witness;
import hocket.workbench.terminal.Refusal;
import hocket.workbench.terminal.Terminal;
import hocket.workbench.training.ProvenanceRing.Announced;
import hocket.workbench.training.RunRequest.ResumeCommand;
import java.nio.file.Files;
import java.util.List;
import java.util.Optional;

/**
 * Puts the rings of the scheduler around training: those of every run here, and those that other rings made. It ends a resumed
 * run that has nothing left to do.
 *
 * @param display shows how far the run is; empty where nothing is shown
 * @param more rings that the caller asked for
 */
record SchedulerRing(Optional<Display> display, List<Ring> more) implements RunRing {
    @Override
    public RunLayer layer() {
        return RunLayer.SCHEDULER;
    }

    @Override
    public Selected select(RunContext run, Selected built) {
        if (run.request().flags().part() < 1 && built.setup().phases().size() > 1) {
            throw new Refusal("--until: the run has several phases, each with a budget of its own");
        }
        return built;
    }

    @Override
    public void write(RunContext run, Rest rest) {
        Scheduler scheduler = run.scheduler();
        boolean isResumed = run.resumedAt().isPresent();
        announce(run, run.get(Announced.class).lines());
        surround(run, scheduler);
        if (isResumed
                && (scheduler.done()
                        || Until.isThere(scheduler, run.request().flags().part()))) {
            finishScores(run);
            return;
        }
        run.folder().dropScores(); // they are of an end that it goes beyond
        rest.go();
    }

    private static void announce(RunContext run, List<String> lines) {
        lines.forEach(run::remark);
        run.said().addAll(lines);
        run.get(FolderRecorder.class).text(run.scheduler().position(), "start", String.join("; ", run.said()));
    }

    /** A run whose budget is used up lacks its scores if it was ended between its last checkpoint and those. */
    private static void finishScores(RunContext run) {
        if (!Files.exists(run.folder().scores())) {
            run.get(Ending.class).score(run.scheduler().now());
        }
        run.remark("nothing is left to do"
                + (run.request().file().spec().algorithm().isPresent()
                        ? ""
                        : "; --set " + run.scheduler().phase().budget().unit() + "=N with a larger N goes on"));
    }

    private void surround(RunContext run, Scheduler scheduler) {
        RunRequest request = run.request();
        RunRequest.Flags flags = request.flags();
        Selected selected = run.selected();
        RunFolder folder = run.folder();
        FolderRecorder recorder = run.get(FolderRecorder.class);
        Terminal terminal = request.workplace().terminal();
        Best best = Best.upTo(run.resumedAt().orElse(0), folder);
        scheduler
                .saveTo(folder.checkpoints(), request.file().spec().checkpoints())
                .savesAfter(recorder::force);
        if (flags.detectAnomalies()) {
            scheduler.detectAnomalies();
        }
        if (flags.auditEvery() > 0) {
            scheduler.audit(flags.auditEvery());
        }
        for (Ring ring : scheduler.rings()) {
            if (ring instanceof KeepBest keepBest) {
                keepBest.in(best);
            }
        }
        Log log = new Log(recorder);
        Stopping stopping = run.get(Stopping.class);
        Sparing sparing = new Sparing(recorder, terminal);
        Telling telling = new Telling(selected.setup(), terminal, run::remark);
        Pace pace = new Pace(System::nanoTime);
        Pictures pictures = new Pictures(selected.setup(), recorder);
        FinalScores scores = new FinalScores(selected, folder, sparing, telling, flags.quiet(), run::remark);
        Ending ending = new Ending(
                selected,
                folder,
                recorder,
                best,
                pace,
                pictures,
                scores,
                stopping,
                terminal,
                run::remark,
                run.get(ResumeCommand.class).line(),
                () -> flags.auditEvery() > 0 ? Optional.of(scheduler.audited()) : Optional.empty());
        run.give(Log.class, log);
        run.give(Ending.class, ending);
        scheduler
                .ring(stopping)
                .ring(log)
                .ring(new Recording(recorder, request.file().spec().metrics(), System::nanoTime))
                .ring(new Hints(terminal, flags.detectAnomalies(), run::remark))
                .ring(new StopWhen(run.stop()::isRequested))
                .ring(new SaveOnFailure())
                .ring(sparing)
                .ring(telling)
                .ring(pictures)
                .ring(scores)
                .ring(pace)
                .ring(ending);
        if (!flags.quiet()) {
            scheduler.ring(new Waiting(terminal));
        }
        display.ifPresent(where -> scheduler.ring(new Progress(
                selected.name(),
                selected.setup().descending(),
                request.file().spec().print(),
                where,
                System::nanoTime,
                new Fellows(run.find(Worker.All.class).orElse(List::of)))));
        if (flags.part() < 1) {
            scheduler.ring(new Until(flags.part()));
        }
        more.forEach(scheduler::ring);
        run.scheduled().forEach(ring -> {
            if (ring instanceof Witness witness) {
                recorder.witnessedBy(witness);
            }
            scheduler.ring(ring);
        });
    }
}
