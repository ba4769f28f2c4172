package hocket.workbench.training.rings;

import hocket.schedulers.Next;
import hocket.schedulers.Ring;
import hocket.schedulers.Scheduler;
import hocket.schedulers.rings.Recording;
import hocket.schedulers.rings.SaveOnFailure;
import hocket.schedulers.rings.StopWhen;
import hocket.workbench.files.UserError;
import hocket.workbench.runs.BestCheckpoint;
import hocket.workbench.runs.FolderRecorder;
import hocket.workbench.runs.RunFolder;
import hocket.workbench.runs.RunListener;
import hocket.workbench.runs.SelectedExperiment;
import hocket.workbench.terminal.Terminal;
import hocket.workbench.training.RunContext;
import hocket.workbench.training.RunRequest;
import hocket.workbench.training.RunRequest.ResumeCommand;
import hocket.workbench.training.RunRing;
import hocket.workbench.training.RunRingOrder;
import hocket.workbench.training.Worker;
import hocket.workbench.training.reports.ConsoleReporter;
import hocket.workbench.training.reports.Display;
import hocket.workbench.training.reports.DivergenceHints;
import hocket.workbench.training.reports.FinalScores;
import hocket.workbench.training.reports.PartialBudget;
import hocket.workbench.training.reports.Pictures;
import hocket.workbench.training.reports.ProgressDisplay;
import hocket.workbench.training.reports.RunLog;
import hocket.workbench.training.reports.RunSummary;
import hocket.workbench.training.reports.StopNotice;
import hocket.workbench.training.reports.Throughput;
import hocket.workbench.training.reports.TolerantActions;
import hocket.workbench.training.reports.WaitNotice;
import hocket.workbench.training.reports.WorkerStatus;
import hocket.workbench.training.rings.ProvenanceRing.Announced;
import java.nio.file.Files;
import java.util.List;
import java.util.Optional;

/**
 * Adds the scheduler's rings: those of every run, and those that other rings made. It ends a resumed run that has no
 * rounds left.
 *
 * @param display shows the run's progress; empty if nothing is shown
 * @param more rings of the caller
 */
public record SchedulerRing(Optional<Display> display, List<Ring> more) implements RunRing {
    @Override
    public RunRingOrder layer() {
        return RunRingOrder.SCHEDULER;
    }

    @Override
    public SelectedExperiment select(RunContext run, SelectedExperiment built) {
        if (run.request().flags().part() < 1 && built.setup().phases().size() > 1) {
            throw new UserError("--until: the run has several phases, each with a budget of its own");
        }
        return built;
    }

    @Override
    public void write(RunContext run, Next next) {
        Scheduler scheduler = run.scheduler();
        boolean isResumed = run.resumedAt().isPresent();
        announce(run, run.get(Announced.class).lines());
        surround(run, scheduler);
        if (isResumed
                && (scheduler.done()
                        || PartialBudget.isThere(
                                scheduler, run.request().flags().part()))) {
            finishScores(run);
            return;
        }
        run.folder().dropScores(); // they are of an end that it goes beyond
        next.proceed();
    }

    private static void announce(RunContext run, List<String> lines) {
        lines.forEach(run::remark);
        run.said().addAll(lines);
        run.get(FolderRecorder.class).text(run.scheduler().position(), "start", String.join("; ", run.said()));
    }

    /**
     * A run with a used-up budget lacks its scores if it was stopped between its last checkpoint and its evaluation.
     */
    private static void finishScores(RunContext run) {
        if (!Files.exists(run.folder().scores())) {
            run.get(RunSummary.class).score(run.scheduler().now());
        }
        if (!run.scheduler().done()) {
            run.remark("--until is reached: a larger one continues, or none");
            return;
        }
        boolean hasBudgets = run.request().file().hasPhases(run.request().runner());
        run.remark("the budget is used up"
                + (hasBudgets || run.request().file().spec().algorithm().isPresent()
                        ? ""
                        : "; --set " + run.scheduler().phase().budget().unit() + "=N with a larger N continues"));
    }

    private void surround(RunContext run, Scheduler scheduler) {
        RunRequest request = run.request();
        RunRequest.Flags flags = request.flags();
        SelectedExperiment selectedExperiment = run.selected();
        RunFolder folder = run.folder();
        FolderRecorder recorder = run.get(FolderRecorder.class);
        Terminal terminal = request.workplace().terminal();
        BestCheckpoint bestCheckpoint = BestCheckpoint.upTo(run.resumedAt().orElse(0), folder);
        scheduler
                .saveTo(folder.checkpoints(), request.file().spec().checkpoints())
                .savesAfter(recorder::force);
        if (flags.detectAnomalies()) {
            scheduler.detectAnomalies();
        }
        if (flags.auditEvery() > 0) {
            scheduler.audit(flags.auditEvery());
        }
        scheduler.rings().forEach(ring -> ring.keepBestIn(bestCheckpoint));
        RunLog runLog = new RunLog(recorder);
        StopNotice stopNotice = run.get(StopNotice.class);
        TolerantActions tolerantActions = new TolerantActions(recorder, terminal);
        ConsoleReporter consoleReporter = new ConsoleReporter(selectedExperiment.setup(), terminal, run::remark);
        Throughput throughput = new Throughput(System::nanoTime);
        Pictures pictures = new Pictures(selectedExperiment.setup(), recorder);
        FinalScores scores = new FinalScores(
                selectedExperiment, folder, tolerantActions, consoleReporter, flags.quiet(), run::remark);
        RunSummary runSummary = new RunSummary(
                selectedExperiment,
                folder,
                recorder,
                bestCheckpoint,
                throughput,
                pictures,
                scores,
                stopNotice,
                terminal,
                run::remark,
                run.get(ResumeCommand.class).line(),
                () -> flags.auditEvery() > 0 ? Optional.of(scheduler.audited()) : Optional.empty());
        run.give(RunLog.class, runLog);
        run.give(RunSummary.class, runSummary);
        scheduler
                .ring(stopNotice)
                .ring(runLog)
                .ring(new Recording(recorder, request.file().spec().metrics(), System::nanoTime))
                .ring(new DivergenceHints(terminal, flags.detectAnomalies(), run::remark))
                .ring(new StopWhen(run.stop()::isRequested))
                .ring(new SaveOnFailure())
                .ring(tolerantActions)
                .ring(consoleReporter)
                .ring(pictures)
                .ring(scores)
                .ring(throughput)
                .ring(runSummary);
        if (!flags.quiet()) {
            scheduler.ring(new WaitNotice(terminal, System::nanoTime));
        }
        display.ifPresent(where -> scheduler.ring(new ProgressDisplay(
                selectedExperiment.name(),
                selectedExperiment.setup().descending(),
                request.file().spec().print(),
                flags.part(),
                where,
                System::nanoTime,
                new WorkerStatus(run.find(Worker.All.class).orElse(List::of)))));
        if (flags.part() < 1) {
            scheduler.ring(new PartialBudget(flags.part()));
        }
        more.forEach(scheduler::ring);
        run.scheduled().forEach(ring -> {
            if (ring instanceof RunListener runListener) {
                recorder.heardBy(runListener);
            }
            scheduler.ring(ring);
        });
    }
}
