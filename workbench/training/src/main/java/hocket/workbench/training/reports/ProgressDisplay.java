package hocket.workbench.training.reports;

import hocket.schedulers.Budget;
import hocket.schedulers.Event;
import hocket.schedulers.Ring;
import hocket.schedulers.Run;
import hocket.schedulers.Scheduler;
import hocket.schedulers.Turn;
import hocket.workbench.files.experiment.ExperimentSpec.PrintSpec;
import hocket.workbench.terminal.NumberFormats;
import hocket.workbench.terminal.ProgressLine;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Shows a run's progress: on a terminal in place, a few times a second; elsewhere as a plain line every few seconds, or
 * every tenth of the run if those are further apart than two seconds.
 */
public final class ProgressDisplay implements Ring {
    private static final double PLAIN_LINE_AT_TENTHS = 2;
    private static final double RATE_OVER = 5;
    private static final int LOSSES_OVER = 50;
    /** Labels of metrics of Java turns that come first. */
    private static final Map<String, String> REPORTS = Map.of("episode_return", "return", "reward", "reward");

    private final String name;
    private final List<Turn.Descend> turns;
    private final PrintSpec print;
    private final Display display;
    private final double part;
    private Budget budget = Budget.rounds(0);
    private final LongSupplier nanos;
    private Mark older = new Mark(0, 0, 0);
    private Mark newer = older;
    private boolean warm;
    private long shown;
    private double doneShown;
    private boolean bySteps;
    private final StepCounter stepCounter = new StepCounter();
    private final ActorStatus actorStatus = new ActorStatus();
    private final WorkerStatus workerStatus;
    /** The label and metric of the Java turn that comes first. */
    private Map.@Nullable Entry<String, String> report;

    /** The turns taken since the start of this phase. */
    private final Set<String> taken = new HashSet<>();

    /**
     * @param print how often
     * @param part the fraction of the budget at which the run ends
     * @param nanos a monotonic clock, such as {@link System#nanoTime}
     */
    public ProgressDisplay(
            String name,
            List<Turn.Descend> turns,
            PrintSpec print,
            double part,
            Display display,
            LongSupplier nanos,
            WorkerStatus workerStatus) {
        this.name = name;
        this.turns = turns;
        this.print = print;
        this.part = part;
        this.display = display;
        this.nanos = nanos;
        this.workerStatus = workerStatus;
    }

    @Override
    public void heard(Run run, Event event) {
        event.tell(run, stepCounter);
        event.tell(run, actorStatus);
        event.tell(run, this);
    }

    @Override
    public void acted(Run run, Event.Acted acted) {
        if (report == null) {
            report = acted.metrics().names().stream()
                    .filter(REPORTS::containsKey)
                    .findFirst()
                    .map(name -> Map.entry(Objects.requireNonNull(REPORTS.get(name)), acted.turn() + "/" + name))
                    .orElse(null);
        }
    }

    @Override
    public void descended(Run run, Event.Descended descended) {
        taken.add(descended.turn());
    }

    @Override
    public void roundEnded(Run run, Event.RoundEnded event) {
        long now = nanos.getAsLong();
        look(now, event.at(), run.scheduler());
        if (isDue(now, run.scheduler())) {
            show(now, event.at(), run.scheduler());
        }
    }

    @Override
    public void paused(Run run, Event.Paused event) {
        warm = false; // no round is taken while it pauses
    }

    @Override
    public void started(Run run, Event.Started begun) {
        budget = begun.budget();
        report = null;
        taken.clear();
        shown = nanos.getAsLong();
        bySteps = stepCounter.now().isPresent();
        warm = false;
        doneShown = run.scheduler().done(budget);
    }

    private boolean isDue(long now, Scheduler scheduler) {
        double since = seconds(shown, now);
        if (display.inPlace()) {
            return since >= print.redraw();
        }
        if (since < PLAIN_LINE_AT_TENTHS) {
            return false;
        }
        return since >= print.line() || Math.floor(10 * scheduler.done(budget)) > Math.floor(10 * doneShown);
    }

    /** The unit of the rate: steps if they are reported, else rounds. */
    private double count(Event.Position at) {
        return bySteps ? stepCounter.taken() : at.round();
    }

    /** Keeps a mark of some seconds ago; the first round, in which programs are compiled, does not count. */
    private void look(long now, Event.Position at, Scheduler scheduler) {
        if (!bySteps && stepCounter.now().isPresent()) {
            bySteps = true;
            warm = false;
        }
        if (!warm) {
            warm = true;
            older = mark(now, at, scheduler);
            newer = older;
        } else if (seconds(newer.nanos(), now) >= RATE_OVER) {
            older = newer;
            newer = mark(now, at, scheduler);
        }
    }

    private Mark mark(long now, Event.Position at, Scheduler scheduler) {
        return new Mark(now, count(at), scheduler.done(budget));
    }

    private void show(long now, Event.Position at, Scheduler scheduler) {
        double done = scheduler.done(budget);
        shown = now;
        doneShown = done;
        display.show(done, line(at, done, now, scheduler).text(display.columns()));
    }

    private ProgressLine line(Event.Position at, double done, long now, Scheduler scheduler) {
        List<String> losses = new ArrayList<>();
        List<String> metrics = new ArrayList<>();
        for (Turn.Descend turn : turns) {
            if (!taken.contains(turn.name())) {
                continue;
            }
            add(scheduler, losses, turn.name(), turn.name() + "/loss");
            turn.program()
                    .metrics()
                    .keySet()
                    .forEach(metric ->
                            add(scheduler, metrics, NumberFormats.narrow(metric), turn.name() + "/" + metric));
        }
        List<String> figures = new ArrayList<>(); // reports of Java turns come first, then losses if there is room
        if (report != null) {
            add(scheduler, figures, report.getKey(), report.getValue());
        }
        List<String> others = actorStatus.figures(scheduler);
        figures.addAll(others);
        stepCounter
                .now()
                .ifPresent(count -> (others.isEmpty() ? figures : metrics)
                        .add(StepCounter.NAME + " " + NumberFormats.briefly(Math.round(count))));
        if (!figures.isEmpty()) {
            metrics.addAll(0, losses);
        }
        metrics.addAll(0, workerStatus.figures());
        return new ProgressLine(
                name,
                position(done),
                done,
                figures.isEmpty() ? losses : figures,
                metrics,
                pace(new Mark(now, count(at), done)));
    }

    /** Returns the rate of the last seconds; empty if it is unknown. */
    private List<String> pace(Mark now) {
        double over = seconds(older.nanos(), now.nanos());
        List<String> pace = new ArrayList<>();
        if (over > 0 && now.count() > older.count()) {
            double rate = (now.count() - older.count()) / over;
            pace.add(bySteps ? StepCounter.pace(rate) : NumberFormats.rate(rate) + " it/s");
        }
        if (over > 0 && now.done() > older.done()) {
            pace.add(
                    NumberFormats.clock(over * Math.max(0, part - now.done()) / (now.done() - older.done())) + " left");
        }
        return pace;
    }

    private static void add(Scheduler scheduler, List<String> to, String label, String series) {
        OptionalDouble average = scheduler.average(series, LOSSES_OVER);
        average.ifPresent(value -> to.add(label + " " + NumberFormats.shortly(value)));
    }

    private String position(double done) {
        return budget.fold(
                rounds -> "round " + part(done, rounds.count()),
                turns -> "turn " + part(done, turns.count()),
                epochs -> "epoch " + (long) Math.floor(done * epochs.count() + 1e-9) + "/" + epochs.count());
    }

    private static String part(double done, long count) {
        return NumberFormats.grouped(Math.round(done * count)) + "/" + NumberFormats.grouped(count);
    }

    /**
     * A position of the run, from which the rate is measured.
     *
     * @param nanos when
     * @param count rounds or steps
     * @param done from 0 to 1
     */
    private record Mark(long nanos, double count, double done) {}

    private static double seconds(long from, long to) {
        return (to - from) * 1e-9;
    }
}
