package hocket.rl.envs.gymnasium;

import hocket.rl.envs.BoundsListener;
import hocket.rl.envs.games.MultiAgentEnvironment;
import hocket.rl.random.Pcg64;
import hocket.rl.spaces.Space;
import hocket.schedulers.state.State;
import java.awt.Graphics2D;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;

/**
 * An environment of PettingZoo. Its observations in the protocol hold, for each agent, whether it acts next, its last reward,
 * whether it has terminated, the mask of its actions and its observation. Random draws are Python's, from the seed of the episode;
 * rewards are rounded to float32.
 */
final class PettingZooGame implements MultiAgentEnvironment, BoundsListener {
    private static final int ACTS = 0;
    private static final int REWARD = 1;
    private static final int TERMINATED = 2;
    private static final int MASK = 3;

    /**
     * An agent.
     *
     * @param mask the numbers of the mask of its actions; 0 for none
     */
    record Agent(String name, Space observations, Space actions, int mask) {
        int width() {
            return MASK + mask + observations.width();
        }
    }

    private final GymnasiumEnvironment all;
    private final List<Agent> agents;
    private final int[] places;
    private final float[] seen;
    private final float[] chosen;
    private boolean isRunning;

    PettingZooGame(GymnasiumEnvironment all, List<Agent> agents) {
        this.all = all;
        this.agents = List.copyOf(agents);
        places = new int[agents.size()];
        for (int i = 1; i < places.length; i++) {
            places[i] = places[i - 1] + agents.get(i - 1).width();
        }
        seen = new float[all.observations().width()];
        chosen = new float[all.actions().width()];
    }

    @Override
    public String name() {
        return all.name();
    }

    @Override
    public List<String> agents() {
        return agents.stream().map(Agent::name).toList();
    }

    @Override
    public Space observations(int agent) {
        return agents.get(agent).observations();
    }

    @Override
    public Space actions(int agent) {
        return agents.get(agent).actions();
    }

    @Override
    public void reset(Pcg64 random) {
        all.reset(random);
        look();
    }

    private void look() {
        all.observe(seen, 0);
        isRunning = !all.terminated() && !all.truncated();
    }

    @Override
    public boolean acts(int agent) {
        return isRunning && seen[places[agent] + ACTS] != 0;
    }

    @Override
    public void step(float[][] actions, Pcg64 random) {
        int at = 0;
        for (int agent = 0; agent < actions.length; agent++) {
            Space space = actions(agent);
            if (!acts(agent)) {
                Arrays.fill(chosen, at, at + space.width(), 0);
            } else if (space.contains(actions[agent], 0)) {
                System.arraycopy(actions[agent], 0, chosen, at, space.width());
            } else {
                throw new IllegalArgumentException(name() + ": an action of "
                        + agents.get(agent).name() + " must be of " + space + ", was " + space.text(actions[agent], 0));
            }
            at += space.width();
        }
        all.step(chosen, 0);
        look();
        if (all.isLost()) {
            for (int place : places) {
                seen[place + REWARD] = 0; // it was paid at the step before
            }
        }
    }

    @Override
    public void observe(int agent, float[] into, int at) {
        Agent of = agents.get(agent);
        System.arraycopy(
                seen,
                places[agent] + MASK + of.mask(),
                into,
                at,
                of.observations().width());
    }

    @Override
    public double reward(int agent) {
        return seen[places[agent] + REWARD];
    }

    @Override
    public boolean terminated() {
        return all.terminated();
    }

    @Override
    public boolean terminated(int agent) {
        return !isRunning && seen[places[agent] + TERMINATED] != 0;
    }

    @Override
    public boolean truncated() {
        return all.truncated();
    }

    @Override
    public boolean masks() {
        return agents.stream().anyMatch(agent -> agent.mask() > 0);
    }

    @Override
    public void mask(int agent, float[] into, int at) {
        if (agents.get(agent).mask() == 0) {
            MultiAgentEnvironment.super.mask(agent, into, at);
        } else {
            System.arraycopy(
                    seen, places[agent] + MASK, into, at, agents.get(agent).mask());
        }
    }

    @Override
    public String text() {
        StringBuilder text = new StringBuilder(name());
        for (int agent = 0; agent < places.length; agent++) {
            text.append('\n')
                    .append(agents.get(agent).name())
                    .append(": reward ")
                    .append(reward(agent))
                    .append(acts(agent) ? ", acts next" : "");
        }
        return text.toString();
    }

    @Override
    public void draw(Graphics2D graphics, int width, int height) {
        all.draw(graphics, width, height);
    }

    @Override
    public void leftBounds(Supplier<String> message) {
        all.leftBounds(message);
    }

    @Override
    public void close() {
        all.close();
    }

    @Override
    public State save() {
        return all.save();
    }

    @Override
    public void restore(State state) {
        all.restore(state);
        look();
    }
}
