package hocket.schedulers.optimizers;

import hocket.schedulers.Given;
import hocket.schedulers.Memory;
import hocket.schedulers.State;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A link on its weights: what it is now, its counts, slots and sums. */
final class BoundLink {
    static final BoundLink NONE = new BoundLink("", new Maximize(), List.of());

    /** Numbers that {@link Link#prepare} may leave. */
    private static final int NUMBERS = 16;

    /** A rate with what it remembers. */
    private static final class Watch<S extends Record> {
        private final Watching<S> rate;
        private S state;
        private S proposed;

        Watch(Watching<S> rate) {
            this.rate = rate;
            this.state = Given.by(rate, "start()", rate.start());
            this.proposed = state;
            Memory.requireSaved("what rate " + rate + " remembers", state);
        }

        /** What it would remember after a value; asked again, the last counts. */
        void propose(double value) {
            proposed = Given.by(rate, "next()", rate.next(state, value));
        }

        void accept() {
            state = proposed;
        }

        void become(S other) {
            state = other;
            proposed = other;
        }

        double at(Progress progress) {
            return rate.at(proposed, progress);
        }

        S read(State saved) {
            return Memory.restore(rate.start(), saved);
        }
    }

    final String label;
    final List<Slot> kept;

    /** By weight; none where the link does not touch it. */
    final Reals[][] slots;

    final boolean[] touches;
    final Progress at = new Progress();
    final double[] numbers = new double[NUMBERS];
    final Link original;
    Link link;

    @Nullable
    Rate rate;

    private @Nullable Watch<?> watch;
    long count;
    long next;
    double value = 1;
    boolean isRated;

    BoundLink(String label, Link link, List<Target> targets) {
        this.label = label;
        this.original = link;
        this.kept = List.copyOf(Given.by(link, "slots()", link.slots()));
        this.link = link;
        this.slots = new Reals[targets.size()][];
        this.touches = new boolean[targets.size()];
        for (int t = 0; t < slots.length; t++) {
            Target target = targets.get(t);
            touches[t] = link.touches(target.path());
            List<Reals> made = new ArrayList<>();
            for (int s = 0; s < kept.size() && touches[t]; s++) {
                made.add(Reals.zeros(target.weight().type(), target.weight().length()));
            }
            slots[t] = made.toArray(Reals[]::new);
        }
        become(link);
    }

    /** Takes other settings; slots and counts stay. */
    void become(Link newLink) {
        link = newLink;
        Rate now = Links.rate(newLink);
        if (now != rate) {
            rate = now;
            watch = now instanceof Watching<?> watching ? watch(watching) : null;
        }
    }

    private static <S extends Record> Watch<S> watch(Watching<S> rate) {
        return new Watch<>(rate);
    }

    /** The series that the rate watches; null where it watches none. */
    @Nullable
    String watches() {
        return watch == null ? null : watch.rate.watches();
    }

    void observe(double seen) {
        if (watch != null) {
            watch.propose(seen);
        }
    }

    /** What the rate remembers; null where it remembers nothing. */
    @Nullable
    State remembered() {
        return watch == null ? null : Memory.save(watch.state);
    }

    /** @throws IllegalArgumentException if the state is not of what the rate remembers */
    void requireMemory(State saved) {
        if (watch != null) {
            watch.read(saved);
        }
    }

    void remember(State saved) {
        remember(watch, saved);
    }

    private static <S extends Record> void remember(@Nullable Watch<S> watch, State saved) {
        if (watch != null) {
            watch.become(watch.read(saved));
        }
    }

    /** Looks at the next update; the rate is its own, or the one before it. */
    void look(long round, double epoch, double before, boolean isRatedBefore) {
        next = count + 1;
        at.set(next, round, epoch);
        Rate own = rate;
        if (own == null) {
            value = before;
            isRated = isRatedBefore;
            return;
        }
        value = watch == null ? own.at(at) : watch.at(at);
        isRated = true;
        if (!(value >= 0 && value < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException(Require.badRate(Links.key(link), next, value));
        }
    }

    /** The update that it looked at is made. */
    void accept() {
        count = next;
        if (watch != null) {
            watch.accept();
        }
    }

    /** Back to the beginning. */
    void reset() {
        become(original);
        Rate own = rate;
        watch = own instanceof Watching<?> watching ? watch(watching) : null;
        count = 0;
        java.util.Arrays.fill(numbers, 0);
        for (Reals[] of : slots) {
            for (int s = 0; s < of.length; s++) {
                double initial = kept.get(s).initial();
                of[s].fill(Double.isNaN(initial) ? 0 : initial);
            }
        }
    }
}
