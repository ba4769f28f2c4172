package hocket.schedulers;

import java.lang.reflect.Method;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** A ring of a scheduler, with what its trigger remembers. */
final class BoundRing {
    private final String key;
    private final Ring ring;
    private final @Nullable Trigger trigger;
    private final Set<String> own = new TreeSet<>();
    private final State begin;

    /** What a condition remembers; nothing of a clock. */
    private Record memory = State.empty();

    /** Seconds when a clock fired last. */
    private double last;

    private boolean due;

    /**
     * @param key no other ring's of the scheduler
     * @throws IllegalArgumentException if what its trigger remembers cannot be saved, naming it
     */
    BoundRing(String key, Ring ring) {
        this.key = key;
        this.ring = ring;
        this.trigger = ring.trigger().orElse(null);
        this.begin = ring instanceof Stateful stateful ? stateful.save() : State.empty();
        if (trigger instanceof Condition<?> condition) {
            Memory.requireSaved("what trigger " + trigger + " remembers", condition.start());
        }
        for (Method method : Ring.class.getMethods()) {
            try {
                Method form = ring.getClass().getMethod(method.getName(), method.getParameterTypes());
                if (form.getDeclaringClass() != Ring.class) {
                    own.add(method.getName());
                }
            } catch (NoSuchMethodException e) {
                // a static one, which is not inherited
            }
        }
    }

    String key() {
        return key;
    }

    Ring ring() {
        return ring;
    }

    /** Whether it has a form of its own for a method. */
    boolean owns(String method) {
        return own.contains(method);
    }

    /** What the ring said of its future when it came. */
    State begin() {
        return begin;
    }

    /** The sources whose epochs its trigger reads. */
    List<String> sourcesRead() {
        return trigger instanceof Condition<?> condition ? condition.sourcesRead() : List.of();
    }

    /** The series whose figures its trigger reads. */
    List<String> seriesRead() {
        return trigger instanceof Condition<?> condition ? condition.seriesRead() : List.of();
    }

    /**
     * Its trigger begins to count here.
     *
     * @param view what it counts from; empty for the start of a run
     */
    void begin(Optional<ScheduleView> view, double seconds) {
        due = false;
        last = seconds;
        if (trigger instanceof Condition<?> condition) {
            memory = view.isPresent() ? condition.begin(view.get()) : condition.start();
        }
    }

    /** Looks whether it is due: a round has ended. */
    void look(ScheduleView view, InstantSource clock) {
        if (trigger instanceof Condition<?> condition) {
            Condition.Look<? extends Record> look = Condition.look(condition, memory, view);
            memory = look.then();
            due |= look.fires();
        } else if (trigger instanceof Trigger.EverySeconds every) {
            double now = clock.millis() / 1000.0;
            if (now - last >= every.seconds()) {
                last = now;
                due = true;
            }
        }
    }

    /** Whether it was due; from now on it is not. */
    boolean wasDue() {
        boolean was = due;
        due = false;
        return was;
    }

    boolean isDueAtEnd() {
        return trigger instanceof Trigger.AtEnd;
    }

    State saveMemory() {
        return trigger instanceof Condition<?> ? Memory.save(memory) : State.empty();
    }

    void restoreMemory(State state) {
        if (trigger instanceof Condition<?> condition) {
            memory = Memory.restore(condition.start(), state);
        }
    }

    void restore(State state) {
        if (ring instanceof Stateful stateful) {
            stateful.restore(state);
        }
    }
}
