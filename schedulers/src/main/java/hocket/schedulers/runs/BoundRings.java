package hocket.schedulers.runs;

import hocket.schedulers.Event;
import hocket.schedulers.Learn;
import hocket.schedulers.Next;
import hocket.schedulers.Ring;
import hocket.schedulers.Run;
import hocket.schedulers.ScheduleView;
import hocket.schedulers.Trigger;
import hocket.schedulers.Turn;
import hocket.schedulers.feeds.Feeding;
import hocket.schedulers.feeds.Sources;
import hocket.schedulers.state.State;
import hocket.schedulers.state.Stateful;
import hocket.scopes.SimilarNames;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Function;

/** The rings of a scheduler, the outermost first, with the memory of their triggers and which of them are due. */
public final class BoundRings implements Stateful {
    private final Sources sources;
    private final History history;
    private final ScheduleView view;
    private final Run run;
    private final List<BoundRing> rings = new ArrayList<>();
    private List<BoundRing> aroundRounds = List.of();
    private List<BoundRing> aroundTurns = List.of();

    /** The rings with a trigger: inner ones first, those of equal order as they were added. */
    private List<BoundRing> byDuty = List.of();

    private List<BoundRing> aroundDuties = List.of();
    private List<BoundRing> hearing = List.of();
    private InstantSource clock = InstantSource.system();
    private State waitingMemories = State.empty();
    private State waitingStates = State.empty();
    private final Map<Object, Event.Position> asked = new HashMap<>();
    private boolean learning;

    public BoundRings(Sources sources, History history, ScheduleView view, Run run) {
        this.sources = sources;
        this.history = history;
        this.view = view;
        this.run = run;
        add(new Learn());
    }

    /** Sets the clock of {@link Trigger.EverySeconds}; nothing else reads a clock. */
    public void clock(InstantSource source) {
        clock = source;
        begin();
    }

    /** @throws IllegalArgumentException if its trigger's memory cannot be saved; the message names it */
    public void add(Ring ring) {
        BoundRing.requireAnswers(ring);
        BoundRing bound = new BoundRing(
                ring,
                numbered(ring.name(), BoundRing::named),
                numbered(BoundRing.memory(ring), other -> BoundRing.memory(other.ring)));
        bound.begin(begin(bound), seconds());
        String memory = bound.memoryKey;
        if (waitingMemories.has(memory)) {
            bound.restoreMemory(waitingMemories.state(memory));
            waitingMemories = waitingMemories.without(memory);
        }
        String key = bound.key;
        if (waitingStates.has(key)) {
            bound.restore(waitingStates.state(key));
            waitingStates = waitingStates.without(key);
        }
        int at = 0;
        while (at < rings.size() && rings.get(at).ring.order() <= ring.order()) {
            at++;
        }
        rings.add(at, bound);
        changed();
    }

    /** Returns a text, with a number appended if it is taken. */
    private String numbered(String text, Function<BoundRing, String> of) {
        long same = rings.stream().filter(other -> of.apply(other).equals(text)).count();
        return text + (same == 0 ? "" : " #" + (same + 1));
    }

    /** @throws IllegalArgumentException if the name is unknown; the message names similar ones */
    public void remove(String name) {
        if (!rings.removeIf(bound -> bound.ring.name().equals(name))) {
            throw new IllegalArgumentException("no ring is called " + name
                    + SimilarNames.among(
                            name, rings.stream().map(BoundRing::named).toList()));
        }
        changed();
    }

    private void changed() {
        aroundRounds = owning("round");
        aroundTurns = owning("turn");
        byDuty = rings.stream()
                .filter(bound -> bound.ring.trigger().isPresent())
                .sorted(Comparator.comparingLong(bound -> -(long) bound.ring.order()))
                .toList();
        aroundDuties = owning("beside");
        hearing = rings.stream().filter(BoundRing::hears).toList();
        learning = rings.stream().anyMatch(bound -> bound.ring instanceof Learn);
    }

    private List<BoundRing> owning(String method) {
        return rings.stream().filter(bound -> bound.owns(method)).toList();
    }

    /** Returns the rings, the outermost first. */
    public List<Ring> all() {
        return rings.stream().map(bound -> bound.ring).toList();
    }

    /** Returns whether turns update parameters, because {@link Learn} is among the rings. */
    public boolean learning() {
        return learning;
    }

    void around(Next run) {
        around(owning("run"), (ring, rest) -> ring.run(this.run, rest), run);
    }

    void aroundInitialise(Next begin) {
        around(owning("initialise"), (ring, rest) -> ring.initialise(run, rest), begin);
    }

    void aroundEpoch(Next epoch) {
        around(owning("epoch"), (ring, rest) -> ring.epoch(run, rest), epoch);
    }

    void aroundRound(Next round) {
        around(aroundRounds, (ring, rest) -> ring.round(run, rest), round);
    }

    public void aroundTurn(List<Turn> turns, Next turn) {
        around(aroundTurns, (ring, rest) -> ring.turn(run, turns, rest), turn);
    }

    /** Returns the names of the rings that override a method. */
    List<String> namesAround(String part) {
        return owning(part).stream().map(BoundRing::named).toList();
    }

    /** Returns whether a ring wraps turns. */
    public boolean areAroundTurns() {
        return !aroundTurns.isEmpty();
    }

    /** Returns whether a ring around turns has saved state, which may already include a turn that fails. */
    public boolean rememberTurns() {
        return aroundTurns.stream().anyMatch(bound -> bound.ring instanceof Stateful);
    }

    void aroundFinalise(Next end) {
        around(owning("finalise"), (ring, rest) -> ring.finalise(run, rest), end);
    }

    private static void around(List<BoundRing> rings, BiConsumer<Ring, Next> form, Next middle) {
        Next.around(rings, (bound, rest) -> form.accept(bound.ring, rest), middle);
    }

    public void heard(Event event) {
        for (int i = 0; i < hearing.size(); i++) {
            hearing.get(i).ring.heard(run, event);
        }
    }

    /** Returns where its trigger starts to count: now, or at the start if a source that it reads is added later. */
    private Optional<ScheduleView> begin(BoundRing bound) {
        return bound.sourcesRead().stream()
                        .allMatch(name -> sources.called(name).isPresent())
                ? Optional.of(view)
                : Optional.empty();
    }

    private double seconds() {
        return clock.millis() / 1000.0;
    }

    /** @throws IllegalArgumentException if a trigger names an unknown source or metric */
    public void check() {
        for (BoundRing bound : rings) {
            bound.sourcesRead().forEach(sources::withEpochs);
            bound.seriesRead().forEach(series -> history.average(series, 1));
        }
    }

    /** Restarts the counts after the position changed other than by training. */
    void begin() {
        rings.forEach(bound -> bound.begin(begin(bound), seconds()));
    }

    /** Starts to count the epochs of a source that was added now. */
    public void begin(Feeding feeding) {
        rings.stream()
                .filter(bound -> bound.sourcesRead().stream().anyMatch(feeding::isCalled))
                .forEach(bound -> bound.begin(begin(bound), seconds()));
    }

    /** Evaluates all triggers after a round. */
    void look() {
        for (int i = 0; i < byDuty.size(); i++) {
            byDuty.get(i).look(view, clock);
        }
    }

    /** Runs the actions that are due. */
    public void runDueActions() {
        List<BoundRing> now = byDuty; // what is done may add to them
        for (int i = 0; i < now.size(); i++) {
            if (now.get(i).wasDue()) {
                duty(now.get(i).ring);
            }
        }
    }

    /** Runs the actions at the end: all of them, also if one fails; then throws the first failure. */
    void ended() {
        ended(byDuty.stream().filter(each -> each.dueAtEnd).iterator());
    }

    private void ended(Iterator<BoundRing> left) {
        while (left.hasNext()) {
            try {
                duty(left.next().ring);
            } catch (Throwable e) {
                Next.after(e, () -> ended(left));
                throw e;
            }
        }
    }

    private void duty(Ring due) {
        List<BoundRing> others =
                aroundDuties.stream().filter(bound -> bound.ring != due).toList();
        around(others, (ring, rest) -> ring.beside(run, due, rest), () -> due.due(run));
    }

    /** Returns whether something is requested for the first time at this position. */
    public boolean isFirst(Object what) {
        Event.Position here = run.position();
        Event.Position last = asked.put(what, here);
        return last == null || last.step() != here.step() || last.round() != here.round();
    }

    /** Returns the memory of the triggers. */
    @Override
    public State save() {
        State state = waitingMemories;
        for (BoundRing bound : rings) {
            State memory = bound.saveMemory();
            if (!memory.items().isEmpty()) {
                state = state.with(bound.memoryKey, memory);
            }
        }
        return state;
    }

    /** Returns the rings' own states. */
    public State saveOwn() {
        State state = waitingStates;
        for (BoundRing bound : rings) {
            if (bound.ring instanceof Stateful stateful) {
                state = state.with(bound.key, BoundRing.saved(bound.ring, stateful));
            }
        }
        return state;
    }

    /** Restores the saved memory; triggers without any start to count here. */
    @Override
    public void restore(State state) {
        waitingMemories = state;
        asked.clear();
        for (BoundRing bound : rings) {
            bound.begin(begin(bound), seconds());
            if (state.has(bound.memoryKey)) {
                bound.restoreMemory(state.state(bound.memoryKey));
                waitingMemories = waitingMemories.without(bound.memoryKey);
            }
        }
    }

    /** Restores the rings' states; a ring without one returns to its state when added. */
    public void restoreOwn(State state) {
        waitingStates = state;
        for (BoundRing bound : rings) {
            bound.restore(state.has(bound.key) ? state.state(bound.key) : bound.begin);
            waitingStates = waitingStates.without(bound.key);
        }
    }
}
