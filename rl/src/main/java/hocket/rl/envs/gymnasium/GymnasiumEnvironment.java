package hocket.rl.envs.gymnasium;

import hocket.rl.envs.BoundsListener;
import hocket.rl.envs.Environment;
import hocket.rl.random.Pcg64;
import hocket.rl.spaces.Box;
import hocket.rl.spaces.Space;
import hocket.schedulers.state.State;
import java.awt.Graphics2D;
import java.util.OptionalInt;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** An environment in a process of Python, with the seed and the actions of its episode, from which Python plays it again. */
final class GymnasiumEnvironment implements Environment, BoundsListener, PythonWorker.Receiver {
    private static final int MOST_FAILED_STARTS = 3;

    private final GymnasiumEnvironments maker;
    private final int place;
    private final Space observations;
    private final Space actions;
    private final int limit;
    private final EpisodeLog log;

    private @Nullable PythonWorker worker;
    private int number;
    /** Whether Python's environment is there. */
    private boolean isMade;
    /** Whether Python has one of this number, perhaps one that failed. */
    private boolean isHeld;
    /** Whether it has played the same episode as far as this one. */
    private boolean isThere;
    /** Whether an answer to the last action of the log is under way. */
    private boolean isSent;

    /** Whether an action was another one than announced: then none is sent ahead any more. */
    private boolean isSurprised;

    private boolean isDrawn;

    private @Nullable Pcg64 random;
    private boolean isRunning;
    private boolean isLost;
    /** The outcome that the environment shows. */
    private Outcome outcome;
    /** The outcome that Python answered last. */
    private Outcome received;

    private @Nullable IllegalStateException failure;

    GymnasiumEnvironment(GymnasiumEnvironments maker, int place, GymnasiumEnvironments.Description of) {
        this.maker = maker;
        this.place = place;
        observations = of.observations();
        actions = of.actions();
        limit = of.limit();
        log = new EpisodeLog(actions.width());
        outcome = new Outcome(observations.width(), of.mask());
        received = new Outcome(observations.width(), of.mask());
    }

    @Override
    public String name() {
        return maker.name();
    }

    @Override
    public Space observations() {
        return observations;
    }

    @Override
    public Space actions() {
        return actions;
    }

    @Override
    public OptionalInt maxEpisodeSteps() {
        return limit == 0 ? OptionalInt.empty() : OptionalInt.of(limit);
    }

    @Override
    public void reset(Pcg64 generator) {
        random = generator;
        reset();
    }

    /** {@inheritDoc} Python's environment is seeded by the generator's next number. */
    @Override
    public void reset() {
        if (random == null) {
            throw new IllegalStateException(name() + ": it has no generator yet: the first reset must give one");
        }
        withdraw();
        isLost = false;
        isRunning = false;
        for (int failed = 0; !isRunning; failed++) {
            log.begin(random.nextInt() & Integer.MAX_VALUE);
            isThere = false;
            try {
                replay();
                take();
                isRunning = true;
            } catch (IllegalStateException e) {
                requireSurvival(e);
                if (failed == MOST_FAILED_STARTS) {
                    throw e;
                }
            }
        }
    }

    @Override
    public void prepare(float[] action, int at) {
        if (isRunning && !isSent && !isSurprised && isValid(action, at)) {
            send(action, at);
        }
    }

    @Override
    public void step(float[] action, int at) {
        if (!isRunning) {
            throw new IllegalStateException(
                    name() + ": " + (outcome.hasEnded() ? "the episode has ended" : "no episode has begun")
                            + ": a step must follow a reset");
        }
        if (!isValid(action, at)) {
            throw new IllegalArgumentException(
                    name() + ": an action must be " + (actions instanceof Box ? "finite, about " : "of ") + actions
                            + ", was " + actions.text(action, at));
        }
        if (isSent && !log.isLast(action, at)) {
            isSurprised = true;
            withdraw();
        }
        isLost = false;
        try {
            for (boolean isDone = false; !isDone; ) {
                if (!isSent) {
                    send(action, at);
                }
                try {
                    receive();
                    isDone = true;
                } catch (PythonWorker.LostAnswerException e) { // by the end of another environment
                    log.dropLast();
                }
            }
            take();
        } catch (IllegalStateException e) {
            log.dropLast();
            requireSurvival(e);
            outcome.truncate();
            isLost = true;
        }
        isRunning = !outcome.hasEnded();
    }

    /** Returns whether the last step was lost with its process, so that its observation is that of the step before. */
    boolean isLost() {
        return isLost;
    }

    private boolean isValid(float[] action, int at) {
        if (!(actions instanceof Box)) {
            return actions.contains(action, at);
        }
        for (int i = 0; i < actions.width(); i++) {
            if (!Float.isFinite(action[at + i])) {
                return false;
            }
        }
        return true;
    }

    /** Sends an action, which becomes part of the log. */
    private void send(float[] action, int at) {
        try {
            replay();
            PythonWorker to = there();
            synchronized (to) {
                to.request('S', number).with(action, at, actions.width()).send(this);
            }
        } catch (IllegalStateException e) {
            failure = e; // for the step that follows
        }
        log.add(action, at);
        isSent = true;
    }

    private void receive() {
        isSent = false;
        if (failure == null) {
            PythonWorker from = there();
            synchronized (from) {
                from.await(this);
            }
        }
        if (failure != null) {
            IllegalStateException thrown = failure;
            failure = null;
            throw thrown;
        }
    }

    /** Takes an action back that was sent: Python is then a step ahead. */
    private void withdraw() {
        if (isSent) {
            log.dropLast();
            isThere = false;
            try {
                receive();
            } catch (IllegalStateException e) {
                isMade = false; // it plays the episode again, and fails again if it must
            }
        }
    }

    private void take() {
        Outcome former = outcome;
        outcome = received;
        received = former;
    }

    @Override
    public void leftBounds(Supplier<String> message) {
        maker.leftBounds(message);
    }

    /** Restarts Python's environment after a failure, if one more failure is allowed. */
    private void requireSurvival(IllegalStateException e) {
        isMade = false;
        isThere = false;
        String where = ", step " + (log.steps() + 1) + " of the episode of seed " + log.seed() + ": ";
        if (!maker.survives(name() + (isRunning ? where : ", reset with seed " + log.seed() + ": ") + e.getMessage())) {
            throw e;
        }
    }

    @Override
    public void receive(PythonWorker from) {
        try {
            from.begin();
            received.receive(from);
        } catch (IllegalStateException e) {
            failure = e;
        }
    }

    private PythonWorker there() {
        if (worker == null) {
            throw new IllegalStateException(name() + ": no episode has begun");
        }
        return worker;
    }

    /** Sees to it that Python has played the episode of the log. */
    private void replay() {
        for (boolean isDone = false; !isDone; ) {
            try {
                replayOnce();
                isDone = true;
            } catch (PythonWorker.LostAnswerException e) { // by the end of another environment
                isThere = false;
            }
        }
    }

    private void replayOnce() {
        PythonWorker to = worker;
        if (to == null || to.isDead()) {
            to = maker.worker(place);
            worker = to;
            number = to.number();
            isMade = false;
            isHeld = false;
            GymnasiumEnvironments.CLEANER.register(this, to.freeing(number));
        }
        synchronized (to) {
            if (!isMade) {
                maker.request(to, isDrawn ? 'P' : 'M', number);
                to.ask();
                isMade = true;
                isHeld = true;
                isThere = false;
            }
            if (!isThere) {
                log.replay(to, number, received);
                isThere = true;
            }
        }
    }

    @Override
    public void observe(float[] into, int at) {
        outcome.observe(into, at);
    }

    @Override
    public boolean masks() {
        return outcome.masks();
    }

    @Override
    public void mask(float[] into, int at) {
        outcome.mask(into, at);
    }

    @Override
    public double reward() {
        return outcome.reward();
    }

    @Override
    public boolean terminated() {
        return outcome.terminated();
    }

    @Override
    public boolean truncated() {
        return outcome.truncated();
    }

    @Override
    public void draw(Graphics2D graphics, int width, int height) {
        withdraw();
        if (!isDrawn) {
            isDrawn = true;
            isMade = false;
        }
        replay();
        RenderedPicture picture;
        PythonWorker from = there();
        synchronized (from) {
            picture = from.request('V', number).ask(RenderedPicture::receive);
        }
        picture.draw(graphics, width, height);
    }

    @Override
    public void close() {
        withdraw();
        PythonWorker from = worker;
        boolean wasHeld = isHeld;
        isHeld = false;
        isMade = false;
        isThere = false;
        isRunning = false;
        if (wasHeld && from != null && !from.isDead()) {
            synchronized (from) {
                from.request('C', number).ask();
            }
        }
    }

    @Override
    public State save() {
        withdraw();
        State state =
                log.save(outcome.save(State.empty().with("environment", name()).with("running", isRunning ? 1 : 0)));
        return random == null ? state : state.with("random", random.save());
    }

    /**
     * {@inheritDoc}
     *
     * @throws IllegalArgumentException also if Python, playing the saved episode again, comes to another observation: such an
     *     environment depends on more than its seed and actions
     */
    @Override
    public void restore(State state) {
        if (!state.text("environment").equals(name())) {
            throw new IllegalArgumentException(
                    name() + ": the saved state is of another environment, " + state.text("environment"));
        }
        State before = save();
        try {
            read(state);
            if (isRunning) {
                replay();
                requireSame();
            }
        } catch (RuntimeException e) {
            read(before);
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    private void read(State state) {
        Pcg64 saved = state.has("random") ? Pcg64.of(state.state("random")) : null;
        boolean wasRunning = state.whole("running") == 1;
        log.restore(state, name());
        outcome.restore(state);
        random = saved;
        isRunning = wasRunning;
        isThere = false;
    }

    private void requireSame() {
        if (!outcome.isSame(received)) {
            throw new IllegalArgumentException(name()
                    + ": its saved episode, played again from its seed and " + log.steps()
                    + " actions, went another way. It depends on more than these, so it cannot be continued");
        }
    }

    @Override
    public String toString() {
        return name();
    }
}
