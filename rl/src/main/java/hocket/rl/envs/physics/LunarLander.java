package hocket.rl.envs.physics;

import hocket.rl.envs.EpisodicEnvironment;
import hocket.rl.envs.StateArrays;
import hocket.rl.random.Pcg64;
import hocket.rl.spaces.Box;
import hocket.rl.spaces.Discrete;
import hocket.rl.spaces.Space;
import hocket.schedulers.state.State;
import java.awt.Graphics2D;
import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The task of landing a rocket on a pad by three engines: Gymnasium's {@code LunarLander-v3} and {@code
 * LunarLanderContinuous-v3}, with the rigid bodies of dyn4j in place of Box2D's.
 *
 * <p>Observation: position (x, y) from the pad in halves of the picture, velocity, angle, angular velocity, and for each leg
 * whether it touches the ground (0 or 1). Actions: nothing, the left engine, the main engine, the right engine; continuous:
 * main and side, each in [-1, 1] and clipped to that. The main engine burns above 0 with power (1 + main) / 2, a side engine
 * where |side| is above 0.5, with power |side|. Each engine's direction and place are perturbed at random.
 *
 * <pre>
 * shaping = -100 |(x, y)| - 100 |(x', y')| - 100 |angle| + 10 for each leg that touches the ground
 * reward  = the change of shaping - 0.3 power of main - 0.03 power of side
 * </pre>
 *
 * The episode terminates with reward -100 where the hull touches the ground or |x| reaches 1, and with 100 where the lander lies
 * still for half a second.
 *
 * <p>A seed draws the ground, the first push and the perturbations that it draws in Gymnasium; trajectories differ by single
 * precision, which Box2D computes in, until something touches the ground, and agree in distribution afterwards. The saved state
 * is the generator at the start of the episode and the actions since, which {@link #restore} repeats, because dyn4j keeps
 * impulses that cannot be read. A step allocates memory, unlike those of other environments.
 */
public final class LunarLander extends EpisodicEnvironment {
    private static final int ACTIONS = 4;
    private static final int LEFT = 1;
    private static final int MAIN = 2;
    private static final double LEAST_SIDE = 0.5;

    private final boolean continuous;
    private final LunarWeather weather;
    private @Nullable LunarFlight flight;
    private @Nullable State start;
    private float[] taken = new float[256];
    private int steps;

    /**
     * @param name its name in the registry
     * @param continuous whether engines are throttled, or only on or off
     */
    public LunarLander(String name, boolean continuous, LunarWeather weather) {
        super(name, observed(), continuous ? Box.symmetric(1, 1) : new Discrete(ACTIONS));
        this.continuous = continuous;
        this.weather = weather;
    }

    private static Space observed() {
        float turn = (float) (2 * Math.PI);
        return new Box(
                new float[] {-2.5f, -2.5f, -10, -10, -turn, -10, -0f, -0f},
                new float[] {2.5f, 2.5f, 10, 10, turn, 10, 1, 1});
    }

    @Override
    protected void begin() {
        start = random().save();
        steps = 0;
        flight = new LunarFlight(weather, random());
    }

    @Override
    protected void act(float[] action, int at) {
        int width = actions().width();
        if ((steps + 1) * width > taken.length) {
            taken = Arrays.copyOf(taken, 2 * taken.length);
        }
        System.arraycopy(action, at, taken, steps * width, width);
        steps++;
        LunarFlight now = flight();
        take(now, random(), action, at);
        outcome(now.reward(), now.isOver());
    }

    private LunarFlight flight() {
        if (flight == null) {
            throw new IllegalStateException(name() + ": no episode has begun");
        }
        return flight;
    }

    private void take(LunarFlight flight, Pcg64 random, float[] action, int at) {
        if (continuous) {
            double main = Math.min(Math.max(action[at], -1), 1);
            double side = Math.min(Math.max(action[at + 1], -1), 1);
            flight.step(random, main > 0 ? (main + 1) / 2 : 0, Math.abs(side) > LEAST_SIDE ? side : 0);
        } else {
            int chosen = (int) action[at];
            flight.step(random, chosen == MAIN ? 1 : 0, chosen == 0 || chosen == MAIN ? 0 : chosen == LEFT ? -1 : 1);
        }
    }

    @Override
    public void observe(float[] into, int at) {
        for (int i = 0; i < LunarFlight.OBSERVED; i++) {
            into[at + i] = flight == null ? 0 : (float) flight.observed[i];
        }
    }

    @Override
    public String text() {
        if (flight == null) {
            return name() + ": no episode has begun";
        }
        double[] seen = flight.observed;
        return String.format(
                Locale.ROOT,
                "at (%.3f, %.3f), velocity (%.3f, %.3f), angle %.1f°, spin %.3f, legs %s %s, main %.2f, side %.2f",
                seen[0],
                seen[1],
                seen[2],
                seen[3],
                Math.toDegrees(seen[4]),
                seen[5],
                seen[6] > 0 ? "down" : "up",
                seen[7] > 0 ? "down" : "up",
                flight.main(),
                flight.side());
    }

    @Override
    public void draw(Graphics2D graphics, int width, int height) {
        if (flight == null) {
            super.draw(graphics, width, height);
        } else {
            LunarPicture.draw(flight, graphics, width, height);
        }
    }

    @Override
    protected State saveOwnState() {
        State state = State.empty().with("steps", steps);
        if (start == null) {
            return state;
        }
        state = state.with("start", start);
        int numbers = steps * actions().width();
        return numbers == 0 ? state : state.with("actions", StateArrays.tensor(Arrays.copyOf(taken, numbers)));
    }

    /** Repeats the episode up to the saved step. */
    @Override
    protected void restoreOwnState(State state) {
        int savedSteps = (int) state.whole("steps");
        if (!state.has("start")) {
            flight = null;
            start = null;
            steps = 0;
            return;
        }
        int width = actions().width();
        float[] savedActions =
                savedSteps == 0 ? new float[0] : StateArrays.floats(state, "actions", savedSteps * width);
        State savedStart = state.state("start");
        Pcg64 random = Pcg64.of(savedStart);
        LunarFlight repeated = new LunarFlight(weather, random);
        for (int step = 0; step < savedSteps; step++) {
            take(repeated, random, savedActions, step * width);
        }
        flight = repeated;
        start = savedStart;
        steps = savedSteps;
        taken = Arrays.copyOf(savedActions, Math.max(taken.length, savedActions.length));
    }
}
