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

/** What the steps of one run share: each finds here what the steps before it made. Close it after use. */
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
     * @param asked the run as it was asked for
     * @param person takes lines for people
     * @param stop whether the run was asked to stop
     */
    public FlowContext(Instance asked, Consumer<String> person, BooleanSupplier stop) {
        this.instance = asked;
        this.person = person;
        this.stop = stop;
    }

    /** What comes after this step. */
    public StepResult status() {
        return stepResult;
    }

    /** Says what comes after this step. */
    public void status(StepResult next) {
        stepResult = next;
    }

    /** Which run this is. */
    public Instance instance() {
        return instance;
    }

    /** Decides which run this is: the instance step's part. */
    public void instance(Instance decided) {
        instance = decided;
    }

    /** The networks and their programs. */
    public Networks networks() {
        return setup().networks();
    }

    /** What is computed, and what is trained how. */
    public Setup setup() {
        return required(setup, "setup", "network");
    }

    /** Gives what is computed, and what is trained how: the network step's part. */
    public void setup(Setup made) {
        setup = made;
    }

    /** The store. */
    public Parameters parameters() {
        return required(parameters, "store", "startup");
    }

    /** The scheduler over the store, with the setup's phases and sources. */
    public Scheduler scheduler() {
        return required(scheduler, "scheduler", "startup");
    }

    /**
     * Gives the store: the startup step's part. It is closed with this context.
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
     * Gives the scheduler: the startup step's part. It is closed with this context.
     *
     * @throws IllegalStateException if there is one already
     */
    public void scheduler(Scheduler made) {
        if (scheduler != null) {
            throw new IllegalStateException("the run has a scheduler already");
        }
        scheduler = made;
    }

    /** What the store was filled from, by its content; empty of a run that begins from its seed, or goes on. */
    public List<DataFingerprint> startedFrom() {
        return startedFrom;
    }

    /** Says what the store was filled from, so that it is known later whether that is still the same: the startup step's part. */
    public void startedFrom(List<DataFingerprint> dataFingerprints) {
        startedFrom = List.copyOf(dataFingerprints);
    }

    /** Puts the rings of the scheduler, if there is one, around something that takes the run further. */
    void within(Next rest) {
        if (scheduler == null) {
            rest.proceed();
        } else {
            scheduler.around(rest::proceed);
        }
    }

    /**
     * The turn of a name, for runners that take turns themselves.
     *
     * @throws IllegalArgumentException if there is none, naming what is near
     */
    public Turn turn(String name) {
        Map<String, Turn> turns = setup().turnsByName();
        Turn turn = turns.get(name);
        if (turn == null) {
            throw new IllegalArgumentException("no turn is called " + name + SimilarNames.among(name, turns.keySet()));
        }
        return turn;
    }

    /** Takes figures, pictures and lines into the run's folder. */
    public Recorder recorder() {
        return required(recorder, "recorder", "startup");
    }

    /** Gives the recorder, once all checks have passed and before the runner. */
    public void recorder(Recorder made) {
        recorder = made;
    }

    /** Says a line to the person who watches. */
    public void say(String line) {
        person.accept(line);
    }

    /** Takes how far a runner is that says so, from 0 to 1. */
    public void watch(DoubleConsumer watching) {
        watcher = watching;
    }

    /** Says how far a runner is that takes no turns, from 0 to 1. */
    public void done(double part) {
        watcher.accept(part);
    }

    /** Whether the run was asked to stop: a runner ends its round, saves and returns. */
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
