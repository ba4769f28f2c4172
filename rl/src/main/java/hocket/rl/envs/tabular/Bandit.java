package hocket.rl.envs.tabular;

import hocket.rl.envs.EpisodicEnvironment;
import hocket.rl.envs.StateArrays;
import hocket.rl.spaces.Discrete;
import hocket.schedulers.state.State;
import java.util.Locale;

/**
 * A multi-armed bandit whose arms have means drawn from N(0, 1) at the start of an episode (Sutton and Barto, section
 * 2.3). The observation is always 0. Reward: the arm's mean plus a draw from N(0, 1). It never terminates.
 */
public final class Bandit extends EpisodicEnvironment {
    private final double[] means;

    /** @throws IllegalArgumentException if arms is below 1 */
    public Bandit(int arms) {
        super("Bandit-v0", new Discrete(1), new Discrete(arms));
        means = new double[arms];
    }

    /** The mean reward of an arm in this episode. */
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
    protected State saveOwnState() {
        return State.empty().with("means", StateArrays.tensor(means));
    }

    @Override
    protected void restoreOwnState(State state) {
        StateArrays.read(state, "means", means);
    }
}
