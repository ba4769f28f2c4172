package hocket.schedulers;

import hocket.schedulers.rings.KeepBest;
import hocket.schedulers.settings.Setting;
import hocket.schedulers.state.Stateful;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A callback that wraps parts of training. Each method receives a part of the run as {@link Next}, and its default only
 * calls it; a ring may run code before and after it, time it, skip it, repeat it, or catch its failure. The rings of a
 * scheduler are nested by their {@link #order}; of equal order, the first added is the outermost.
 *
 * <p>A ring that is also {@link Stateful} is saved and restored with the run. Rings with the same name differ by the
 * order in which they were added. A class that an experiment file names is a record whose components are its settings
 * (see {@link Setting}), or a class with one public constructor.
 *
 * <p>The wrapping follows Koa's middleware; names and triggers of actions follow Chainer's extensions.
 *
 * <p>For example:
 *
 * <pre>{@code
 * record EarlyStop(double loss) implements Ring {
 *     @Override
 *     public void round(Run run, Next next) {
 *         next.proceed();
 *         if (run.average("d/loss", 100).orElse(Double.POSITIVE_INFINITY) < loss) {
 *             run.stop();
 *         }
 *     }
 * }
 * scheduler.ring(new EarlyStop(0.1));
 * }</pre>
 */
public interface Ring extends Event.Listener {
    /** Returns its name, for messages, saved states and removal; by default the class's: {@code keep-best}. */
    default String name() {
        return getClass()
                .getSimpleName()
                .replaceAll("(?<=[a-z0-9])(?=[A-Z])", "-")
                .toLowerCase(Locale.ROOT);
    }

    /** Returns its position in the nesting: rings of lower order are around it. The default is 0. */
    default int order() {
        return 0;
    }

    /**
     * Returns the trigger of {@link #due}. The triggers of all rings are evaluated after each round before any action
     * runs, so that a checkpoint of the same round includes them.
     */
    default Optional<Trigger> trigger() {
        return Optional.empty();
    }

    /**
     * Runs when its trigger has fired. The round is over, and the epoch if it ended too: no step of the run is in
     * progress, so it can be saved. Of rings that are due in one round, inner ones run first, and those of equal order
     * as they were added.
     */
    default void due(Run run) {}

    /**
     * Wraps the action of another ring that is due: may time it, or catch a failure that should not end the run.
     *
     * @param due the other ring
     */
    default void beside(Run run, Ring due, Next next) {
        next.proceed();
    }

    /** Returns whether a run may tolerate this failure of {@link #due}: a tolerant run logs it and continues. */
    default boolean isTolerated(Throwable failure) {
        return false;
    }

    /** Sets the place where a ring that keeps the best state keeps it; other rings ignore this. */
    default void keepBestIn(KeepBest.Keeper keeper) {}

    /** Handles every event, on the training thread; by default calls the method of its kind, as {@link #saved}. */
    default void heard(Run run, Event event) {
        event.tell(run, this);
    }

    /**
     * Wraps the whole run: from before the first turn of {@link Scheduler#run()}, {@link Scheduler#run(Budget)}, {@link
     * Scheduler#loop} or {@link Scheduler#around} to its end, also by a failure or a stop.
     */
    default void run(Run run, Next next) {
        next.proceed();
    }

    /** Wraps the start or resumption of a run: the checks of plan, sources and triggers. */
    default void initialise(Run run, Next next) {
        next.proceed();
    }

    /**
     * Wraps the rounds of an epoch of the first source, or all rounds where there is no source. A run that resumes in
     * the middle of an epoch enters it again. A hand-written loop ({@link Scheduler#loop}, {@link Scheduler#proceed})
     * has no epochs.
     */
    default void epoch(Run run, Next next) {
        next.proceed();
    }

    /**
     * Wraps a round. A run that resumes in the middle of a round enters it again. A skipped round counts as a round. A
     * round that failed inside a turn can be repeated after {@link Scheduler#restore}, which also restores the state of
     * all rings, including the one that calls it.
     */
    default void round(Run run, Next next) {
        next.proceed();
    }

    /**
     * Wraps a turn of the plan or of a hand-written loop.
     *
     * @param turns the turn, or several that are taken together
     */
    default void turn(Run run, List<Turn> turns, Next next) {
        next.proceed();
    }

    /** Wraps the end of a run without failure: the actions that are due {@link Trigger#atEnd} run inside. */
    default void finalise(Run run, Next next) {
        next.proceed();
    }

    /** Makes a ring that runs an action whenever a trigger fires; its name is that of the trigger. */
    static Ring on(Trigger trigger, Consumer<Run> action) {
        return new Ring() {
            @Override
            public String name() {
                return trigger.toString();
            }

            @Override
            public Optional<Trigger> trigger() {
                return Optional.of(trigger);
            }

            @Override
            public void due(Run run) {
                action.accept(run);
            }

            @Override
            public String toString() {
                return "on " + trigger;
            }
        };
    }
}
