package hocket.rl.envs.gymnasium;

import hocket.rl.envs.BoundsListener;
import hocket.rl.envs.Environment;
import hocket.rl.envs.StateArrays;
import hocket.rl.random.Pcg64;
import hocket.rl.spaces.Box;
import hocket.rl.spaces.Space;
import hocket.schedulers.state.State;
import hocket.scopes.Shape;
import hocket.scopes.Tensor;
import java.awt.Graphics2D;
import java.awt.image.BufferedImage;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.OptionalInt;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** An environment in a process of Python, with the seed and the actions of its episode, from which Python plays it again. */
final class GymnasiumEnvironment implements Environment, BoundsListener, PythonWorker.Receiver {
    /** The steps of an episode that are played again before Python must answer. */
    private static final int AT_ONCE = 16;

    private static final int TERMINATED = 1;
    private static final int TRUNCATED = 2;
    private static final int MOST_FAILED_STARTS = 3;

    private final GymnasiumEnvironments maker;
    private final int place;
    private final Space observations;
    private final Space actions;
    private final int limit;
    private final int wide;

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
    private int ended;
    private double reward;
    private float[] observation;
    private float[] mask;
    private long seed;
    private float[] log = new float[0];
    private int steps;

    private float[] next;
    private float[] nextMask;
    private double nextReward;
    private int nextEnded;
    private @Nullable IllegalStateException failure;

    GymnasiumEnvironment(GymnasiumEnvironments maker, int place, GymnasiumEnvironments.Description of) {
        this.maker = maker;
        this.place = place;
        observations = of.observations();
        actions = of.actions();
        limit = of.limit();
        wide = actions.width();
        observation = new float[observations.width()];
        next = new float[observations.width()];
        mask = new float[of.mask()];
        nextMask = new float[of.mask()];
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
            seed = random.nextInt() & Integer.MAX_VALUE;
            steps = 0;
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
            throw new IllegalStateException(name() + ": "
                    + (ended == 0 ? "no episode has begun" : "the episode has ended") + ": a step must follow a reset");
        }
        if (!isValid(action, at)) {
            throw new IllegalArgumentException(
                    name() + ": an action must be " + (actions instanceof Box ? "finite, about " : "of ") + actions
                            + ", was " + actions.text(action, at));
        }
        if (isSent && !Arrays.equals(log, (steps - 1) * wide, steps * wide, action, at, at + wide)) {
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
                    steps--;
                }
            }
            take();
        } catch (IllegalStateException e) {
            steps--;
            requireSurvival(e);
            ended = TRUNCATED;
            reward = 0;
            isLost = true;
        }
        isRunning = ended == 0;
    }

    /** Returns whether the last step was lost with its process, so that its observation is that of the step before. */
    boolean isLost() {
        return isLost;
    }

    private boolean isValid(float[] action, int at) {
        if (!(actions instanceof Box)) {
            return actions.contains(action, at);
        }
        for (int i = 0; i < wide; i++) {
            if (!Float.isFinite(action[at + i])) {
                return false;
            }
        }
        return true;
    }

    /** Sends an action, which becomes part of the log. */
    private void send(float[] action, int at) {
        if (log.length < (steps + 1) * wide) {
            log = Arrays.copyOf(log, 2 * (steps + 1) * wide);
        }
        System.arraycopy(action, at, log, steps * wide, wide);
        try {
            replay();
            PythonWorker to = there();
            synchronized (to) {
                to.request('S', number).with(action, at, wide).send(this);
            }
        } catch (IllegalStateException e) {
            failure = e; // for the step that follows
        }
        steps++;
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
            steps--;
            isThere = false;
            try {
                receive();
            } catch (IllegalStateException e) {
                isMade = false; // it plays the episode again, and fails again if it must
            }
        }
    }

    private void take() {
        float[] former = observation;
        observation = next;
        next = former;
        float[] formerMask = mask;
        mask = nextMask;
        nextMask = formerMask;
        reward = nextReward;
        ended = nextEnded;
    }

    @Override
    public void leftBounds(Supplier<String> message) {
        maker.leftBounds(message);
    }

    /** Restarts Python's environment after a failure, if one more failure is allowed. */
    private void requireSurvival(IllegalStateException e) {
        isMade = false;
        isThere = false;
        String where = ", step " + (steps + 1) + " of the episode of seed " + seed + ": ";
        if (!maker.survives(name() + (isRunning ? where : ", reset with seed " + seed + ": ") + e.getMessage())) {
            throw e;
        }
    }

    @Override
    public void receive(PythonWorker from) {
        try {
            from.begin();
            outcome(from);
        } catch (IllegalStateException e) {
            failure = e;
        }
    }

    private boolean outcome(PythonWorker from) {
        ByteBuffer read = from.bytes(next.length * Float.BYTES + Double.BYTES + 1 + nextMask.length);
        for (int i = 0; i < next.length; i++) {
            next[i] = read.getFloat();
        }
        nextReward = read.getDouble();
        nextEnded = read.get();
        for (int i = 0; i < nextMask.length; i++) {
            nextMask[i] = read.get();
        }
        return true;
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
                isMade = to.ask(from -> true);
                isHeld = true;
                isThere = false;
            }
            if (!isThere) {
                to.request('R', number).with(seed);
                to.ask(this::outcome);
                for (int done = 0; done < steps; done += AT_ONCE) {
                    int more = Math.min(AT_ONCE, steps - done);
                    to.request('A', number).with(more).with(log, done * wide, more * wide);
                    to.ask(this::outcome);
                }
                isThere = true;
            }
        }
    }

    @Override
    public void observe(float[] into, int at) {
        System.arraycopy(observation, 0, into, at, observation.length);
    }

    @Override
    public boolean masks() {
        return mask.length > 0;
    }

    @Override
    public void mask(float[] into, int at) {
        System.arraycopy(mask, 0, into, at, mask.length);
    }

    @Override
    public double reward() {
        return reward;
    }

    @Override
    public boolean terminated() {
        return (ended & TERMINATED) != 0;
    }

    @Override
    public boolean truncated() {
        return (ended & TRUNCATED) != 0;
    }

    /** Draws the picture that Python renders, {@code render_mode="rgb_array"}, as large as it fits. */
    @Override
    public void draw(Graphics2D graphics, int width, int height) {
        withdraw();
        if (!isDrawn) {
            isDrawn = true;
            isMade = false;
        }
        replay();
        BufferedImage image;
        PythonWorker from = there();
        synchronized (from) {
            image = from.request('V', number).ask(GymnasiumEnvironment::picture);
        }
        double scale = Math.min((double) width / image.getWidth(), (double) height / image.getHeight());
        int across = (int) (image.getWidth() * scale);
        int down = (int) (image.getHeight() * scale);
        graphics.drawImage(image, (width - across) / 2, (height - down) / 2, across, down, null);
    }

    private static BufferedImage picture(PythonWorker from) {
        int height = from.bytes(Integer.BYTES).getInt();
        int width = from.bytes(Integer.BYTES).getInt();
        ByteBuffer pixels = from.bytes(3 * width * height);
        BufferedImage image = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
        for (int i = 0; i < width * height; i++) {
            int rgb = (pixels.get() & 0xff) << 16 | (pixels.get() & 0xff) << 8 | pixels.get() & 0xff;
            image.setRGB(i % width, i / width, rgb);
        }
        return image;
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
                from.request('C', number).ask(read -> true);
            }
        }
    }

    @Override
    public State save() {
        withdraw();
        State state = State.empty()
                .with("environment", name())
                .with("running", isRunning ? 1 : 0)
                .with("ended", ended)
                .with("reward", reward)
                .with("observation", StateArrays.tensor(observation))
                .with("seed", seed);
        if (steps > 0) {
            state = state.with("actions", Tensor.of(Shape.of(steps, wide), Arrays.copyOf(log, steps * wide)));
        }
        if (mask.length > 0) {
            state = state.with("mask", StateArrays.tensor(mask));
        }
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
        read(state);
        if (isRunning) {
            try {
                replay();
                requireSame();
            } catch (IllegalStateException | IllegalArgumentException e) {
                read(before);
                throw new IllegalArgumentException(e.getMessage(), e);
            }
        }
    }

    private void read(State state) {
        double[] seen = StateArrays.read(state, "observation", observation.length);
        double[] allowed = mask.length > 0 ? StateArrays.read(state, "mask", mask.length) : new double[0];
        float[] taken = state.has("actions") ? state.tensor("actions").floats() : new float[0];
        if (taken.length % wide != 0) {
            throw new IllegalArgumentException(name() + ": the saved actions must have " + wide + " numbers each, are "
                    + taken.length + " numbers");
        }
        Pcg64 saved = state.has("random") ? Pcg64.of(state.state("random")) : null;
        boolean wasRunning = state.whole("running") == 1;
        int wasEnded = Math.toIntExact(state.whole("ended"));
        double wasReward = state.real("reward");
        seed = state.whole("seed");
        steps = taken.length / wide;
        log = taken;
        for (int i = 0; i < seen.length; i++) {
            observation[i] = (float) seen[i];
        }
        for (int i = 0; i < allowed.length; i++) {
            mask[i] = (float) allowed[i];
        }
        random = saved;
        isRunning = wasRunning;
        ended = wasEnded;
        reward = wasReward;
        isThere = false;
    }

    private void requireSame() {
        if (!Arrays.equals(observation, next)
                || !Arrays.equals(mask, nextMask)
                || nextEnded != ended
                || nextReward != reward) {
            throw new IllegalArgumentException(name()
                    + ": its saved episode, played again from its seed and " + steps + " actions, went another way. It"
                    + " depends on more than these, so it cannot be continued");
        }
    }

    @Override
    public String toString() {
        return name();
    }
}
