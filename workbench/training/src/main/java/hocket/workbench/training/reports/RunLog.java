package hocket.workbench.training.reports;

import hocket.schedulers.Event;
import hocket.schedulers.Next;
import hocket.schedulers.Recorder;
import hocket.schedulers.Ring;
import hocket.schedulers.Run;
import hocket.workbench.runs.json.CommandLines;
import hocket.workbench.terminal.NumberFormats;
import hocket.workbench.terminal.Terminal;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Locale;
import java.util.SortedMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Writes the events of a run as lines of its log. */
public final class RunLog implements Ring {
    private static final int OUTERMOST = -600;

    /** Returns a line of the log without its position. */
    private record Line(String name, String text) {}

    private static final Event.Report.Cases<Line> LINES = new Event.Report.Cases<>(
            validated -> new Line("validation", validated.metric() + " " + NumberFormats.shortly(validated.mean())),
            scored -> new Line(scored.best() ? "best" : "scores", line(scored.scores())),
            saved -> new Line("saved", place(saved.at())),
            refused -> new Line("not saved", refused.why()),
            failed -> new Line("no statistics of averages", trace(failed.why())),
            steered -> new Line(
                    "command",
                    Terminal.inOneLine(CommandLines.words(steered.applied().command()) + " by "
                            + steered.applied().by())),
            noted -> new Line(noted.name(), noted.text()));

    private final Recorder recorder;
    private @Nullable Throwable logged;

    /** @param recorder receives the lines */
    public RunLog(Recorder recorder) {
        this.recorder = recorder;
    }

    @Override
    public int order() {
        return OUTERMOST;
    }

    @Override
    public void run(Run run, Next next) {
        try {
            next.proceed();
        } catch (Throwable e) {
            failed(run, e);
            throw e;
        }
    }

    /** Logs a failure, once. */
    public void failed(Run run, Throwable failure) {
        if (failure == logged) {
            return;
        }
        logged = failure;
        try {
            recorder.text(run.position(), "failed", trace(failure));
        } catch (RuntimeException second) {
            failure.addSuppressed(second); // the same full disk, most likely
        }
    }

    @Override
    public void reported(Run run, Event.Report event) {
        Line line = event.fold(LINES);
        recorder.text(event.at(), line.name(), line.text());
    }

    private static String place(Event.Position at) {
        return String.format(Locale.ROOT, "round %d, epoch %.2f", at.round(), at.epoch());
    }

    /** Scores in a line. */
    static String line(SortedMap<String, Double> scores) {
        return scores.entrySet().stream()
                .map(entry -> entry.getKey() + " " + number(entry.getValue()))
                .collect(Collectors.joining(", "));
    }

    private static String number(double score) {
        boolean isSmall = score != 0 && Math.abs(score) < 0.01;
        return isSmall ? NumberFormats.shortly(score) : String.format(Locale.ROOT, "%.3f", score);
    }

    /** Returns an error in the log's form. */
    static String trace(Throwable failure) {
        StringWriter trace = new StringWriter();
        failure.printStackTrace(new PrintWriter(trace));
        return trace.toString().strip();
    }
}
