package hocket.schedulers;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** What is done beside training, and what its triggers remember. */
final class Watches implements Stateful {
    private static final class Watch {
        final String key;
        final Trigger trigger;
        final Consumer<Run> action;

        /** What a condition remembers; nothing of a clock. */
        Record state;

        /** Seconds when a clock fired last. */
        double last;

        Watch(String key, Trigger trigger, Consumer<Run> action, Record state) {
            this.key = key;
            this.trigger = trigger;
            this.action = action;
            this.state = state;
        }
    }

    private final Sources sources;
    private final History history;
    private final ScheduleView view;
    private final List<Watch> watches = new ArrayList<>();
    private InstantSource clock = InstantSource.system();
    private State waiting = State.empty();

    Watches(Sources sources, History history, ScheduleView view) {
        this.sources = sources;
        this.history = history;
        this.view = view;
    }

    /** Sets what {@link Trigger.EverySeconds} reads; nothing else reads a clock. */
    void clock(InstantSource source) {
        clock = source;
        begin();
    }

    /** @throws IllegalArgumentException if what the trigger remembers cannot be saved, naming it */
    void add(Trigger trigger, Consumer<Run> action) {
        long same =
                watches.stream().filter(watch -> watch.trigger.equals(trigger)).count();
        String key = trigger + (same == 0 ? "" : " #" + (same + 1));
        Record state = State.empty();
        if (trigger instanceof Condition<?> condition) {
            Memory.requireSaved("what trigger " + trigger + " remembers", condition.start());
            state = waiting.has(key) ? Memory.restore(condition.start(), waiting.state(key)) : begun(condition);
            waiting = waiting.without(key);
        }
        Watch watch = new Watch(key, trigger, action, state);
        watch.last = seconds();
        watches.add(watch);
    }

    private Record begun(Condition<?> condition) {
        return condition.sourcesRead().stream()
                        .allMatch(name -> sources.called(name).isPresent())
                ? condition.begin(view)
                : condition.start();
    }

    private double seconds() {
        return clock.millis() / 1000.0;
    }

    /** @throws IllegalArgumentException if a trigger names no source, or no series */
    void check() {
        for (Watch watch : watches) {
            if (watch.trigger instanceof Condition<?> condition) {
                condition.sourcesRead().forEach(sources::named);
                condition.seriesRead().forEach(series -> history.average(series, 1));
            }
        }
    }

    /** Counts from now: the position changed otherwise than by training. */
    void begin() {
        for (Watch watch : watches) {
            watch.last = seconds();
            if (watch.trigger instanceof Condition<?> condition) {
                watch.state = begun(condition);
            }
        }
    }

    /** Counts the epochs of a source that came from now. */
    void begin(Feeding feeding) {
        for (Watch watch : watches) {
            if (watch.trigger instanceof Condition<?> condition
                    && condition.sourcesRead().stream().anyMatch(feeding::isCalled)) {
                watch.state = begun(condition);
            }
        }
    }

    /** Does what is due at a round's end. */
    void roundEnded(Run run) {
        boolean[] due = new boolean[watches.size()];
        for (int i = 0; i < due.length; i++) {
            due[i] = isDue(watches.get(i)); // all are looked at before anything is done, which may save
        }
        for (int i = 0; i < due.length; i++) {
            if (due[i]) {
                watches.get(i).action.accept(run);
            }
        }
    }

    /** Does what is to be done when the budget is reached. */
    void ended(Run run) {
        for (Watch watch : List.copyOf(watches)) {
            if (watch.trigger instanceof Trigger.AtEnd) {
                watch.action.accept(run);
            }
        }
    }

    private boolean isDue(Watch watch) {
        if (watch.trigger instanceof Condition<?> condition) {
            Condition.Look<? extends Record> look = Condition.look(condition, watch.state, view);
            watch.state = look.then();
            return look.fires();
        }
        boolean due = watch.trigger instanceof Trigger.EverySeconds every && seconds() - watch.last >= every.seconds();
        if (due) {
            watch.last = seconds();
        }
        return due;
    }

    @Override
    public State save() {
        State state = waiting;
        for (Watch watch : watches) {
            State memory = watch.trigger instanceof Condition<?> ? Memory.save(watch.state) : State.empty();
            if (!memory.items().isEmpty()) {
                state = state.with(watch.key, memory);
            }
        }
        return state;
    }

    /** Goes back to what was saved; what was not saved begins to be looked at here. */
    @Override
    public void restore(State state) {
        List<Record> states = new ArrayList<>();
        for (Watch watch : watches) {
            states.add(
                    watch.trigger instanceof Condition<?> condition && state.has(watch.key)
                            ? Memory.restore(condition.start(), state.state(watch.key))
                            : State.empty());
        }
        begin();
        waiting = state;
        for (int i = 0; i < states.size(); i++) {
            Watch watch = watches.get(i);
            if (waiting.has(watch.key)) {
                watch.state = states.get(i);
                waiting = waiting.without(watch.key);
            }
        }
    }
}
