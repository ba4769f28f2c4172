package hocket.schedulers;

import hocket.programs.Mode;
import hocket.programs.Program;
import hocket.programs.Value;
import hocket.schedulers.optimizers.UpdateRule;
import hocket.scopes.Mapping;
import hocket.scopes.Selection;
import java.util.ArrayList;
import java.util.List;

/** One thing that changes something, under a name: the smallest plan. Immutable data. */
public sealed interface Turn extends Plan permits Turn.Descend, Turn.Follow, Turn.Act {
    /** Its name in plans, events and messages. */
    String name();

    @Override
    default List<Plan> parts() {
        return List.of();
    }

    /**
     * A turn that runs a program and moves selected weights along the gradient of its first target.
     *
     * @param name its name
     * @param program what is computed; the first target is the loss
     * @param updates which weights are moved by which rule
     * @param observed further values that are computed with it, for {@link Scheduler#observed}
     */
    record Descend(String name, Program program, List<Update> updates, List<Value> observed) implements Turn {
        /**
         * @throws IllegalArgumentException if it moves something by a program that is compiled for EVAL, or the name, or a
         *     metric's, is not one
         */
        public Descend {
            requireName(name);
            if (!updates.isEmpty()) {
                requireTrain(name, program);
            }
            for (String series : List.of("loss", "gradient_norm")) {
                if (program.metrics().containsKey(series)) {
                    throw new IllegalArgumentException(
                            "turn " + name + ": no metric may be called " + series + ", which every turn reports");
                }
            }
            updates = List.copyOf(updates);
            observed = List.copyOf(observed);
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
            return new Descend(name, program, updates, more);
        }

        /** What it reports, by the names that schedules ask for: its loss, the gradient's norm, then each metric. */
        public List<String> series() {
            List<String> series = new ArrayList<>(List.of(name + "/loss", name + "/gradient_norm"));
            program.metrics().keySet().forEach(metric -> series.add(name + "/" + metric));
            return series;
        }

        /** This turn, only computed: as an EVAL program, moving nothing. */
        Descend evaluated() {
            return new Descend(name, program.in(Mode.EVAL), List.of(), observed);
        }

        private Descend with(Update update) {
            List<Update> more = new ArrayList<>(updates);
            more.add(update);
            return new Descend(name, program, more, observed);
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
     * A turn without a loss: weights follow others, {@code to ← decay·to + (1 - decay)·from}, and running statistics are
     * copied.
     */
    record Follow(String name, String from, String to, double decay) implements Turn {
        public Follow {
            requireName(name);
            if (!(decay >= 0 && decay <= 1)) {
                throw new IllegalArgumentException("turn " + name + ": decay must be in [0, 1], was " + decay);
            }
            Mapping.of(from, to); // refuses globs that do not fit each other
        }

        /** From what is followed to what follows. */
        public Mapping mapping() {
            return Mapping.of(from, to);
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

        /** Whether a series is one of its figures: which these are, only its Java knows. */
        boolean mayReport(String series) {
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
        return new Descend(name, program, List.of(), List.of());
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
        return new Descend(name, program, List.of(), List.of()).evaluated();
    }

    /** A turn that averages: {@code follow("ema", "generator/**", "ema/generator/**", 0.999)}. */
    static Follow follow(String name, String from, String to, double decay) {
        return new Follow(name, from, to, decay);
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
