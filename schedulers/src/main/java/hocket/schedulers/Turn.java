package hocket.schedulers;

import hocket.programs.Mode;
import hocket.programs.Program;
import hocket.programs.Value;
import hocket.schedulers.optimizers.UpdateRule;
import hocket.schedulers.settings.Limits;
import hocket.scopes.Mapping;
import hocket.scopes.Selection;
import hocket.scopes.SimilarNames;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Function;

/** One thing that changes something, under a name: the smallest plan. Immutable data. */
public sealed interface Turn extends Plan permits Turn.Descend, Turn.Follow, Turn.Act {
    /** The metric that says whether a turn under guards moved something. */
    String MOVED = "moved";

    /** What goes before the names of figures that are measured after an update. */
    String AFTER = "after/";

    /** Its name in plans, events and messages. */
    String name();

    /** Gives the result of the function for this kind. */
    <R> R fold(Function<Descend, R> descend, Function<Follow, R> follow, Function<Act, R> act);

    /** Whether a figure of this name, such as {@code d/loss}, is one that it reports, or may report. */
    boolean mayReport(String series);

    /** The series that it is sure to report; usually none. */
    default List<String> series() {
        return List.of();
    }

    /** Which weights its rules update; usually none. */
    default List<Update> updates() {
        return List.of();
    }

    @Override
    default List<Plan> parts() {
        return List.of();
    }

    @Override
    default Optional<Turn> turn() {
        return Optional.of(this);
    }

    @Override
    default Plan resolved(Function<String, ? extends Plan> turns) {
        return this;
    }

    /** This turn, if it descends a loss. */
    default Optional<Descend> descend() {
        return fold(Optional::of, follow -> Optional.empty(), act -> Optional.empty());
    }

    /** This turn, if weights follow others in it. */
    default Optional<Follow> follow() {
        return fold(descend -> Optional.empty(), Optional::of, act -> Optional.empty());
    }

    /** This turn, if it is Java. */
    default Optional<Act> act() {
        return fold(descend -> Optional.empty(), follow -> Optional.empty(), Optional::of);
    }

    /** Those of some turns that descend a loss, in their order. */
    static List<Descend> descending(Collection<? extends Turn> turns) {
        return turns.stream().flatMap(turn -> turn.descend().stream()).toList();
    }

    /** Those in which weights follow others. */
    static List<Follow> following(Collection<? extends Turn> turns) {
        return turns.stream().flatMap(turn -> turn.follow().stream()).toList();
    }

    /** Those of Java. */
    static List<Act> acting(Collection<? extends Turn> turns) {
        return turns.stream().flatMap(turn -> turn.act().stream()).toList();
    }

    /**
     * A turn that runs a program and moves selected weights along the gradient of its first target.
     *
     * @param name its name
     * @param program what is computed; the first target is the loss
     * @param updates which weights are moved by which rule
     * @param observed further values that are computed with it, for {@link Scheduler#observed}
     * @param guards figures above which nothing is moved
     * @param measuredAfter whether it computes once more after its update, to be compared
     */
    record Descend(
            String name,
            Program program,
            List<Update> updates,
            List<Value> observed,
            List<Guard> guards,
            boolean measuredAfter)
            implements Turn {
        private static final List<String> OWN = List.of("loss", "gradient_norm");
        private static final List<String> GUARDED = List.of("loss", "gradient_norm", MOVED);

        /**
         * @throws IllegalArgumentException if it moves something by a program that is compiled for EVAL, or the name, or a
         *     metric's, is not one, or it does not report what a guard looks at
         */
        public Descend {
            requireName(name);
            if (!updates.isEmpty()) {
                requireTrain(name, program);
            }
            guards.forEach(guard -> guard.check(name, program));
            for (String series : guards.isEmpty() ? OWN : GUARDED) {
                if (program.metrics().containsKey(series)) {
                    throw new IllegalArgumentException(
                            "turn " + name + ": no metric may be called " + series + ", which the turn reports itself");
                }
            }
            if (measuredAfter) {
                requireNoneAfter(name, program);
            }
            updates = List.copyOf(updates);
            observed = List.copyOf(observed);
            guards = List.copyOf(guards);
        }

        private static void requireNoneAfter(String name, Program program) {
            for (String metric : program.metrics().keySet()) {
                if (metric.startsWith(AFTER)) {
                    throw new IllegalArgumentException("turn " + name + ": no metric may be called " + metric
                            + ", since the turn measures " + metric.substring(AFTER.length()) + " after its update");
                }
            }
        }

        /** A turn that computes a program and moves nothing yet. */
        Descend(String name, Program program) {
            this(name, program, List.of(), List.of(), List.of(), false);
        }

        /** This turn, also moving the selected weights by a rule. They are this turn's alone. */
        public Descend updates(String selection, UpdateRule rule) {
            return with(new Update(Selection.of(selection), rule, false));
        }

        /** This turn, also moving the selected weights, which other turns may move too if they say so likewise. */
        public Descend shares(String selection, UpdateRule rule) {
            return with(new Update(Selection.of(selection), rule, true));
        }

        /** This turn, computing these values as well. */
        public Descend observes(Value... values) {
            List<Value> more = new ArrayList<>(observed);
            more.addAll(List.of(values));
            return new Descend(name, program, updates, more, guards, measuredAfter);
        }

        /**
         * This turn, moving nothing in a turn whose figure, before the update, is above a limit, or NaN: no weight, no slot and no
         * running statistic. It reports its figures all the same, and a metric {@code moved}: 1, or 0 where nothing was
         * moved. {@code until(below("update/moved", 1), update, most)} ends with the first such turn.
         *
         * @param metric one of the program's, or {@code loss}
         * @param most what it may be and still move
         * @throws IllegalArgumentException if the program has no such metric, or the limit is NaN
         */
        public Descend unlessAbove(String metric, double most) {
            List<Guard> more = new ArrayList<>(guards);
            more.add(new Guard(metric, most));
            return new Descend(name, program, updates, observed, more, measuredAfter);
        }

        /**
         * This turn, computing its program once more after its update, on the same rows and noise: it also reports
         * {@code after/loss} and {@code after/metric} for each metric, and {@link Scheduler#observedAfter} has what it
         * observes. Among turns that are taken together the others' updates may come later. Moves nothing by it; costs a
         * forward pass.
         */
        public Descend measuresAfter() {
            return new Descend(name, program, updates, observed, guards, true);
        }

        /** This turn, moving by other rules. */
        public Descend with(List<Update> others) {
            return new Descend(name, program, others, observed, guards, measuredAfter);
        }

        /** This turn, descending another program. */
        public Descend with(Program other) {
            return new Descend(name, other, updates, observed, guards, measuredAfter);
        }

        /**
         * What it reports beside loss and gradient norm, in name order: the program's metrics, {@code moved} under guards,
         * and what is measured {@code after} the update.
         */
        public List<String> metrics() {
            SortedSet<String> names = new TreeSet<>(program.metrics().keySet());
            if (!guards.isEmpty()) {
                names.add(MOVED);
            }
            if (measuredAfter) {
                names.add(AFTER + "loss");
                program.metrics().keySet().forEach(metric -> names.add(AFTER + metric));
            }
            return List.copyOf(names);
        }

        @Override
        public <R> R fold(Function<Descend, R> descend, Function<Follow, R> follow, Function<Act, R> act) {
            return descend.apply(this);
        }

        @Override
        public boolean mayReport(String series) {
            return series().contains(series);
        }

        /** What it reports, by the names that schedules ask for: its loss, the gradient's norm, then each metric. */
        @Override
        public List<String> series() {
            List<String> series = new ArrayList<>(List.of(name + "/loss", name + "/gradient_norm"));
            metrics().forEach(metric -> series.add(name + "/" + metric));
            return series;
        }

        /** This turn, only computed: as an EVAL program, moving nothing. */
        public Descend evaluated() {
            return new Descend(name, program.in(Mode.EVAL), List.of(), observed, List.of(), false);
        }

        private Descend with(Update update) {
            List<Update> more = new ArrayList<>(updates);
            more.add(update);
            return with(more);
        }

        @Override
        public String toString() {
            return name;
        }
    }

    /**
     * Which weights are moved, and how.
     *
     * @param selection which
     * @param rule how
     * @param shared whether other turns may move them too
     */
    record Update(Selection selection, UpdateRule rule, boolean shared) {}

    /**
     * A limit to a figure of before the update, above which nothing is moved.
     *
     * @param metric of the program, or {@code loss}
     * @param most what it may be and still move
     */
    record Guard(String metric, double most) {
        private void check(String turn, Program program) {
            if (!metric.equals("loss") && !program.metrics().containsKey(metric)) {
                throw new IllegalArgumentException(
                        "turn " + turn + ": it reports no " + metric + " that could be above a limit"
                                + SimilarNames.among(metric, program.metrics().keySet()));
            }
            if (Double.isNaN(most)) {
                throw new IllegalArgumentException(
                        "turn " + turn + ": nothing is above NaN, so the limit of " + metric + " would never hold");
            }
        }
    }

    /**
     * A turn without a loss: weights follow others, {@code to ← decay·to + (1 - decay)·from}, and running statistics are
     * copied. A reader of the average outside of training (samples, scores, checkpoints, exports) finds batch-norm
     * statistics of its own in place of the copies.
     *
     * @param name its name
     * @param from what is followed
     * @param to what follows
     * @param decay share of itself that it keeps each time
     * @param warmUp whether the decay begins small: {@code min(decay, (1 + t)/(10 + t))} after t of these turns, as
     *     {@code num_updates} of TensorFlow's ExponentialMovingAverage does; without it, Polyak averaging
     * @param statisticsBatches over how many batches the batch-norm statistics of the average are estimated; 0 for those that are
     *     copied
     */
    record Follow(String name, String from, String to, double decay, boolean warmUp, int statisticsBatches)
            implements Turn {
        /** Over how many batches statistics are estimated, unless something else is said. */
        public static final int STATISTICS_BATCHES = 50;

        public Follow {
            requireName(name);
            Limits.notNegative("turn " + name + ": statisticsBatches", statisticsBatches);
            if (!(decay >= 0 && decay <= 1)) {
                throw new IllegalArgumentException("turn " + name + ": decay must be in [0, 1], was " + decay);
            }
            Mapping.of(from, to); // refuses globs that do not fit each other
        }

        /** The share of itself that it keeps after it was taken so often. */
        public double decay(long taken) {
            return warmUp ? Math.min(decay, (1.0 + taken) / (10.0 + taken)) : decay;
        }

        /** This turn with a decay that begins small, or without. */
        public Follow warmedUp(boolean whether) {
            return new Follow(name, from, to, decay, whether, statisticsBatches);
        }

        /** This turn with batch-norm statistics over a number of batches; 0 for copies of those that it follows. */
        public Follow statisticsBatches(int count) {
            return new Follow(name, from, to, decay, warmUp, count);
        }

        /** From what is followed to what follows. */
        public Mapping mapping() {
            return Mapping.of(from, to);
        }

        @Override
        public <R> R fold(Function<Descend, R> descend, Function<Follow, R> follow, Function<Act, R> act) {
            return follow.apply(this);
        }

        @Override
        public boolean mayReport(String series) {
            return false;
        }

        @Override
        public String toString() {
            return name;
        }
    }

    /** A turn of Java that writes no parameter: to collect a rollout, to evaluate. */
    record Act(String name, Action action) implements Turn {
        public Act {
            requireName(name);
        }

        @Override
        public <R> R fold(Function<Descend, R> descend, Function<Follow, R> follow, Function<Act, R> act) {
            return act.apply(this);
        }

        /** Which figures it reports, only its Java knows. */
        @Override
        public boolean mayReport(String series) {
            return series.startsWith(name + "/");
        }

        @Override
        public String toString() {
            return name;
        }
    }

    /** What an {@link Act} does. */
    @FunctionalInterface
    interface Action {
        void act(Run run);
    }

    /**
     * A turn that descends a TRAIN program; say what it moves with {@code updates}.
     *
     * @throws IllegalArgumentException if the program is compiled for EVAL
     */
    static Descend of(String name, Program program) {
        requireTrain(name, program);
        return new Descend(name, program);
    }

    private static void requireTrain(String name, Program program) {
        if (program.mode() != Mode.TRAIN) {
            throw new IllegalArgumentException("turn " + name + ": program " + program.name()
                    + " is compiled for EVAL, a turn descends a TRAIN program");
        }
    }

    /**
     * A turn that computes a program, in EVAL mode however it is compiled, and moves nothing; its first target is reported
     * as its loss.
     */
    static Descend evaluate(String name, Program program) {
        return new Descend(name, program).evaluated();
    }

    /** A target network, by Polyak averaging: {@code follow("target", "critic/**", "target/critic/**", 0.995)}. */
    static Follow follow(String name, String from, String to, double decay) {
        return new Follow(name, from, to, decay, false, Follow.STATISTICS_BATCHES);
    }

    /**
     * An average to draw samples with: {@code average("ema", "generator/**", "ema/generator/**", 0.999)}. Its decay begins
     * small, so that an average of few turns is not mostly the weights that it began with.
     */
    static Follow average(String name, String from, String to, double decay) {
        return follow(name, from, to, decay).warmedUp(true);
    }

    /** A turn of Java. */
    static Act act(String name, Action action) {
        return new Act(name, action);
    }

    private static void requireName(String name) {
        if (!name.matches("[A-Za-z0-9_-]+")) {
            throw new IllegalArgumentException(
                    "a turn's name must be letters, digits, _ or -, at least one, was \"" + name + "\"");
        }
    }
}
