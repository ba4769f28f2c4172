package hocket.rl.envs;

import hocket.rl.random.Pcg64;
import hocket.rl.spaces.Box;
import hocket.rl.spaces.Discrete;
import hocket.rl.spaces.Space;
import hocket.schedulers.state.State;
import org.jspecify.annotations.Nullable;

/** An environment with one mistake. Episodes take six steps; mistakes while stepping happen in the second episode. */
public final class Faulty implements Environment {
    public enum Fault {
        NONE,
        OUTSIDE,
        NAN,
        NAN_REWARD,
        HUGE_REWARD,
        WRITES_PARTLY,
        OTHER_START,
        OTHER_STEPS,
        NEVER_REFUSES,
        STEPS_UNSTARTED,
        TAKES_ANY_ACTION,
        FORGETS_PLACE,
        FORGETS_GENERATOR,
        SAVES_SOMETHING_ELSE,
        WRITES_BEYOND,
        MOVES_WHEN_SEEN,
        CHANGES_THE_ACTION,
        READS_THE_FIRST_ACTION,
        ENDED_AT_RESET,
        REWARD_AT_RESET,
        OTHER_SPACE,
        FAILS_AT_THE_END,
        THROWS,
        ASSERTS,
        OVERFLOWS
    }

    private static int everMade;

    private final Fault fault;
    private final int number = everMade++;
    private @Nullable Pcg64 random;
    private boolean running;
    private int episode;
    private double place;
    private int step;
    private double reward;

    public Faulty(Fault fault) {
        this.fault = fault;
    }

    private boolean has(Fault one) {
        return fault == one;
    }

    @Override
    public String name() {
        return "Faulty";
    }

    @Override
    public Space observations() {
        return Box.of(2, 0, has(Fault.OTHER_SPACE) ? 50 + number : 50);
    }

    @Override
    public Space actions() {
        return new Discrete(2);
    }

    @Override
    public void reset(Pcg64 generator) {
        random = generator;
        reset();
    }

    @Override
    public void reset() {
        running = true;
        step = 0;
        episode++;
        reward = has(Fault.REWARD_AT_RESET) ? 1 : 0;
        place = random().random() + (has(Fault.OTHER_START) ? number % 2 : 0);
    }

    private Pcg64 random() {
        if (random == null) {
            throw new IllegalStateException("no generator");
        }
        return random;
    }

    @Override
    public void step(float[] action, int at) {
        if (!has(Fault.STEPS_UNSTARTED) && random == null || !running && random != null && !has(Fault.NEVER_REFUSES)) {
            if (has(Fault.FAILS_AT_THE_END) && random != null) {
                throw new UnsupportedOperationException("nothing here");
            }
            throw new IllegalStateException("no episode");
        }
        if (!has(Fault.TAKES_ANY_ACTION) && !actions().contains(action, at)) {
            throw new IllegalArgumentException("no action");
        }
        if (random == null) {
            return;
        }
        step++;
        place += random.random() + (has(Fault.OTHER_STEPS) ? number % 3 : 0); // three that are made in a row differ
        place += has(Fault.READS_THE_FIRST_ACTION) ? action[0] : 0;
        reward = has(Fault.NAN_REWARD) && wrong() ? Double.NaN : has(Fault.HUGE_REWARD) && wrong() ? 1e39 : place;
        running = step < 6;
        if (has(Fault.CHANGES_THE_ACTION)) {
            action[at] = 1 - action[at];
        }
        if (has(Fault.THROWS) && step == 2) {
            throw new UnsupportedOperationException("not yet");
        }
        if (has(Fault.ASSERTS) && step == 2) {
            throw new AssertionError("too far");
        }
        if (has(Fault.OVERFLOWS)) {
            throw new StackOverflowError();
        }
    }

    private boolean wrong() {
        return episode > 1 && step == 2;
    }

    @Override
    public void observe(float[] into, int at) {
        into[at] = has(Fault.OUTSIDE) && wrong() ? 70 : has(Fault.NAN) && wrong() ? Float.NaN : (float) place;
        if (!has(Fault.WRITES_PARTLY) || !wrong()) {
            into[at + 1] = step;
        }
        if (has(Fault.WRITES_BEYOND)) {
            into[at + 2] = 0;
        }
        if (has(Fault.MOVES_WHEN_SEEN)) {
            place += 0.125;
        }
    }

    @Override
    public double reward() {
        return reward;
    }

    @Override
    public boolean terminated() {
        return has(Fault.ENDED_AT_RESET) && step == 0 && random != null && episode == 1 || step == 6;
    }

    @Override
    public State save() {
        State state = State.empty()
                .with("running", running ? 1 : 0)
                .with("episode", episode)
                .with("place", has(Fault.FORGETS_PLACE) ? 0.5 : place)
                .with("step", step)
                .with("reward", reward);
        if (has(Fault.SAVES_SOMETHING_ELSE)) {
            state = state.with("number", number);
        }
        return random == null || has(Fault.FORGETS_GENERATOR) ? state : state.with("random", random.save());
    }

    @Override
    public void restore(State state) {
        random = state.has("random") ? Pcg64.of(state.state("random")) : Pcg64.of(99);
        running = state.whole("running") != 0;
        episode = (int) state.whole("episode");
        place = state.real("place");
        step = (int) state.whole("step");
        reward = state.real("reward");
    }
}
