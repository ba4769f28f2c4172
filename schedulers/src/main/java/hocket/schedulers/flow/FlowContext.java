package hocket.schedulers.flow;

import hocket.schedulers.Next;
import hocket.schedulers.Recorder;
import hocket.schedulers.Scheduler;
import hocket.schedulers.Setup;
import hocket.schedulers.Turn;
import hocket.schedulers.feeds.DataFingerprint;
import hocket.schedulers.settings.Networks;
import hocket.scopes.Parameters;
import hocket.scopes.SimilarNames;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.DoubleConsumer;
import org.jspecify.annotations.Nullable;

/** The shared context of a run's steps, which holds the results of earlier steps. Close it after use. */
public final class FlowContext implements AutoCloseable {
    private final Consumer<String> person;
    private final BooleanSupplier stop;
    private Instance instance;
    private StepResult stepResult = StepResult.NEXT;
    private DoubleConsumer watcher = part -> {};
    private List<DataFingerprint> startedFrom = List.of();
    private @Nullable Setup setup;
    private @Nullable Parameters parameters;
    private @Nullable Scheduler scheduler;
    private @Nullable Recorder recorder;

    /**
     * @param asked the requested run
     * @param person takes lines for people
     * @param stop whether the run was asked to stop
     */
    public FlowContext(Instance asked, Consumer<String> person, BooleanSupplier stop) {
        this.instance = asked;
        this.person = person;
        this.stop = stop;
    }

    /** Returns the step's result, which says what follows. */
    public StepResult status() {
        return stepResult;
    }

    /** Sets what follows this step. */
    public void status(StepResult next) {
        stepResult = next;
    }

    /** Returns the identity of the run. */
    public Instance instance() {
        return instance;
    }

    /** Sets the identity of the run; the instance step calls it. */
    public void instance(Instance decided) {
        instance = decided;
    }

    /** Returns the networks and their programs. */
    public Networks networks() {
        return setup().networks();
    }

    /** Returns the setup. */
    public Setup setup() {
        return required(setup, "setup", "network");
    }

    /** Sets the setup; the network step calls it. */
    public void setup(Setup made) {
        setup = made;
    }

    /** The store. */
    public Parameters parameters() {
        return required(parameters, "store", "startup");
    }

    /** Returns the scheduler over the store, with the setup's phases and sources. */
    public Scheduler scheduler() {
        return required(scheduler, "scheduler", "startup");
    }

    /**
     * Sets the store; the startup step calls it. It is closed with this context.
     *
     * @throws IllegalStateException if there is one already
     */
    public void parameters(Parameters store) {
        if (parameters != null) {
            throw new IllegalStateException("the run has a store already");
        }
        parameters = store;
    }

    /**
     * Sets the scheduler; the startup step calls it. It is closed with this context.
     *
     * @throws IllegalStateException if there is one already
     */
    public void scheduler(Scheduler made) {
        if (scheduler != null) {
            throw new IllegalStateException("the run has a scheduler already");
        }
        scheduler = made;
    }

    /** Returns fingerprints of the data that filled the store; empty for a run that starts from its seed or resumes. */
    public List<DataFingerprint> startedFrom() {
        return startedFrom;
    }

    /** Records what filled the store, so that later changes of it are noticed; the startup step calls it. */
    public void startedFrom(List<DataFingerprint> dataFingerprints) {
        startedFrom = List.copyOf(dataFingerprints);
    }

    /** Wraps code that continues the run in the rings of the scheduler, if there is one. */
    void within(Next rest) {
        if (scheduler == null) {
            rest.proceed();
        } else {
            scheduler.around(rest::proceed);
        }
    }

    /**
     * Returns the turn of a name, for runners that take turns themselves.
     *
     * @throws IllegalArgumentException if there is none; the message names similar ones
     */
    public Turn turn(String name) {
        Map<String, Turn> turns = setup().turnsByName();
        return SimilarNames.get(turns, name, "no turn is called ");
    }

    /** Returns the recorder of metrics, pictures and lines in the run's folder. */
    public Recorder recorder() {
        return required(recorder, "recorder", "startup");
    }

    /** Sets the recorder, after all checks and before the runner. */
    public void recorder(Recorder made) {
        recorder = made;
    }

    /** Prints a line for the user. */
    public void say(String line) {
        person.accept(line);
    }

    /** Sets the receiver of a runner's progress, from 0 to 1. */
    public void watch(DoubleConsumer watching) {
        watcher = watching;
    }

    /** Reports the progress of a runner that takes no turns, from 0 to 1. */
    public void done(double part) {
        watcher.accept(part);
    }

    /** Returns whether the run was asked to stop; a runner then ends its round, saves and returns. */
    public boolean stopRequested() {
        return stop.getAsBoolean();
    }

    private static <T> T required(@Nullable T value, String what, String step) {
        if (value == null) {
            throw new IllegalStateException("there is no " + what + " yet: the " + step + " step makes it");
        }
        return value;
    }

    @Override
    public void close() {
        try {
            if (scheduler != null) {
                scheduler.close();
            }
        } finally {
            if (parameters != null) {
                parameters.close();
            }
        }
    }
}
