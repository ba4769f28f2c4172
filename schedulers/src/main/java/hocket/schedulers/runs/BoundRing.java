package hocket.schedulers.runs;

import hocket.schedulers.Condition;
import hocket.schedulers.Event;
import hocket.schedulers.Ring;
import hocket.schedulers.ScheduleView;
import hocket.schedulers.Trigger;
import hocket.schedulers.settings.NonNull;
import hocket.schedulers.state.State;
import hocket.schedulers.state.StateCodec;
import hocket.schedulers.state.Stateful;
import java.lang.reflect.Method;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A ring of a scheduler, with its trigger. */
final class BoundRing {
    final Ring ring;
    final String key;
    final String memoryKey;
    private final @Nullable Condition<?> condition;

    /** The seconds after which it is due; infinite where it does not depend on a clock. */
    private final double everySeconds;

    final boolean dueAtEnd;
    private final Set<String> own = new TreeSet<>();
    /** The ring's own state when it was added. */
    final State begin;

    /** The memory of its condition; none for a clock. */
    private Record memory = State.empty();

    /** The time in seconds at which a clock last fired. */
    private double last;

    private boolean due;

    /**
     * @param key unique among the scheduler's rings
     * @param memoryKey unique key of its trigger's memory
     * @throws IllegalArgumentException if its trigger's memory cannot be saved; the message names it
     */
    BoundRing(Ring ring, String key, String memoryKey) {
        this.ring = ring;
        this.key = key;
        this.memoryKey = memoryKey;
        this.condition = ring.trigger().flatMap(Trigger::condition).orElse(null);
        this.everySeconds = ring.trigger().map(Trigger::seconds).orElse(Double.POSITIVE_INFINITY);
        this.dueAtEnd = ring.trigger().map(Trigger::isAtEnd).orElse(false);
        if (condition != null) {
            StateCodec.requireSaved("what trigger " + condition + " remembers", Condition.start(condition));
        }
        this.begin = ring instanceof Stateful stateful ? saved(ring, stateful) : State.empty();
        for (Method method : Ring.class.getMethods()) {
            try {
                Method form = ring.getClass().getMethod(method.getName(), method.getParameterTypes());
                if (form.getDeclaringClass() != method.getDeclaringClass()) {
                    own.add(method.getName());
                }
            } catch (NoSuchMethodException e) {
                // a static one, which is not inherited
            }
        }
    }

    /** Returns the key of its trigger's memory, which differs between triggers. */
    static String memory(Ring ring) {
        String name = ring.name();
        String trigger = ring.trigger().map(Object::toString).orElse("");
        return trigger.isEmpty() || trigger.equals(name) ? name : name + " " + trigger;
    }

    /** @throws IllegalArgumentException if a user's ring returns an empty value where one is required */
    @SuppressWarnings("ConstantValue") // users' classes need not be checked for null
    static void requireAnswers(Ring ring) {
        if (ring.name() == null || ring.trigger() == null) {
            throw new IllegalArgumentException("ring " + ring.getClass().getName() + ": "
                    + (ring.name() == null ? "name()" : "trigger()") + " gives null");
        }
    }

    /** @throws IllegalStateException if a user's ring returns null */
    @SuppressWarnings("ConstantValue")
    static State saved(Ring ring, Stateful stateful) {
        State state = stateful.save();
        if (state == null) {
            throw new IllegalStateException(
                    "ring " + ring.name() + ": save() of " + ring.getClass().getName() + " gives null");
        }
        return state;
    }

    String named() {
        return ring.name();
    }

    /** Returns whether it overrides a method. */
    boolean owns(String method) {
        return own.contains(method);
    }

    /** Returns whether it overrides any event method. */
    boolean hears() {
        return owns("heard") || Stream.of(Event.Listener.class.getMethods()).anyMatch(method -> owns(method.getName()));
    }

    /** Returns the sources whose epochs its trigger reads. */
    List<String> sourcesRead() {
        return ring.trigger().map(Trigger::sourcesRead).orElse(List.of());
    }

    /** Returns the metrics that its trigger reads. */
    List<String> seriesRead() {
        return ring.trigger().map(Trigger::seriesRead).orElse(List.of());
    }

    /**
     * Starts the count of its trigger here.
     *
     * @param view position from which it counts; empty for the start of a run
     */
    void begin(Optional<ScheduleView> view, double seconds) {
        due = false;
        last = seconds;
        if (condition != null) {
            memory = view.isPresent() ? Condition.begin(condition, view.get()) : Condition.start(condition);
        }
    }

    /** Evaluates its trigger after a round. */
    void look(ScheduleView view, InstantSource clock) {
        if (condition != null) {
            Condition.Look<? extends Record> look = Condition.look(condition, memory, view);
            memory = look.then();
            due |= look.fires();
        } else if (everySeconds < Double.POSITIVE_INFINITY) {
            double now = clock.millis() / 1000.0;
            if (now - last >= everySeconds) {
                last = now;
                due = true;
            }
        }
    }

    /** Returns whether it was due, and clears that flag. */
    boolean wasDue() {
        boolean was = due;
        due = false;
        return was;
    }

    State saveMemory() {
        return condition == null ? State.empty() : StateCodec.save(memory);
    }

    void restoreMemory(State state) {
        if (condition != null) {
            memory = StateCodec.restore(Condition.start(condition), state);
        }
    }

    void restore(State state) {
        if (ring instanceof Stateful stateful) {
            NonNull.back("ring " + named(), stateful, state);
        }
    }
}
