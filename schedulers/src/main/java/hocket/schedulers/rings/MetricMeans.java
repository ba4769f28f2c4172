package hocket.schedulers.rings;

import hocket.schedulers.Event;
import hocket.schedulers.Recorder;
import hocket.schedulers.Run;
import hocket.schedulers.state.State;
import hocket.schedulers.state.StateCodec;
import hocket.schedulers.state.Stateful;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Averages the values that turns report over the rounds between two points, and records the means. Points depend on the
 * number of the round alone, and unrecorded values are saved, so that a resumed run records the same as an
 * uninterrupted one. Between points that are seconds apart, a clock adds interim points, separate means that change no
 * point and are not saved.
 *
 * <p>A rate is recorded with the first point, and afterwards as it changes: at the turn that used it first, unless it changes
 * with every turn, and then with each point. Other settings are recorded as they change.
 */
final class MetricMeans implements Event.Listener, Stateful {
    /** The number of times that a changing setting is recorded between two points. */
    private static final long MOST_DATED = 10;

    /**
     * Changes of a setting.
     *
     * @param count how many were recorded at their turns since the last point
     * @param changing whether the last turn changed it
     */
    private record Changes(long count, boolean changing) {
        static final Changes NONE = new Changes(0, false);
    }

    /** The saved form of this state. */
    private record Held(
            Map<String, TurnMeans.HeldSums> descending,
            Map<String, Map<String, TurnMeans.HeldMean>> acting,
            Map<String, Map<String, Double>> told,
            Map<String, Map<String, Changes>> changes) {
        static final Held NOTHING = new Held(Map.of(), Map.of(), Map.of(), Map.of());
    }

    /** The saved form of former versions. */
    private record FormerlyHeld(
            Map<String, TurnMeans.HeldSums> descending,
            Map<String, Map<String, TurnMeans.HeldMean>> acting,
            Map<String, Map<String, Double>> told,
            long every) {
        static final FormerlyHeld NOTHING = new FormerlyHeld(Map.of(), Map.of(), Map.of(), 0);

        Held now() {
            return new Held(descending, acting, told, Map.of());
        }
    }

    private final Recorder recorder;
    private final RecordedRounds often;
    private final LongSupplier nanos;
    private final TurnMeans turnMeans = new TurnMeans();
    private final TurnMeans interim = new TurnMeans();

    /** The recorded settings by turn; each is recorded again when it changes. */
    private final Map<String, Map<String, Double>> told = new LinkedHashMap<>();

    private final Map<String, Map<String, Changes>> changes = new LinkedHashMap<>();
    private long recordedAt;
    private boolean isTimed;
    private boolean isInterim;

    /** @param nanos a clock that never goes back, such as {@link System#nanoTime} */
    MetricMeans(Recorder recorder, RecordedRounds often, LongSupplier nanos) {
        this.recorder = recorder;
        this.often = often;
        this.nanos = nanos;
    }

    @Override
    public void descended(Run run, Event.Descended turn) {
        settings(turn);
        turnMeans.add(turn);
        interim.add(turn);
        recordInterim(turn.at());
    }

    @Override
    public void acted(Run run, Event.Acted turn) {
        turnMeans.add(turn);
        interim.add(turn);
        recordInterim(turn.at());
    }

    @Override
    public void roundEnded(Run run, Event.RoundEnded round) {
        if (often.ends(round.at().round())) {
            record(round.at());
        } else {
            recordInterim(round.at());
        }
    }

    /** Records the means since the last point. */
    void record(Event.Position at) {
        if (isInterim) {
            interim.record(at, recorder::interim); // so that a curve of interim points has no mean of all in between
        }
        interim.clear();
        isInterim = false;
        recordedAt = nanos.getAsLong();
        List<String> updated = turnMeans.updated();
        turnMeans.record(at, recorder::scalar);
        for (String turn : updated) {
            Event.Metrics now = turnMeans.settings(turn);
            now.names().forEach(name -> tell(at, turn, name, now.get(name)));
        }
        changes.values().forEach(each -> each.replaceAll((name, change) -> new Changes(0, change.changing())));
    }

    private void recordInterim(Event.Position at) {
        if (!isTimed) {
            isTimed = true; // the first turn, in which programs are compiled, says nothing of the others
            recordedAt = nanos.getAsLong();
        }
        if (often.seconds() > 0 && (nanos.getAsLong() - recordedAt) * 1e-9 >= often.seconds()) {
            interim.record(at, recorder::interim);
            isInterim = true;
            recordedAt = nanos.getAsLong();
        }
    }

    /** Records settings that change at this turn but did not at the turn before. */
    private void settings(Event.Descended turn) {
        Event.Metrics before = turnMeans.settings(turn.turn());
        if (before == turn.settings() && !changes.containsKey(turn.turn())) {
            return; // nothing varies
        }
        for (String name : before.names()) {
            double now = turn.settings().get(name);
            boolean isChanged = Double.compare(before.get(name), now) != 0;
            Changes former = changes.getOrDefault(turn.turn(), Map.of()).getOrDefault(name, Changes.NONE);
            boolean isDated = isChanged && !former.changing() && former.count() < MOST_DATED;
            if (isDated && told.getOrDefault(turn.turn(), Map.of()).containsKey(name)) {
                Event.Position at = turn.at(); // a checkpoint of this step does not know of the change
                tell(new Event.Position(at.step() + 1, at.round(), at.epoch()), turn.turn(), name, now);
            }
            if (isChanged != former.changing() || isDated) {
                changes.computeIfAbsent(turn.turn(), first -> new LinkedHashMap<>())
                        .put(name, new Changes(former.count() + (isDated ? 1 : 0), isChanged));
            }
        }
    }

    private void tell(Event.Position at, String turn, String name, double now) {
        Double before =
                told.computeIfAbsent(turn, first -> new LinkedHashMap<>()).put(name, now);
        if (name.equals("rate") ? !Double.valueOf(now).equals(before) : before != null && now != before) {
            recorder.setting(at, turn, name, now);
        }
    }

    /** Returns all unrecorded values, and the recorded settings. */
    @Override
    public State save() {
        return StateCodec.save(new Held(turnMeans.heldDescending(), turnMeans.heldActing(), told, changes));
    }

    @Override
    public void restore(State state) {
        Held held = state.items().containsKey("every")
                ? StateCodec.restore(FormerlyHeld.NOTHING, state).now()
                : StateCodec.restore(Held.NOTHING, state);
        turnMeans.restore(held.descending(), held.acting());
        interim.clear();
        told.clear();
        held.told().forEach((turn, settings) -> told.put(turn, new LinkedHashMap<>(settings)));
        changes.clear();
        held.changes().forEach((turn, each) -> changes.put(turn, new LinkedHashMap<>(each)));
    }
}
