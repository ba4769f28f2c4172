package hocket.workbench.live;

import hocket.schedulers.Budget;
import hocket.schedulers.Event;
import hocket.schedulers.Run;
import hocket.schedulers.Scheduler;
import hocket.schedulers.Steering;
import hocket.schedulers.Turn;
import hocket.scopes.Snapshot;
import hocket.workbench.cluster.Worker;
import hocket.workbench.online.DurableQueue;
import hocket.workbench.online.OnlineQueues;
import hocket.workbench.runs.RunFolder;
import hocket.workbench.runs.Selected;
import hocket.workbench.terminal.Figures;
import hocket.workbench.training.Attendant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A run that trains in this process, as others see it. The training thread leaves in slots what is newest, and never waits;
 * whoever looks takes it from there.
 */
public final class Attended implements Attendant, ServedRun {
    private static final long LOOK_NANOS = 50_000_000;
    private static final double RATE_OVER = 2;
    private static final int MOST_LINES = 500;
    private static final double MILLIS = 1000;

    /** What is closed when the run has ended. */
    interface Server extends AutoCloseable {
        @Override
        void close();
    }

    /** A place of the run, for its pace since then. */
    private record Mark(long nanos, long round, double done) {}

    /** What the training thread left last. */
    private record Left(
            Event.Position at,
            String place,
            String phase,
            String budget,
            double done,
            @Nullable Double roundsPerSecond,
            @Nullable Double secondsLeft,
            SortedMap<String, Double> settings,
            Map<String, Long> counts,
            String plan) {}

    private final Function<ServedRun, Server> opens;
    private final Coalesced<Moment> copies = new Coalesced<>(this::copied);
    private volatile Curves curves = new Curves();
    private final Map<String, Event.TurnTaken> last = new ConcurrentHashMap<>();
    private final ConcurrentLinkedQueue<String> lines = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<RunFacts.Entry> applied = new ConcurrentLinkedQueue<>();
    private volatile Status status = Status.STARTING;
    private volatile @Nullable String failure;
    private volatile @Nullable String turn;
    private volatile @Nullable String picture;
    private volatile RunFacts.@Nullable Drawn drawn;
    private volatile @Nullable String film;
    private volatile @Nullable Long checkpoint;
    private volatile @Nullable Left left;
    /** Where the run is, which may be beyond what was left. */
    private volatile Event.@Nullable Position newest;

    /** Whether the event that is being told of is to be seen at once: all but turns and ends of rounds, which are many. */
    private boolean changes;

    private volatile boolean complete;
    private volatile Map<String, DurableQueue> feeds = Map.of();
    private volatile Supplier<List<Worker>> workers = List::of;
    private @Nullable Selected selected;
    private @Nullable RunFolder folder;
    private @Nullable Steering steering;
    private @Nullable Selected copy;
    private @Nullable Glances glances;
    private @Nullable Films films;
    private Budget budget = Budget.rounds(0);
    private Mark older = new Mark(0, 0, 0);
    private Mark newer = older;
    private long looked;
    private @Nullable Scheduler trained;

    /** @param opens what shows the run, once its folder is there */
    Attended(Function<ServedRun, Server> opens) {
        this.opens = opens;
    }

    @Override
    public Attendance attend(Selected what, RunFolder into, Steering by) {
        selected = what;
        folder = into;
        steering = by;
        curves = Curves.of(into.metrics());
        glances = new Glances(what, into);
        films = what.setup().film().isPresent() ? new Films(into, this::experiment, name -> film = name) : null;
        Server server = opens.apply(this);
        return new Attendance() {
            @Override
            public void failed(String why) {
                failure = why;
                status = Status.FAILED;
            }

            @Override
            public void close() {
                if (films != null) {
                    films.close();
                }
                if (status != Status.FAILED) {
                    status = complete ? Status.ENDED : Status.STOPPED;
                }
                server.close();
            }
        };
    }

    @Override
    public void fed(OnlineQueues queues) {
        feeds = queues.byFeed();
    }

    @Override
    public void waits() {
        Scheduler run = trained;
        if (status != Status.WAITING && run != null) {
            status = Status.WAITING;
            leave(run, System.nanoTime());
        }
    }

    @Override
    public void goesOn() {
        Scheduler run = trained;
        if (status == Status.WAITING && run != null) {
            status = Status.TRAINING;
            paceFrom(run);
        }
    }

    @Override
    public void among(Supplier<List<Worker>> all) {
        workers = all;
    }

    @Override
    public Map<String, DurableQueue> feeds() {
        return feeds;
    }

    @Override
    public void figure(Event.Position at, String series, double value) {
        curves.add(series, at.step(), value, System.currentTimeMillis() / MILLIS);
    }

    @Override
    public void picture(Event.Position at, String name) {
        picture = name;
        drawn = new RunFacts.Drawn(name, at.step());
        Objects.requireNonNull(glances).kept(at);
    }

    @Override
    public void line(String line) {
        lines.add(line);
        while (lines.size() > MOST_LINES) { // nobody takes them
            lines.poll();
        }
    }

    @Override
    public String name() {
        return "live";
    }

    @Override
    public void heard(Run run, Event event) {
        trained = run.scheduler();
        newest = event.at();
        changes = true;
        event.tell(run, this);
        long now = System.nanoTime();
        if (changes || now - looked > LOOK_NANOS) {
            looked = now;
            leave(run.scheduler(), now);
        }
    }

    @Override
    public void turnTaken(Run run, Event.TurnTaken event) {
        turn = event.turn();
        last.put(event.turn(), event);
        changes = false;
    }

    @Override
    public void roundEnded(Run run, Event.RoundEnded event) {
        glance(run, false);
        changes = false;
    }

    @Override
    public void started(Run run, Event.Started started) {
        status = Status.TRAINING;
        budget = started.budget();
        paceFrom(run.scheduler());
    }

    @Override
    public void paused(Run run, Event.Paused event) {
        glance(run, true);
        status = Status.PAUSED;
    }

    @Override
    public void resumed(Run run, Event.Resumed event) {
        status = Status.TRAINING;
        paceFrom(run.scheduler()); // no round was taken while it paused
    }

    @Override
    public void saved(Run run, Event.Saved saved) {
        checkpoint = saved.at().step();
        if (films != null) {
            films.saved(saved.at().step());
        }
    }

    @Override
    public void steered(Run run, Event.Steered steered) {
        applied.add(RunFacts.Entry.of(steered.applied(), System.currentTimeMillis() / MILLIS));
    }

    @Override
    public void ended(Run run, Event.Ended ended) {
        status = ended.complete() ? Status.SCORING : Status.STOPPING;
        complete = ended.complete();
        if (!complete) {
            glance(run, true); // it is not drawn otherwise
        }
    }

    /** Measures the pace from now on. */
    private void paceFrom(Scheduler run) {
        older = new Mark(System.nanoTime(), run.position().round(), run.done(budget));
        newer = older;
    }

    private void glance(Run run, boolean now) {
        if (Objects.requireNonNull(glances).drawn(run, now)) {
            drawn = new RunFacts.Drawn(Glances.NAME, run.position().step());
        }
    }

    private void leave(Scheduler run, long nanos) {
        Event.Position at = run.position();
        double done = run.done(budget);
        if ((nanos - newer.nanos()) * 1e-9 > RATE_OVER) {
            older = newer;
            newer = new Mark(nanos, at.round(), done);
        }
        double over = (nanos - older.nanos()) * 1e-9;
        boolean moves = status == Status.TRAINING && over > 0.2;
        Double rate = moves && at.round() > older.round() ? (Double) ((at.round() - older.round()) / over) : null;
        Double rest = moves && done > older.done() ? (Double) (over * (1 - done) / (done - older.done())) : null;
        Map<String, Long> counts = new LinkedHashMap<>();
        for (String name : turns().keySet()) {
            counts.put(name, run.count(name));
        }
        left = new Left(
                at,
                run.place(),
                run.phase().name(),
                words(budget),
                done,
                rate,
                rest,
                run.settings(),
                counts,
                run.planned().toString());
    }

    private Map<String, Turn> turns() {
        return Objects.requireNonNull(selected).setup().turnsByName();
    }

    // What others ask.

    @Override
    public RunFolder folder() {
        return Objects.requireNonNull(folder);
    }

    @Override
    public Curves curves() {
        return curves;
    }

    @Override
    public Optional<Steering> steering() {
        return Optional.ofNullable(steering);
    }

    @Override
    public synchronized Selected experiment() {
        Selected made = copy;
        if (made == null) {
            Selected original = Objects.requireNonNull(selected);
            made = original.toLook(folder());
            copy = made;
        }
        return made;
    }

    @Override
    public CompletableFuture<Moment> parameters() {
        return copies.ask();
    }

    private CompletableFuture<Moment> copied() {
        return Objects.requireNonNull(steering).look(run -> {
            long began = System.nanoTime();
            Snapshot snapshot = run.scheduler().asSaved(run.parameters()::snapshot);
            return new Moment(run.position(), snapshot, System.nanoTime() - began);
        });
    }

    @Override
    public RunFacts facts() {
        Selected what = Objects.requireNonNull(selected);
        Left now = left;
        List<RunFacts.TurnName> names = new ArrayList<>();
        turns().forEach((name, each) -> names.add(new RunFacts.TurnName(name, kind(each))));
        Status is = status;
        return new RunFacts(
                id(),
                what.name(),
                what.summary(),
                folder().path().toAbsolutePath().normalize().toString(),
                what.seed(),
                is.word(),
                failure,
                true,
                at(now),
                now == null ? "" : now.budget(),
                now == null ? 0 : now.done(),
                now == null ? "" : now.place(),
                now == null ? "" : now.phase(),
                now == null ? null : now.roundsPerSecond(),
                now == null ? null : now.secondsLeft(),
                now == null ? new TreeMap<>() : now.settings(),
                names,
                now == null ? what.setup().phases().get(0).plan().toString() : now.plan(),
                what.setup().film().isPresent(),
                what.setup().samples().isPresent(),
                what.setup().film().isPresent(),
                is == Status.STARTING || is == Status.TRAINING || is == Status.WAITING || is == Status.PAUSED,
                false,
                workers.get());
    }

    private Event.Position at(@Nullable Left now) {
        Event.Position heard = newest;
        if (now == null) {
            return new Event.Position(0, 0, 0);
        }
        return heard != null
                        && heard.step() >= now.at().step()
                        && heard.round() >= now.at().round()
                ? heard
                : now.at();
    }

    /**
     * What the training thread left last.
     *
     * @param counts how often each turn was taken
     * @param last figures of each turn's last, such as {@code d/loss}
     * @param checkpoint turns of the newest that this process wrote; null before the first
     */
    record Seen(
            RunFacts facts,
            Map<String, Long> counts,
            Map<String, Double> last,
            @Nullable Long checkpoint) {}

    Seen seen() {
        Left now = left;
        return new Seen(facts(), now == null ? Map.of() : now.counts(), lastFigures(), checkpoint);
    }

    /** A budget for people: {@code 30 epochs of digits}. */
    static String words(Budget budget) {
        return budget.fold(
                rounds -> Figures.counted(rounds.count(), "round"),
                turns -> Figures.counted(turns.count(), "turn"),
                epochs -> Figures.counted(epochs.count(), "epoch") + " of " + epochs.source());
    }

    static String kind(Turn turn) {
        return turn.fold(descend -> "descend", follow -> "follow", act -> "act");
    }

    /** What is new since it was asked last; one asks. */
    final class News {
        private final Map<String, Long> seen = new LinkedHashMap<>();
        private final SortedMap<String, Double> settings = new TreeMap<>();
        private String plan = "";
        private @Nullable String shown;
        private @Nullable String played;
        private @Nullable Long saved;
        private List<Worker> heard = List.of();
        private long tick;

        News() {
            curves.byName().forEach((name, curve) -> seen.put(name, curve.count()));
            shown = picture;
            saved = checkpoint;
        }

        RunFacts.Tick next() {
            RunFacts facts = facts();
            Map<String, List<double[]>> series = new LinkedHashMap<>();
            curves.byName().forEach((name, curve) -> {
                Curve.Points points = curve.after(seen.getOrDefault(name, 0L));
                seen.put(name, points.total());
                List<double[]> pairs = new ArrayList<>();
                for (int i = 0; i < points.steps().length; i++) {
                    pairs.add(new double[] {points.steps()[i], points.values()[i], points.times()[i]});
                }
                if (!pairs.isEmpty()) {
                    series.put(name, pairs);
                }
            });
            boolean isReset = !settings.equals(facts.settings());
            settings.clear();
            settings.putAll(facts.settings());
            boolean isReplanned = !plan.equals(facts.plan());
            plan = facts.plan();
            String newest = picture;
            boolean isDrawn = newest != null && !newest.equals(shown);
            shown = newest;
            String filmed = film;
            boolean isFilmed = filmed != null && !filmed.equals(played);
            played = filmed;
            Long written = checkpoint;
            boolean isSaved = written != null && !written.equals(saved);
            saved = written;
            boolean isHeard = !heard.equals(facts.workers());
            heard = facts.workers();
            Left now = left;
            List<RunFacts.Entry> journal = new ArrayList<>();
            for (RunFacts.Entry one = applied.poll(); one != null; one = applied.poll()) {
                journal.add(one);
            }
            List<String> log = new ArrayList<>();
            for (String line = lines.poll(); line != null; line = lines.poll()) {
                log.add(line);
            }
            return new RunFacts.Tick(
                    "tick",
                    ++tick,
                    facts.at(),
                    facts.status(),
                    facts.place(),
                    facts.phase(),
                    turn,
                    facts.done(),
                    facts.roundsPerSecond(),
                    facts.secondsLeft(),
                    now == null ? Map.of() : now.counts(),
                    lastFigures(),
                    series,
                    isDrawn ? newest : null,
                    drawn,
                    isFilmed ? filmed : null,
                    isReset ? facts.settings() : null,
                    isReplanned ? plan : null,
                    log,
                    journal,
                    isSaved ? written : null,
                    isHeard ? heard : null);
        }
    }

    private Map<String, Double> lastFigures() {
        Map<String, Double> figures = new TreeMap<>();
        last.forEach(
                (name, event) -> event.figures().forEach((figure, value) -> figures.put(name + "/" + figure, value)));
        return figures;
    }
}
