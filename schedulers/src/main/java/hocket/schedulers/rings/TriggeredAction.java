package hocket.schedulers.rings;

import hocket.programs.Program;
import hocket.schedulers.Event;
import hocket.schedulers.Next;
import hocket.schedulers.Ring;
import hocket.schedulers.Run;
import hocket.schedulers.Trigger;
import hocket.schedulers.evaluation.Evaluation;
import hocket.schedulers.evaluation.Validation;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A ring that runs an action when its trigger fires, once for each position of a run: of two triggers in one round, the
 * first runs it.
 */
public final class TriggeredAction implements Ring {
    private static final int SAMPLES = 64;

    /** A checkpoint, for {@link Run#isFirst}. */
    static final Object SAVE = "save";

    private final String name;
    private final int order;
    private final Trigger trigger;
    private final Consumer<Run> action;
    private final Consumer<Run> check;

    /** The key of an action that runs once for each position; null for one that runs each time. */
    private final @Nullable Object once;

    private TriggeredAction(
            String name, int order, Trigger trigger, @Nullable Object once, Consumer<Run> action, Consumer<Run> check) {
        this.name = name;
        this.order = order;
        this.trigger = trigger;
        this.once = once;
        this.action = action;
        this.check = check;
    }

    /** Makes a ring that runs the user's code each time. */
    public static Ring of(String name, Trigger trigger, Consumer<Run> action) {
        return new TriggeredAction(name, 0, trigger, null, action, run -> {});
    }

    /**
     * Writes a checkpoint; a run without a folder is refused before its first turn. It is outside the others, so that a
     * checkpoint includes their changes of the same round.
     */
    public static Ring save(Trigger trigger) {
        return new TriggeredAction("save", RingOrder.SAVING, trigger, SAVE, Run::save, run -> {
            if (run.scheduler().savesTo().isEmpty()) {
                throw new IllegalStateException("a checkpoint needs a folder: call scheduler.saveTo(folder) first");
            }
        });
    }

    /** Writes a checkpoint at the end of a run that has a folder. */
    public static Ring saveAtEnd() {
        Consumer<Run> save = run -> {
            if (run.scheduler().savesTo().isPresent()) {
                run.save();
            }
        };
        return new TriggeredAction("save", RingOrder.SAVING, Trigger.atEnd(), SAVE, save, run -> {});
    }

    /**
     * Draws some samples and emits {@link Event.Sampled}.
     *
     * @param program the program whose first target is the samples, from noise and labels
     * @throws IllegalArgumentException if it reads other inputs
     */
    public static Ring samples(Trigger trigger, Program program) {
        return samples(trigger, new Samples(program));
    }

    /** Draws samples that may read data. */
    public static Ring samples(Trigger trigger, Samples samples) {
        Consumer<Run> draw = run -> run.emit(new Event.Sampled(run.position(), samples.few(run.session(), SAMPLES)));
        return once("samples", trigger, samples.program(), draw);
    }

    /** Computes a validation metric and emits {@link Event.Validated}. */
    public static Ring validate(Trigger trigger, Validation by) {
        return once("validate", trigger, by, run -> {
            run.emit(new Event.Validated(run.position(), by.metric(), by.mean(run.session())));
        });
    }

    /** Evaluates the current parameters and emits {@link Event.Scored}. */
    public static Ring score(Trigger trigger, Evaluation by) {
        return once("score", trigger, by, run -> {
            run.emit(new Event.Scored(run.position(), run.scheduler().scores(by), false));
        });
    }

    private static Ring once(String name, Trigger trigger, Object what, Consumer<Run> action) {
        return new TriggeredAction(name, 0, trigger, List.of(name, what), action, run -> {});
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public int order() {
        return order;
    }

    @Override
    public Optional<Trigger> trigger() {
        return Optional.of(trigger);
    }

    @Override
    public boolean isTolerated(Throwable failure) {
        return name.equals("samples") || name.equals("score");
    }

    @Override
    public void initialise(Run run, Next next) {
        check.accept(run);
        next.proceed();
    }

    @Override
    public void due(Run run) {
        if (once == null || run.isFirst(once)) {
            action.accept(run);
        }
    }

    @Override
    public String toString() {
        return name + " " + trigger;
    }
}
