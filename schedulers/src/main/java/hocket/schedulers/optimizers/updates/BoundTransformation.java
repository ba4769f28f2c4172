package hocket.schedulers.optimizers.updates;

import hocket.schedulers.optimizers.GradientTransformation;
import hocket.schedulers.optimizers.Require;
import hocket.schedulers.optimizers.Slot;
import hocket.schedulers.optimizers.Target;
import hocket.schedulers.optimizers.kernels.Reals;
import hocket.schedulers.optimizers.rates.MetricRate;
import hocket.schedulers.optimizers.rates.Rate;
import hocket.schedulers.optimizers.rates.TrainingProgress;
import hocket.schedulers.optimizers.transforms.Maximize;
import hocket.schedulers.settings.NonNull;
import hocket.schedulers.state.State;
import hocket.schedulers.state.StateCodec;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A transformation bound to its weights: its current settings, counts, slots and sums. */
public final class BoundTransformation {
    public static final BoundTransformation NONE = new BoundTransformation("", new Maximize(), List.of());

    /** Numbers that {@link GradientTransformation#prepare} may leave. */
    private static final int NUMBERS = 16;

    /** A rate with its memory. */
    private static final class Watch<S extends Record> {
        private final MetricRate<S> rate;
        private S state;
        private S proposed;
        private long looked;
        private long reports;

        Watch(MetricRate<S> rate) {
            this.rate = rate;
            this.state = NonNull.by(rate, "start()", rate.start());
            this.proposed = state;
            StateCodec.requireSaved("what rate " + rate + " remembers", state);
        }

        /** Computes its memory after a value, if it is a new one; the last call counts. */
        void propose(double value, long count) {
            proposed = count == looked ? state : NonNull.by(rate, "next()", rate.next(state, value));
            reports = count;
        }

        void accept() {
            state = proposed;
            looked = reports;
        }

        void become(S other) {
            state = other;
            proposed = other;
        }

        double at(TrainingProgress trainingProgress) {
            return rate.at(proposed, trainingProgress);
        }

        S read(State saved) {
            return StateCodec.restore(rate.start(), saved);
        }
    }

    final String label;
    final List<Slot> kept;

    /** Slots by weight; none where the transformation does not change it. */
    public final Reals[][] slots;

    public final boolean[] touches;
    final TrainingProgress at = new TrainingProgress();
    public final double[] numbers = new double[NUMBERS];
    final GradientTransformation original;
    public GradientTransformation link;

    @Nullable
    Rate rate;

    private @Nullable Watch<?> watch;
    long count;
    public long next;
    public double value = 1;

    /** The rate of the last update that was made. */
    double last = 1;

    public boolean isRated;

    BoundTransformation(String label, GradientTransformation gradientTransformation, List<Target> targets) {
        this.label = label;
        this.original = gradientTransformation;
        this.kept = List.copyOf(NonNull.by(gradientTransformation, "slots()", gradientTransformation.slots()));
        this.link = gradientTransformation;
        this.slots = new Reals[targets.size()][];
        this.touches = new boolean[targets.size()];
        for (int t = 0; t < slots.length; t++) {
            Target target = targets.get(t);
            touches[t] = gradientTransformation.touches(target.path());
            List<Reals> made = new ArrayList<>();
            for (int s = 0; s < kept.size() && touches[t]; s++) {
                made.add(target.weight().beside(target.weight().type()));
            }
            slots[t] = made.toArray(Reals[]::new);
        }
        become(gradientTransformation);
    }

    /** Takes other settings; slots and counts stay. */
    void become(GradientTransformation newLink) {
        link = newLink;
        Rate now = GradientTransformations.rate(newLink);
        if (now != rate) {
            rate = now;
            watch = now instanceof MetricRate<?> metricRate ? watch(metricRate) : null;
        }
    }

    private static <S extends Record> Watch<S> watch(MetricRate<S> rate) {
        return new Watch<>(rate);
    }

    /** Returns the metric that the rate reads; null if it reads none. */
    @Nullable
    String watches() {
        return watch == null ? null : watch.rate.watches();
    }

    /** @param count how often the metric was reported */
    void observe(double seen, long count) {
        if (watch != null) {
            watch.propose(seen, count);
        }
    }

    /** Returns the memory of the rate; null without one. */
    @Nullable
    State remembered() {
        return watch == null ? null : StateCodec.save(watch.state);
    }

    /** Returns how often the metric had been reported when the rate last remembered it; 0 without one. */
    long looked() {
        return watch == null ? 0 : watch.looked;
    }

    void lookedAt(long reports) {
        if (watch != null) {
            watch.looked = reports;
        }
    }

    /** @throws IllegalArgumentException if the state does not fit the rate */
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

    /** Prepares the next update; the rate is its own, or the one before it. */
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
            throw new IllegalArgumentException(Require.badRate(GradientTransformations.key(link), next, value));
        }
    }

    /** Computes the numbers of the prepared update. */
    void prepare() {
        java.util.Arrays.fill(numbers, 0);
        link.prepare(next, value, numbers);
    }

    /** Completes the prepared update. */
    void accept() {
        count = next;
        last = value;
        if (watch != null) {
            watch.accept();
        }
    }

    /** Resets to the initial state. */
    void reset() {
        become(original);
        Rate own = rate;
        watch = own instanceof MetricRate<?> metricRate ? watch(metricRate) : null;
        count = 0;
        last = 1;
        for (Reals[] of : slots) {
            for (int s = 0; s < of.length; s++) {
                double initial = kept.get(s).initial();
                of[s].fill(Double.isNaN(initial) ? 0 : initial);
            }
        }
    }
}
