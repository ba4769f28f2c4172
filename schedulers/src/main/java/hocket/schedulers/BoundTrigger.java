package hocket.schedulers;

import java.time.InstantSource;
import java.util.Optional;

/** When a ring of a scheduler is due: its trigger, with what that remembers. */
abstract class BoundTrigger {
    private boolean due;

    /**
     * Binds a trigger.
     *
     * @throws IllegalArgumentException if what it remembers cannot be saved, naming it
     */
    static BoundTrigger of(Optional<Trigger> trigger) {
        return trigger.<BoundTrigger>map(each -> each.fold(OfRun::new, OfClock::new, AtEnd::new))
                .orElseGet(Never::new);
    }

    /**
     * Begins to count here.
     *
     * @param view what it counts from; empty for the start of a run
     */
    void begin(Optional<ScheduleView> view, double seconds) {
        due = false;
    }

    /** Looks whether it fires: a round has ended. */
    void look(ScheduleView view, InstantSource clock) {
        due |= fires(view, clock);
    }

    abstract boolean fires(ScheduleView view, InstantSource clock);

    /** Whether it has fired; from now on it has not. */
    boolean wasDue() {
        boolean was = due;
        due = false;
        return was;
    }

    boolean isDueAtEnd() {
        return false;
    }

    /** What it remembers. */
    State save() {
        return State.empty();
    }

    void restore(State state) {}

    private static final class Never extends BoundTrigger {
        @Override
        boolean fires(ScheduleView view, InstantSource clock) {
            return false;
        }
    }

    private static final class AtEnd extends BoundTrigger {
        AtEnd(Trigger.AtEnd trigger) {}

        @Override
        boolean fires(ScheduleView view, InstantSource clock) {
            return false;
        }

        @Override
        boolean isDueAtEnd() {
            return true;
        }
    }

    private static final class OfClock extends BoundTrigger {
        private final Trigger.EverySeconds every;

        /** Seconds when it fired last. */
        private double last;

        OfClock(Trigger.EverySeconds every) {
            this.every = every;
        }

        @Override
        void begin(Optional<ScheduleView> view, double seconds) {
            super.begin(view, seconds);
            last = seconds;
        }

        @Override
        boolean fires(ScheduleView view, InstantSource clock) {
            double now = clock.millis() / 1000.0;
            boolean fires = now - last >= every.seconds();
            last = fires ? now : last;
            return fires;
        }
    }

    private static final class OfRun extends BoundTrigger {
        private final Condition<?> condition;
        private Record memory;

        OfRun(Condition<?> condition) {
            this.condition = condition;
            this.memory = Condition.start(condition);
            Memory.requireSaved("what trigger " + condition + " remembers", memory);
        }

        @Override
        void begin(Optional<ScheduleView> view, double seconds) {
            super.begin(view, seconds);
            memory = view.isPresent() ? Condition.begin(condition, view.get()) : Condition.start(condition);
        }

        @Override
        boolean fires(ScheduleView view, InstantSource clock) {
            Condition.Look<? extends Record> look = Condition.look(condition, memory, view);
            memory = look.then();
            return look.fires();
        }

        @Override
        State save() {
            return Memory.save(memory);
        }

        @Override
        void restore(State state) {
            memory = Memory.restore(Condition.start(condition), state);
        }
    }
}
