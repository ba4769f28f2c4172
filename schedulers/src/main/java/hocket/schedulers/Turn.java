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
import java.util.stream.Stream;

/**
 * A named update step, the smallest plan; immutable.
 *
 * <p>For example:
 *
 * <pre>{@code
 * Turn.Descend critic = Turn.of("critic", dStep).updates("discriminator/**", adam(2e-4).beta1(0.5));
 * Turn.Follow average = Turn.average("average", "generator/**", "ema/generator/**", 0.999);
 * Turn.Act note = Turn.act("note", run -> run.report("round", run.position().round()));
 * }</pre>
 */
public sealed interface Turn extends Plan permits Turn.Descend, Turn.Follow, Turn.Act {
    /** The metric that says whether a turn with guards made its update. */
    String MOVED = "moved";

    /** The prefix of metrics that are measured after an update. */
    String AFTER = "after/";

    /** Returns its name in plans, events and messages. */
    String name();

    /** Returns the result of the function for this kind. */
    <R> R fold(Function<Descend, R> descend, Function<Follow, R> follow, Function<Act, R> act);

    /** Returns whether it reports, or may report, a metric of this name, such as {@code d/loss}. */
    boolean mayReport(String series);

    /** Returns the metrics that it is certain to report; usually none. */
    default List<String> series() {
        return List.of();
    }

    /** Returns the selections that its optimizers update; usually none. */
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

    /** Returns this turn if it descends a loss. */
    default Optional<Descend> descend() {
        return fold(Optional::of, follow -> Optional.empty(), act -> Optional.empty());
    }

    /** Returns this turn if it averages weights. */
    default Optional<Follow> follow() {
        return fold(descend -> Optional.empty(), Optional::of, act -> Optional.empty());
    }

    /** Returns this turn if it runs Java code. */
    default Optional<Act> act() {
        return fold(descend -> Optional.empty(), follow -> Optional.empty(), Optional::of);
    }

    /** Returns those turns that descend a loss, in their order. */
    static List<Descend> descending(Collection<? extends Turn> turns) {
        return turns.stream().flatMap(turn -> turn.descend().stream()).toList();
    }

    /** Returns those turns that average weights. */
    static List<Follow> following(Collection<? extends Turn> turns) {
        return turns.stream().flatMap(turn -> turn.follow().stream()).toList();
    }

    /** Returns those turns that run Java code. */
    static List<Act> acting(Collection<? extends Turn> turns) {
        return turns.stream().flatMap(turn -> turn.act().stream()).toList();
    }

    /**
     * A state of a turn.
     *
     * @param input what reads it
     * @param next its value after the turn
     */
    record Carried(Value input, Value next) {
        private void check(String turn, Program program) {
            if (!program.inputs().contains(input)) {
                throw new IllegalArgumentException("turn " + turn + " cannot carry a state to " + input
                        + ", which program " + program.name() + " does not read; it reads " + program.inputs());
            }
            if (!input.result().equals(next.result())) {
                throw new IllegalArgumentException("turn " + turn + " cannot carry " + next + " to input " + input
                        + ": shapes and types must be equal");
            }
        }
    }

    /**
     * A turn that runs a program and updates selected weights by the gradient of its first target.
     *
     * @param name its name
     * @param program what is computed; the first target is the loss
     * @param updates selections of weights and their optimizers
     * @param observed further values to compute, for {@link Scheduler#observed}
     * @param guards limits of metrics above which no update is made
     * @param measuredAfter whether it computes again after its update, for comparison
     * @param carried values that its next time reads
     * @param optimizerOf the turn whose optimizers it steps; empty if it has its own
     */
    record Descend(
            String name,
            Program program,
            List<Update> updates,
            List<Value> observed,
            List<Guard> guards,
            boolean measuredAfter,
            List<Carried> carried,
            Optional<Descend> optimizerOf)
            implements Turn, DescendCopies {
        private static final List<String> OWN = List.of("loss", "gradient_norm");
        private static final List<String> GUARDED = List.of("loss", "gradient_norm", MOVED);

        /**
         * @throws IllegalArgumentException if it updates weights by a program compiled for EVAL, its name or a metric's
         *     is invalid, or it does not report the metric of a guard
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
            if (optimizerOf.isPresent()) {
                requireSteps(name, updates, optimizerOf.get());
            }
            carried.forEach(each -> each.check(name, program));
            if (carried.stream().map(Carried::input).distinct().count() < carried.size()) {
                throw new IllegalArgumentException("turn " + name + " carries two states to one input, " + carried);
            }
            updates = List.copyOf(updates);
            observed = List.copyOf(observed);
            guards = List.copyOf(guards);
            carried = List.copyOf(carried);
        }

        private static void requireSteps(String name, List<Update> updates, Descend other) {
            if (!updates.isEmpty()) {
                throw new IllegalArgumentException("turn " + name + " steps the optimizer of turn " + other.name
                        + ", which says what is updated: remove its own, "
                        + updates.get(0).selection());
            }
            if (other.updates.isEmpty()) {
                throw new IllegalArgumentException("turn " + name + ": turn " + other.name
                        + other.optimizerOf
                                .map(owner -> " steps the optimizer of turn " + owner.name + ": name that one")
                                .orElse(" has no optimizer"));
            }
        }

        private static void requireNoneAfter(String name, Program program) {
            for (String metric : program.metrics().keySet()) {
                if (metric.startsWith(AFTER)) {
                    throw new IllegalArgumentException("turn " + name + ": no metric may be called " + metric
                            + ", since the turn measures " + metric.substring(AFTER.length()) + " after its update");
                }
            }
        }

        /** A turn that computes a program and updates nothing yet. */
        Descend(String name, Program program) {
            this(name, program, List.of(), List.of(), List.of(), false, List.of(), Optional.empty());
        }

        /** Returns this turn with an optimizer for the selected weights, which no other turn may update. */
        public Descend updates(String selection, UpdateRule rule) {
            return and(new Update(Selection.of(selection), rule, false));
        }

        /**
         * Returns this turn with an optimizer for selected weights, which other turns may update if they share them
         * too.
         */
        public Descend shares(String selection, UpdateRule rule) {
            return and(new Update(Selection.of(selection), rule, true));
        }

        /**
         * Returns this turn, stepping the optimizers of another: it updates the same weights by the gradients of its own
         * loss, with the slots, settings and counts of the other turn. A weight that its loss does not reach has gradient
         * zero and still takes the step. So a penalty that is computed in some rounds only, such as lazy R1 (Karras et
         * al. 2020, StyleGAN2, appendix B), shares the moments of the loss that it belongs to.
         *
         * @throws IllegalArgumentException if this turn has optimizers, or the other has none of its own
         */
        public Descend withOptimizerOf(Descend other) {
            return optimizerOf(Optional.of(other));
        }

        /** Returns the selections of weights that it updates: its own, or those of the turn whose optimizers it steps. */
        public List<Update> stepped() {
            return optimizerOf.map(Descend::updates).orElse(updates);
        }

        /** Returns this turn, also computing these values. */
        public Descend observes(Value... values) {
            return observed(Stream.concat(observed.stream(), Stream.of(values)).toList());
        }

        /**
         * Returns this turn with a state: the value is what the input reads the next time the turn is taken, row by row;
         * before the first time the input reads zeros. It is saved and restored. No gradient flows from one time to the
         * next (truncated backpropagation through time), and no source may feed the input.
         *
         * @param input an input of the program, of the shape and type of the value
         * @param next a value of each row
         * @throws IllegalArgumentException if they do not fit, or the program does not read the input
         */
        public Descend carries(Value input, Value next) {
            return carried(Stream.concat(carried.stream(), Stream.of(new Carried(input, next)))
                    .toList());
        }

        /**
         * Returns this turn with a guard: it skips the update (weights, slots and running statistics) when a metric
         * from before the update is above a limit or NaN. It still reports its metrics, and a metric {@code moved}: 1,
         * or 0 for a skipped update. {@code until(below("update/moved", 1), update, most)} ends with the first such
         * turn.
         *
         * @param metric one of the program's, or {@code loss}
         * @param most the largest value with which the update is made
         * @throws IllegalArgumentException if the program has no such metric, or the limit is NaN
         */
        public Descend unlessAbove(String metric, double most) {
            return guards(Stream.concat(guards.stream(), Stream.of(new Guard(metric, most)))
                    .toList());
        }

        /**
         * Returns this turn, computing its program again after its update on the same rows and noise: it also reports
         * {@code after/loss} and {@code after/metric} for each metric, and {@link Scheduler#observedAfter} has what it
         * observes. Of turns that are taken together, others may update later. It updates nothing itself and costs a
         * forward pass.
         */
        public Descend measuresAfter() {
            return measuredAfter(true);
        }

        /**
         * Returns the metrics besides loss and gradient norm, in name order: the program's metrics, {@code moved} under
         * guards, and what is measured {@code after} the update.
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

        /** Returns its metrics by the names that schedules use: its loss, the gradient's norm, then each metric. */
        @Override
        public List<String> series() {
            List<String> series = new ArrayList<>(List.of(name + "/loss", name + "/gradient_norm"));
            metrics().forEach(metric -> series.add(name + "/" + metric));
            return series;
        }

        /** Returns this turn as an EVAL program that updates nothing. */
        public Descend evaluated() {
            return new Descend(
                    name, program.in(Mode.EVAL), List.of(), observed, List.of(), false, carried, Optional.empty());
        }

        private Descend and(Update update) {
            return updates(Stream.concat(updates.stream(), Stream.of(update)).toList());
        }

        @Override
        public String toString() {
            return name;
        }
    }

    /**
     * A selection of weights and their optimizer.
     *
     * @param selection the weights
     * @param rule the optimizer
     * @param shared whether other turns may update them too
     */
    record Update(Selection selection, UpdateRule rule, boolean shared) {}

    /**
     * A limit of a metric from before the update, above which no update is made.
     *
     * @param metric of the program, or {@code loss}
     * @param most the largest value with which the update is made
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
     * A turn without a loss that averages weights, {@code to ← decay·to + (1 - decay)·from}, and copies running
     * statistics. Outside of training (samples, scores, checkpoints, exports) the average has its own batch-norm
     * statistics in place of the copies.
     *
     * @param name its name
     * @param from the weights that are followed
     * @param to the averages
     * @param decay share of the average that is kept each time
     * @param warmUp whether the decay starts small: {@code min(decay, (1 + t)/(10 + t))} after t of these turns, as
     *     {@code num_updates} of TensorFlow's ExponentialMovingAverage does; without it, Polyak averaging
     * @param statisticsBatches number of batches for estimating the average's batch-norm statistics; 0 copies them
     */
    record Follow(String name, String from, String to, double decay, boolean warmUp, int statisticsBatches)
            implements Turn, FollowCopies {
        /** The default number of batches for estimating statistics. */
        public static final int STATISTICS_BATCHES = 50;

        public Follow {
            requireName(name);
            Limits.notNegative("turn " + name + ": statisticsBatches", statisticsBatches);
            if (!(decay >= 0 && decay <= 1)) {
                throw new IllegalArgumentException("turn " + name + ": decay must be in [0, 1], was " + decay);
            }
            Mapping.of(from, to); // refuses globs that do not fit each other
        }

        /** Returns the decay after the turn was taken a number of times. */
        public double decay(long taken) {
            return warmUp ? Math.min(decay, (1.0 + taken) / (10.0 + taken)) : decay;
        }

        /** Returns this turn with or without a decay that starts small. */
        public Follow warmedUp(boolean whether) {
            return warmUp(whether);
        }

        /** Returns the paths of the averages by the paths that they follow. */
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

    /**
     * A turn of Java code, such as collecting a rollout, evaluating or searching without a gradient.
     *
     * @param name its name
     * @param action the code
     * @param written selections of the parameters that it may write; usually none
     */
    record Act(String name, Action action, List<Selection> written) implements Turn {
        public Act {
            requireName(name);
            written = List.copyOf(written);
        }

        /**
         * Returns this turn, which may write the selected parameters and which no other turn may write then. The code writes
         * them through {@link Run#parameters()}.
         */
        public Act writes(String... selections) {
            Stream<Selection> more = Stream.of(selections).map(Selection::of);
            return new Act(name, action, Stream.concat(written.stream(), more).toList());
        }

        @Override
        public <R> R fold(Function<Descend, R> descend, Function<Follow, R> follow, Function<Act, R> act) {
            return act.apply(this);
        }

        /** Only its Java code knows which metrics it reports. */
        @Override
        public boolean mayReport(String series) {
            return series.startsWith(name + "/");
        }

        @Override
        public String toString() {
            return name;
        }
    }

    /** The code of an {@link Act}. One that is {@link AutoCloseable} is closed with the scheduler. */
    @FunctionalInterface
    interface Action {
        void act(Run run);
    }

    /**
     * A turn that descends a TRAIN program; {@code updates} sets the weights that it updates.
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
     * A turn that computes a program in EVAL mode, however it is compiled, and updates nothing; its first target is
     * reported as its loss.
     */
    static Descend evaluate(String name, Program program) {
        return new Descend(name, program).evaluated();
    }

    /** A target network by Polyak averaging: {@code follow("target", "critic/**", "target/critic/**", 0.995)}. */
    static Follow follow(String name, String from, String to, double decay) {
        return new Follow(name, from, to, decay, false, Follow.STATISTICS_BATCHES);
    }

    /**
     * An average to draw samples with: {@code average("ema", "generator/**", "ema/generator/**", 0.999)}. Its decay
     * starts small, so that an average of few turns is not mostly the initial weights.
     */
    static Follow average(String name, String from, String to, double decay) {
        return follow(name, from, to, decay).warmedUp(true);
    }

    /** A turn of Java, which writes no parameter unless {@link Act#writes} declares it. */
    static Act act(String name, Action action) {
        return new Act(name, action, List.of());
    }

    private static void requireName(String name) {
        if (!name.matches("[A-Za-z0-9_-]+")) {
            throw new IllegalArgumentException(
                    "a turn's name must be letters, digits, _ or -, at least one, was \"" + name + "\"");
        }
    }
}
