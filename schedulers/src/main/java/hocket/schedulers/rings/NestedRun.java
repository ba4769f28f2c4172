package hocket.schedulers.rings;

import hocket.schedulers.Definition;
import hocket.schedulers.LiveRun;
import hocket.schedulers.Next;
import hocket.schedulers.Ring;
import hocket.schedulers.Run;
import hocket.schedulers.Trigger;
import hocket.schedulers.state.State;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A run inside a ring of another run: whenever the trigger fires, it runs from its beginning to its end over the same
 * store, such as a test every 200 rounds. It is bound once and reset each time; of the outer run it changes only the
 * paths that its own turns write, for a test none.
 */
public final class NestedRun implements Ring {
    private final String name;
    private final Trigger trigger;
    private final Definition inner;
    private @Nullable LiveRun live;
    private State beginning = State.empty();
    private boolean within;

    /**
     * @param name of the ring
     * @param inner starts the run inside
     */
    public NestedRun(String name, Trigger trigger, Definition inner) {
        this.name = name;
        this.trigger = trigger;
        this.inner = inner;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Optional<Trigger> trigger() {
        return Optional.of(trigger);
    }

    /** Binds the inner run, so that errors in it are found before the first turn. */
    @Override
    public void initialise(Run run, Next next) {
        LiveRun bound = live(run);
        bound.scheduler().check(bound.scheduler().phase().budget());
        next.proceed();
    }

    private LiveRun live(Run run) {
        LiveRun there = live;
        if (there == null) {
            there = inner.over(run.parameters(), run.scheduler().threads());
            beginning = there.scheduler().save();
            live = there;
        }
        return there;
    }

    @Override
    public void due(Run run) {
        LiveRun bound = live(run);
        bound.scheduler()
                .restore(beginning.with("parameters", State.of(run.parameters().snapshot())));
        bound.run();
        if (!within) {
            close(); // of a loop that has no end to wait for
        }
    }

    @Override
    public void run(Run run, Next next) {
        within = true;
        try {
            next.proceed();
        } finally {
            within = false;
            close();
        }
    }

    private void close() {
        if (live != null) {
            live.close();
            live = null;
        }
    }

    @Override
    public String toString() {
        return name + " " + trigger;
    }
}
