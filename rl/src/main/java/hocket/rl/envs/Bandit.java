package hocket.rl.envs;

import hocket.schedulers.State;
import java.util.Locale;

/**
 * Arms to choose among, each with a mean that is drawn from N(0, 1) when an episode begins (Sutton and Barto, section
 * 2.3). Observed is always 0. Reward: the arm's mean plus a draw from N(0, 1). It never terminates.
 */
public final class Bandit extends Episodic {
    private final double[] means;

    /** @throws IllegalArgumentException if there is no arm */
    public Bandit(int arms) {
        super("Bandit-v0", new Discrete(1), new Discrete(arms));
        means = new double[arms];
    }

    /** An arm's mean in this episode. */
    public double mean(int arm) {
        return means[arm];
    }

    @Override
    protected void begin() {
        for (int arm = 0; arm < means.length; arm++) {
            means[arm] = random().standardNormal();
        }
    }

    @Override
    protected void act(float[] action, int at) {
        outcome(means[(int) action[at]] + random().standardNormal(), false);
    }

    @Override
    public void observe(float[] into, int at) {
        into[at] = 0;
    }

    @Override
    public String text() {
        StringBuilder text = new StringBuilder();
        for (int arm = 0; arm < means.length; arm++) {
            text.append(String.format(Locale.ROOT, "arm %d pays %.3f\n", arm, means[arm]));
        }
        return text.append(String.format(Locale.ROOT, "paid %.3f", reward())).toString();
    }

    @Override
    protected State saveWorld() {
        return State.empty().with("means", Points.saved(means));
    }

    @Override
    protected void restoreWorld(State state) {
        Points.restore(state, "means", means);
    }
}
