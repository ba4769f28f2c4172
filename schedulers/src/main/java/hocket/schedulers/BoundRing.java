package hocket.schedulers;

import java.lang.reflect.Method;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** A ring of a scheduler, with its trigger. */
final class BoundRing {
    private final Ring ring;
    private final String key;
    private final String memoryKey;
    private final BoundTrigger trigger;
    private final Set<String> own = new TreeSet<>();
    private final State begin;

    /**
     * @param key no other ring's of the scheduler
     * @param memoryKey what its trigger remembers is kept under, no other's either
     * @throws IllegalArgumentException if what its trigger remembers cannot be saved, naming it
     */
    BoundRing(Ring ring, String key, String memoryKey) {
        this.ring = ring;
        this.key = key;
        this.memoryKey = memoryKey;
        this.trigger = BoundTrigger.of(ring.trigger());
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

    /** What the memory of a ring's trigger is called: one of another trigger is no memory of this one. */
    static String memory(Ring ring) {
        String name = ring.name();
        String trigger = ring.trigger().map(Object::toString).orElse("");
        return trigger.isEmpty() || trigger.equals(name) ? name : name + " " + trigger;
    }

    /** @throws IllegalArgumentException if a user's ring says nothing where something must be said */
    @SuppressWarnings("ConstantValue") // users' classes need not be checked for null
    static void requireAnswers(Ring ring) {
        if (ring.name() == null || ring.trigger() == null) {
            throw new IllegalArgumentException("ring " + ring.getClass().getName() + ": "
                    + (ring.name() == null ? "name()" : "trigger()") + " gives null");
        }
    }

    /** @throws IllegalStateException if a user's ring gives null */
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

    String key() {
        return key;
    }

    String memoryKey() {
        return memoryKey;
    }

    Ring ring() {
        return ring;
    }

    /** When it is due. */
    BoundTrigger trigger() {
        return trigger;
    }

    /** Whether it has a form of its own for a method. */
    boolean owns(String method) {
        return own.contains(method);
    }

    /** Whether it has a form of its own for events of any kind. */
    boolean hears() {
        return owns("heard") || Stream.of(Event.Listener.class.getMethods()).anyMatch(method -> owns(method.getName()));
    }

    /** What the ring said of its future when it came. */
    State begin() {
        return begin;
    }

    /** The sources whose epochs its trigger reads. */
    List<String> sourcesRead() {
        return ring.trigger().map(Trigger::sourcesRead).orElse(List.of());
    }

    /** The series whose figures its trigger reads. */
    List<String> seriesRead() {
        return ring.trigger().map(Trigger::seriesRead).orElse(List.of());
    }

    void restore(State state) {
        if (ring instanceof Stateful stateful) {
            Given.back("ring " + named(), stateful, state);
        }
    }
}
