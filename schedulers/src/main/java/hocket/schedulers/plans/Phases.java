package hocket.schedulers.plans;

import hocket.schedulers.Phase;
import hocket.schedulers.Plan;
import hocket.schedulers.Turn;
import hocket.schedulers.feeds.Feeding;
import hocket.schedulers.feeds.Sources;
import hocket.schedulers.runs.IncompatibleSetupException;
import hocket.schedulers.state.State;
import hocket.scopes.SimilarNames;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The phases of a run, the current one, and the position at which it began; zero without phases. */
public final class Phases {
    private List<Phase> all = List.of();
    private int at;
    private long step;
    private long round;
    private State epochs = State.empty();

    public boolean isEmpty() {
        return all.isEmpty();
    }

    /** Removes all phases. */
    void none() {
        begin(List.of());
    }

    /** Sets the phases, at the beginning of the first. */
    void begin(List<Phase> phases) {
        all = List.copyOf(phases);
        at = 0;
        step = 0;
        round = 0;
        epochs = State.empty();
    }

    /** @throws IllegalStateException if there are none */
    public Phase current() {
        if (all.isEmpty()) {
            throw new IllegalStateException("there are no phases: call phases(…) before, or run(budget)");
        }
        return all.get(at);
    }

    public boolean isLast() {
        return at == all.size() - 1;
    }

    /** Returns the turns of all phases. */
    public Collection<Turn> turns() {
        return turnsByName(all).values();
    }

    /**
     * Returns the turns of all these phases by name.
     *
     * @throws IncompatibleSetupException if two turns have one name
     */
    public static Map<String, Turn> turnsByName(List<Phase> phases) {
        return Plan.sequence(phases.stream().map(Phase::plan).toArray(Plan[]::new))
                .turnsByName();
    }

    /** @throws IncompatibleSetupException if two phases have one name */
    public static void requireNames(List<Phase> phases) {
        List<String> names = phases.stream().map(Phase::name).toList();
        for (int i = 0; i < names.size(); i++) {
            if (names.indexOf(names.get(i)) < i) {
                throw new IncompatibleSetupException("phases/" + i + "/name", "two phases have one name: " + names);
            }
        }
    }

    /** Goes to the next phase, which begins here; false, and nothing changes, if this was the last. */
    public boolean next(long atStep, long atRound, Sources sources) {
        if (isLast()) {
            return false;
        }
        at++;
        step = atStep;
        round = atRound;
        epochs = State.empty();
        for (Feeding feeding : sources.fed()) {
            epochs = epochs.with(feeding.source().name(), feeding.epoch());
        }
        return true;
    }

    public long stepAtStart() {
        return step;
    }

    public long roundAtStart() {
        return round;
    }

    public double epochAtStart(String source) {
        return epochs.has(source) ? epochs.real(source) : 0;
    }

    State save() {
        return all.isEmpty()
                ? State.empty()
                : State.empty()
                        .with("name", current().name())
                        .with("step", step)
                        .with("round", round)
                        .with("epochs", epochs);
    }

    void restore(State state) {
        String name = state.text("name");
        List<String> names = all.stream().map(Phase::name).toList();
        if (!names.contains(name)) {
            throw new IllegalArgumentException("the saved state is in phase " + name + ", which this run has not"
                    + SimilarNames.among(name, names));
        }
        at = names.indexOf(name);
        step = state.whole("step");
        round = state.whole("round");
        epochs = state.state("epochs");
    }

    /** Returns the description of these phases in saved states; a single phase is its plan. */
    static String text(List<Phase> phases) {
        return phases.size() == 1
                ? phases.get(0).plan().toString()
                : phases.stream().map(Phase::toString).collect(Collectors.joining("; "));
    }

    @Override
    public String toString() {
        return text(all);
    }
}
