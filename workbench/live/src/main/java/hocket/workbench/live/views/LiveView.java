package hocket.workbench.live.views;

import hocket.schedulers.Budget;
import hocket.schedulers.Event;
import hocket.schedulers.Run;
import hocket.schedulers.Scheduler;
import hocket.schedulers.Turn;
import hocket.schedulers.commands.Steering;
import hocket.scopes.Snapshot;
import hocket.workbench.live.http.CoalescedQuery;
import hocket.workbench.online.DurableQueue;
import hocket.workbench.online.OnlineQueues;
import hocket.workbench.runs.RunFolder;
import hocket.workbench.runs.SelectedExperiment;
import hocket.workbench.terminal.NumberFormats;
import hocket.workbench.training.RunObserver;
import hocket.workbench.training.Worker;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A view of a run that trains in this process. The training thread leaves the newest values in slots and never waits;
 * readers take them from there.
 */
public final class LiveView implements RunObserver, ServedRun {
    private static final long LOOK_NANOS = 50_000_000;
    private static final int MOST_LINES = 500;
    private static final double MILLIS = 1000;

    /** The resource that is closed when the run has ended. */
    public interface Server extends AutoCloseable {
        @Override
        void close();
    }

    /** The newest values that the training thread has published. */
    public record PublishedValues(
            RunFacts.Progress progress,
            String budget,
            SortedMap<String, Double> settings,
            Map<String, Long> counts,
            String plan) {}

    private final Function<ServedRun, Server> opens;
    private final CoalescedQuery<Moment> copies = new CoalescedQuery<>(this::copied);
    private volatile LiveCurves liveCurves = new LiveCurves();
    private final Map<String, Event.TurnTaken> last = new ConcurrentHashMap<>();
    private final ConcurrentLinkedQueue<String> lines = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<JournalEntry> applied = new ConcurrentLinkedQueue<>();
    private volatile RunStatus runStatus = RunStatus.STARTING;
    private volatile @Nullable String failure;
    private volatile @Nullable String turn;
    private volatile @Nullable String picture;
    private volatile Tick.@Nullable Drawn drawn;
    private volatile @Nullable String film;
    private volatile @Nullable Long checkpoint;
    private volatile PublishedValues published =
            new PublishedValues(RunFacts.Progress.NONE, "", new TreeMap<>(), Map.of(), "");
    /** The current position of the run, which may be later than the published values. */
    private volatile Event.@Nullable Position newest;

    /** Returns whether an event is shown at once: all but the frequent turns and ends of rounds. */
    private boolean changes;

    private volatile boolean complete;
    private volatile Map<String, DurableQueue> feeds = Map.of();
    private volatile Supplier<List<Worker>> workers = List::of;
    private @Nullable SelectedExperiment selectedExperiment;
    private @Nullable RunFolder folder;
    private @Nullable Steering steering;
    private @Nullable SelectedExperiment copy;
    private @Nullable Previews previews;
    private @Nullable EpisodeFilms episodeFilms;
    private Budget budget = Budget.rounds(0);
    private RecentThroughput recentThroughput = new RecentThroughput(0, 0, 0);
    private long looked;
    private @Nullable Scheduler trained;

    /** @param opens shows the run after its folder exists */
    public LiveView(Function<ServedRun, Server> opens) {
        this.opens = opens;
    }

    @Override
    public Attendance observe(SelectedExperiment what, RunFolder into, Steering by) {
        selectedExperiment = what;
        folder = into;
        steering = by;
        liveCurves = LiveCurves.of(into.metrics());
        String plan = what.setup().phases().get(0).plan().toString();
        published = new PublishedValues(RunFacts.Progress.NONE, "", new TreeMap<>(), Map.of(), plan);
        previews = new Previews(what, into);
        episodeFilms =
                what.setup().film().isPresent() ? new EpisodeFilms(into, this::experiment, name -> film = name) : null;
        Server server = opens.apply(this);
        return new Attendance() {
            @Override
            public void failed(String why) {
                failure = why;
                runStatus = RunStatus.FAILED;
            }

            @Override
            public void close() {
                if (episodeFilms != null) {
                    episodeFilms.close();
                }
                if (runStatus != RunStatus.FAILED) {
                    runStatus = complete ? RunStatus.ENDED : RunStatus.STOPPED;
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
        if (runStatus != RunStatus.WAITING && run != null) {
            runStatus = RunStatus.WAITING;
            leave(run, System.nanoTime());
        }
    }

    @Override
    public void continues() {
        Scheduler run = trained;
        if (runStatus == RunStatus.WAITING && run != null) {
            runStatus = RunStatus.TRAINING;
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
        liveCurves.add(series, at.step(), value, System.currentTimeMillis() / MILLIS);
    }

    @Override
    public void picture(Event.Position at, String name) {
        picture = name;
        drawn = new Tick.Drawn(name, at.step());
        Objects.requireNonNull(previews).kept(at);
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
        preview(run, false);
        changes = false;
    }

    @Override
    public void started(Run run, Event.Started started) {
        runStatus = RunStatus.TRAINING;
        budget = started.budget();
        paceFrom(run.scheduler());
    }

    @Override
    public void paused(Run run, Event.Paused event) {
        preview(run, true);
        runStatus = RunStatus.PAUSED;
    }

    @Override
    public void resumed(Run run, Event.Resumed event) {
        runStatus = RunStatus.TRAINING;
        paceFrom(run.scheduler()); // no round was taken while it paused
    }

    @Override
    public void saved(Run run, Event.Saved saved) {
        checkpoint = saved.at().step();
        if (episodeFilms != null) {
            episodeFilms.saved(saved.at().step());
        }
    }

    @Override
    public void steered(Run run, Event.Steered steered) {
        applied.add(JournalEntry.of(steered.applied(), System.currentTimeMillis() / MILLIS));
    }

    @Override
    public void ended(Run run, Event.Ended ended) {
        runStatus = ended.complete() ? RunStatus.SCORING : RunStatus.STOPPING;
        complete = ended.complete();
        if (!complete) {
            preview(run, true); // it is not drawn otherwise
        }
    }

    /** Measures the throughput from now on. */
    private void paceFrom(Scheduler run) {
        recentThroughput =
                new RecentThroughput(System.nanoTime(), run.position().round(), run.done(budget));
    }

    private void preview(Run run, boolean now) {
        if (Objects.requireNonNull(previews).drawn(run, now)) {
            drawn = new Tick.Drawn(Previews.NAME, run.position().step());
        }
    }

    private void leave(Scheduler run, long nanos) {
        Event.Position at = run.position();
        double done = run.done(budget);
        recentThroughput.reached(nanos, at.round(), done);
        boolean isTraining = runStatus == RunStatus.TRAINING;
        Map<String, Long> counts = new LinkedHashMap<>();
        for (String name :
                Objects.requireNonNull(selectedExperiment).setup().turnsByName().keySet()) {
            counts.put(name, run.count(name));
        }
        published = new PublishedValues(
                new RunFacts.Progress(
                        at,
                        run.place(),
                        run.phase().name(),
                        done,
                        isTraining ? recentThroughput.roundsPerSecond(nanos, at.round()) : null,
                        isTraining ? recentThroughput.secondsLeft(nanos, done) : null),
                words(budget),
                run.settings(),
                counts,
                run.planned().toString());
    }

    // What others ask.

    @Override
    public RunFolder folder() {
        return Objects.requireNonNull(folder);
    }

    @Override
    public LiveCurves curves() {
        return liveCurves;
    }

    @Override
    public Optional<Steering> steering() {
        return Optional.ofNullable(steering);
    }

    @Override
    public synchronized SelectedExperiment experiment() {
        SelectedExperiment made = copy;
        if (made == null) {
            SelectedExperiment original = Objects.requireNonNull(selectedExperiment);
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
        SelectedExperiment what = Objects.requireNonNull(selectedExperiment);
        PublishedValues now = published;
        RunStatus is = runStatus;
        boolean takesCommands = is == RunStatus.STARTING
                || is == RunStatus.TRAINING
                || is == RunStatus.WAITING
                || is == RunStatus.PAUSED;
        RunFacts.Progress far = now.progress().at(newest(now));
        return new RunFacts(
                RunFacts.Identity.of(this, what),
                new RunFacts.State(is.word(), failure, true),
                is == RunStatus.TRAINING ? far : far.withoutPace(), // the status may be newer than the pace
                now.budget(),
                now.settings(),
                RunFacts.TurnName.of(what),
                now.plan(),
                RunFacts.Abilities.of(what, takesCommands, false),
                workers.get());
    }

    /** Returns the current position of the run, which may be later than the published values; its beginning before any. */
    private Event.Position newest(PublishedValues now) {
        Event.Position leftAt = now.progress().at();
        Event.Position heard = newest;
        if (heard == null || now.counts().isEmpty()) {
            return leftAt;
        }
        return heard.step() >= leftAt.step() && heard.round() >= leftAt.round() ? heard : leftAt;
    }

    /**
     * Returns the values that the training thread published last.
     *
     * @param counts number of times that each turn was taken
     * @param last metrics of the last turn of each name, such as {@code d/loss}
     * @param checkpoint turns of the newest checkpoint of this process; null before the first
     */
    public record Seen(
            RunFacts facts,
            Map<String, Long> counts,
            Map<String, Double> last,
            @Nullable Long checkpoint) {}

    public Seen seen() {
        return new Seen(facts(), published.counts(), lastMetrics(), checkpoint);
    }

    /** Returns a budget for people: {@code 30 epochs of digits}. */
    static String words(Budget budget) {
        return budget.fold(
                rounds -> NumberFormats.counted(rounds.count(), "round"),
                turns -> NumberFormats.counted(turns.count(), "turn"),
                epochs -> NumberFormats.counted(epochs.count(), "epoch") + " of " + epochs.source());
    }

    static String kind(Turn turn) {
        return turn.fold(descend -> "descend", follow -> "follow", act -> "act");
    }

    // Returns the changes for those who watch.

    @Nullable
    String turn() {
        return turn;
    }

    /** Returns the picture that was kept last. */
    @Nullable
    String picture() {
        return picture;
    }

    Tick.@Nullable Drawn drawn() {
        return drawn;
    }

    @Nullable
    String film() {
        return film;
    }

    /** Returns the lines of the log since the last call. */
    List<String> takeLines() {
        return taken(lines);
    }

    /** Returns the commands since the last call. */
    List<JournalEntry> takeCommands() {
        return taken(applied);
    }

    private static <T> List<T> taken(Queue<T> from) {
        List<T> taken = new ArrayList<>();
        for (T one = from.poll(); one != null; one = from.poll()) {
            taken.add(one);
        }
        return taken;
    }

    private Map<String, Double> lastMetrics() {
        Map<String, Double> figures = new TreeMap<>();
        last.forEach(
                (name, event) -> event.figures().forEach((figure, value) -> figures.put(name + "/" + figure, value)));
        return figures;
    }
}
