package hocket.schedulers;

import hocket.schedulers.settings.Setting;
import hocket.schedulers.state.Stateful;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Something around training: a ring of an onion. Each method is given a part of the run as {@link Next}, to which the usual
 * form gives way; a ring may do something before and after it, time it, leave it out, do it again, or catch its failure. The
 * rings of a scheduler are around each other by their {@link #order}, and those of one order as they came: the first is
 * outermost.
 *
 * <p>A ring that is also {@link Stateful} is saved and restored with the run. Rings whose names are the same are told apart by
 * the order in which they came. A class that an experiment file names is a record, whose components are its settings (see
 * {@link Setting}), or has one public constructor.
 *
 * <p>The form is that of Koa's middleware; names and triggers of what is beside training are those of Chainer's extensions.
 */
public interface Ring extends Event.Listener {
    /** What it is called: for messages, in saved states, and to be taken away by; usually as its class: {@code keep-best}. */
    default String name() {
        return getClass()
                .getSimpleName()
                .replaceAll("(?<=[a-z0-9])(?=[A-Z])", "-")
                .toLowerCase(Locale.ROOT);
    }

    /** Which rings are around it: those of a lower order. Those that say nothing have 0. */
    default int order() {
        return 0;
    }

    /**
     * When {@link #due} is called. It is looked at whenever a round has ended, and those of all rings before anything is done,
     * so that what is saved in the same round knows of it.
     */
    default Optional<Trigger> trigger() {
        return Optional.empty();
    }

    /**
     * Its trigger fired. The round is over, and the epoch, if it has ended with it: nothing of the run is under way, so it
     * can be saved. Of rings that are due at once, inner ones come first, and those of one order as they came.
     */
    default void due(Run run) {}

    /**
     * Around what another ring does when it is due: may time it, or catch its failure, where that is no reason to lose a run.
     *
     * @param due the other
     */
    default void beside(Run run, Ring due, Next next) {
        next.proceed();
    }

    /** Whether a failure of {@link #due} is no reason to lose a run: where one spares it, it is remarked on and the run goes on. */
    default boolean isTolerated() {
        return false;
    }

    /** Hears every event, on the training thread; usually calls the method for its kind, such as {@link #saved}. */
    default void heard(Run run, Event event) {
        event.tell(run, this);
    }

    /**
     * Around the whole: from before the first turn of {@link Scheduler#run()}, {@link Scheduler#run(Budget)}, {@link
     * Scheduler#loop} or {@link Scheduler#around} to its end, also by a failure or a stop.
     */
    default void run(Run run, Next next) {
        next.proceed();
    }

    /** Around the beginning of a run, or of its going on: the checks of plan, sources and triggers. */
    default void initialise(Run run, Next next) {
        next.proceed();
    }

    /**
     * Around the rounds of an epoch of the first source; around all rounds, where there is no source. A run that goes on in
     * the middle of an epoch enters it again. A loop of one's own ({@link Scheduler#loop}, {@link Scheduler#proceed}) has no
     * epochs to be around.
     */
    default void epoch(Run run, Next next) {
        next.proceed();
    }

    /**
     * Around a round. A run that goes on in the middle of a round enters it again. A round that is left out counts as a
     * round. One that failed inside a turn can be taken again after {@link Scheduler#restore}, which takes back what rings
     * remember, too: also of the one that asks for it.
     */
    default void round(Run run, Next next) {
        next.proceed();
    }

    /**
     * Around a turn of the plan or of a loop by hand.
     *
     * @param turns what is taken: one, or several that are taken together
     */
    default void turn(Run run, List<Turn> turns, Next next) {
        next.proceed();
    }

    /** Around the end, if there was no failure: what is due {@link Trigger#atEnd} is done in its middle. */
    default void finalise(Run run, Next next) {
        next.proceed();
    }

    /** The short form: does something whenever a trigger fires, and is called as the trigger. */
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
