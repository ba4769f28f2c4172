package hocket.workbench;

import hocket.schedulers.Budget;
import hocket.schedulers.Deed;
import hocket.schedulers.Evaluation;
import hocket.schedulers.Event;
import hocket.schedulers.Experiment;
import hocket.schedulers.Run;
import hocket.schedulers.Scheduler;
import hocket.schedulers.Trigger;
import hocket.schedulers.Turn;
import hocket.workbench.json.JsonLines;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.stream.Collectors;

/** A prepared run on its way: into its folder, with progress for a person to see, until it is done or told to stop. */
final class Training {
    private static final int GRID = 64;

    private final PreparedRun run;
    private final Terminal terminal;
    private final boolean quiet;
    private final Stop stop;
    private final FolderRecorder recorder;
    private final MetricMeans means;
    private long sampledAt = -1;
    private long savedAt = -1;

    private Training(PreparedRun run, Terminal terminal, boolean quiet, Stop stop, FolderRecorder recorder) {
        this.run = run;
        this.terminal = terminal;
        this.quiet = quiet;
        this.stop = stop;
        this.recorder = recorder;
        this.means = new MetricMeans(recorder);
    }

    /**
     * Trains to the end. What a run of this folder wrote beyond its checkpoint is taken back first.
     *
     * @return the exit status: 0, or that of the signal which stopped it
     */
    static int run(PreparedRun run, Terminal terminal, boolean quiet, Stop stop) {
        RunFolder folder = run.folder();
        folder.create();
        run.resumedAt().ifPresent(step -> JsonLines.dropBeyond(folder.metrics(), step));
        run.file().write(folder.experiment());
        try (FolderRecorder recorder = new FolderRecorder(folder, InstantSource.system())) {
            return new Training(run, terminal, quiet, stop, recorder).toTheEnd();
        }
    }

    private int toTheEnd() {
        Scheduler scheduler = run.scheduler();
        Budget budget = scheduler.phase().budget();
        List<String> announced = Announcement.of(run);
        announced.forEach(this::remark);
        recorder.text(scheduler.position(), "start", String.join("; ", announced));
        if (scheduler.done() && run.resumedAt().isPresent()) {
            if (!Files.exists(run.folder().scores())) {
                evaluate(scheduler.position()); // it was ended between its last checkpoint and its scores
            }
            remark("nothing is left to do; --set epochs=N with a larger N goes on");
            return 0;
        }
        long from = scheduler.position().round();
        long start = System.nanoTime();
        listen(scheduler, budget);
        try {
            scheduler.run();
        } catch (RuntimeException e) {
            terminal.erase();
            logFailure(scheduler.position(), e);
            throw e;
        }
        terminal.erase();
        means.record(scheduler.position());
        recorder.flush();
        end(scheduler, (System.nanoTime() - start) * 1e-9, scheduler.position().round() - from);
        return stop.isRequested() ? stop.status() : 0;
    }

    private void logFailure(Event.Position at, RuntimeException failure) {
        try {
            means.record(at);
            recorder.text(at, "failed", trace(failure));
        } catch (RuntimeException e) {
            failure.addSuppressed(e); // the same full disk, most likely
        }
    }

    private static String trace(RuntimeException failure) {
        StringWriter trace = new StringWriter();
        failure.printStackTrace(new PrintWriter(trace));
        return trace.toString().strip();
    }

    private void listen(Scheduler scheduler, Budget budget) {
        scheduler.saveTo(run.folder().checkpoints()).listen(means);
        if (!quiet) {
            scheduler.listen(
                    new Progress(run.choice().name(), scheduler, budget, descending(), terminal, System::nanoTime));
        }
        for (Experiment.Watch watch : run.experiment().watches()) {
            scheduler.on(watch.trigger(), watch.deed() == Deed.Usual.SAVE ? this::save : this::sample);
        }
        scheduler
                .on(Trigger.atEnd(), this::sample)
                .on(Trigger.atEnd(), this::save)
                .on(Trigger.everyRounds(1), this::stopIfAsked);
    }

    private List<Turn.Descend> descending() {
        return run.experiment().descending();
    }

    private void sample(Run now) {
        Event.Position at = now.position();
        if (run.experiment().samples().isEmpty() || at.step() == sampledAt) {
            return;
        }
        Samples samples = new Samples(run.experiment().samples().get());
        if (samples.areImages()) {
            recorder.images(at, name(at), samples.few(now.parameters(), GRID));
        }
        sampledAt = at.step();
    }

    private String name(Event.Position at) {
        return run.experiment().feeds().isEmpty()
                ? String.format(Locale.ROOT, "round-%06d", at.round())
                : String.format(Locale.ROOT, "epoch-%04d", (long) Math.floor(at.epoch() + 1e-9));
    }

    /** Metrics first: what is beyond the checkpoint is dropped when a run goes on, what is missing stays missing. */
    private void save(Run now) {
        Event.Position at = now.position();
        if (at.step() == savedAt) {
            return;
        }
        means.record(at);
        recorder.flush();
        now.save();
        savedAt = at.step();
        recorder.text(at, "saved", String.format(Locale.ROOT, "round %d, epoch %.2f", at.round(), at.epoch()));
    }

    private void stopIfAsked(Run now) {
        if (stop.isRequested()) {
            terminal.erase();
            save(now);
            now.stop();
        }
    }

    private void end(Scheduler scheduler, double seconds, long rounds) {
        Event.Position at = scheduler.position();
        String pace = Figures.clock(seconds) + ", " + Figures.rate(rounds / Math.max(seconds, 1e-9)) + " it/s";
        recorder.text(at, stop.isRequested() ? "stopped" : "done", pace);
        if (stop.isRequested()) {
            remark(String.format(Locale.ROOT, "stopped in epoch %.1f after %s; saved", at.epoch(), pace));
            remark("next     " + Hocket.command() + " run " + run.choice().name() + " --resume --out " + run.folder());
            return;
        }
        remark("done in " + pace);
        evaluate(at);
        if (sampledAt >= 0) {
            remark("samples  " + run.folder().samples().resolve("latest.png"));
        }
        remark("saved    " + run.folder().checkpoints().resolve(String.format(Locale.ROOT, "%08d", at.step())));
        remark("next     " + Hocket.command() + " eval " + run.folder());
        remark("         " + Hocket.command() + " sample " + run.folder() + " --count 100 --out samples.png");
    }

    private void evaluate(Event.Position at) {
        run.experiment().evaluation().ifPresent(evaluation -> {
            remark("scoring, which takes a few seconds...");
            score(at, evaluation);
        });
    }

    /** What was trained is saved by now, so scores that cannot be had are no reason to fail. */
    private void score(Event.Position at, Evaluation evaluation) {
        SortedMap<String, Double> scores;
        try {
            scores = evaluation.scores(run.parameters());
        } catch (RuntimeException e) {
            recorder.text(at, "no scores", trace(e));
            terminal.remark("hocket: no scores: " + e.getMessage() + "; log.txt says where");
            return;
        }
        scores.forEach((name, value) -> recorder.scalar(at, "evaluation", name, value));
        String line = scores.entrySet().stream()
                .map(entry -> entry.getKey() + " " + String.format(Locale.ROOT, "%.3f", entry.getValue()))
                .collect(Collectors.joining(", "));
        recorder.text(at, "scores", line);
        try {
            Files.writeString(run.folder().scores(), JsonLines.line(scores) + "\n");
        } catch (IOException e) {
            throw new UncheckedIOException(run.folder().scores() + " could not be written: " + e.getMessage(), e);
        }
        new Page().entry("scores", 9, line).lines().forEach(this::remark);
    }

    private void remark(String line) {
        if (!quiet) {
            terminal.remark(line);
        }
    }
}
