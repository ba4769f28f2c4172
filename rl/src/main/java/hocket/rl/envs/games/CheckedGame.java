package hocket.rl.envs.games;

import hocket.rl.envs.EnvironmentChecks;
import hocket.rl.random.Pcg64;
import hocket.rl.spaces.Space;
import hocket.schedulers.settings.NonNull;
import hocket.schedulers.settings.UserCodeFailure;
import hocket.schedulers.state.State;
import java.awt.Graphics2D;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;

/**
 * A game that is checked while it is played, as {@link hocket.rl.envs.CheckedEnvironment} checks an environment: what acting
 * agents observe and may do, all rewards, that somebody acts, and exceptions of its class. The messages name the game, the episode,
 * the step and the agent.
 */
final class CheckedGame implements MultiAgentEnvironment {
    private final MultiAgentEnvironment inner;
    private final String name;
    private final List<String> agents;
    private final List<Space> observations = new ArrayList<>();
    private final List<Space> actions = new ArrayList<>();
    private final List<Supplier<String>> places = new ArrayList<>();
    private final float[][] seen;
    private final float[][] allowed;
    private long episode;
    private long step;

    private CheckedGame(MultiAgentEnvironment inner) {
        this.inner = inner;
        name = NonNull.by(inner, "name()", inner.name());
        agents = List.copyOf(NonNull.by(inner, "agents()", inner.agents()));
        if (agents.isEmpty()) {
            throw new IllegalArgumentException(name + ": a game must have an agent, agents() was empty");
        }
        seen = new float[agents.size()][];
        allowed = new float[agents.size()][];
        for (int agent = 0; agent < seen.length; agent++) {
            observations.add(NonNull.by(inner, "observations(" + agent + ")", inner.observations(agent)));
            actions.add(NonNull.by(inner, "actions(" + agent + ")", inner.actions(agent)));
            String who = agents.get(agent);
            places.add(() -> where() + ", agent " + who);
            seen[agent] = new float[observations.get(agent).width()];
            allowed[agent] = new float[actions.get(agent).maskWidth()];
        }
    }

    /** Wraps a game in this check, unless it is of a class of Hocket's own. */
    static MultiAgentEnvironment unlessBuiltIn(MultiAgentEnvironment game) {
        return EnvironmentChecks.isBuiltIn(game.getClass()) ? game : new CheckedGame(game);
    }

    private String where() {
        return name + ", episode " + episode + ", step " + step;
    }

    private <T> T placed(Supplier<T> call) {
        try {
            return call.get();
        } catch (Throwable e) {
            throw EnvironmentChecks.placed(where(), inner.getClass(), e);
        }
    }

    private void placed(Runnable call) {
        placed(() -> {
            call.run();
            return true;
        });
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public List<String> agents() {
        return agents;
    }

    @Override
    public Space observations(int agent) {
        return observations.get(agent);
    }

    @Override
    public Space actions(int agent) {
        return actions.get(agent);
    }

    @Override
    public void reset(Pcg64 random) {
        episode++;
        step = 0;
        placed(() -> inner.reset(random));
        check();
    }

    @Override
    public void step(float[][] chosen, Pcg64 random) {
        step++;
        try {
            placed(() -> inner.step(chosen, random));
        } catch (Throwable e) {
            step--; // it was not taken
            throw e;
        }
        for (int agent = 0; agent < seen.length; agent++) {
            EnvironmentChecks.requireReward(places.get(agent), reward(agent));
        }
        check();
    }

    private void check() {
        if (terminated() || truncated()) {
            return;
        }
        boolean isPlayed = false;
        for (int agent = 0; agent < seen.length; agent++) {
            if (acts(agent)) {
                isPlayed = true;
                check(agent);
            }
        }
        if (!isPlayed) {
            throw new IllegalStateException(
                    where() + ": an agent must act in an unfinished episode, acts was false for all of " + agents);
        }
    }

    private void check(int agent) {
        Arrays.fill(seen[agent], EnvironmentChecks.unwritten());
        observe(agent, seen[agent], 0);
        EnvironmentChecks.requireObservation(places.get(agent), inner, observations.get(agent), seen[agent]);
        if (masks()) {
            Arrays.fill(allowed[agent], EnvironmentChecks.unwritten());
            mask(agent, allowed[agent], 0);
            EnvironmentChecks.requireMask(places.get(agent), actions.get(agent), allowed[agent]);
        }
    }

    @Override
    public boolean acts(int agent) {
        return placed(() -> inner.acts(agent));
    }

    @Override
    public void observe(int agent, float[] into, int at) {
        placed(() -> inner.observe(agent, into, at));
    }

    @Override
    public double reward(int agent) {
        return placed(() -> inner.reward(agent));
    }

    @Override
    public boolean terminated() {
        return placed(() -> inner.terminated());
    }

    @Override
    public boolean terminated(int agent) {
        return placed(() -> inner.terminated(agent));
    }

    @Override
    public boolean truncated() {
        return placed(() -> inner.truncated());
    }

    @Override
    public boolean masks() {
        return placed(inner::masks);
    }

    @Override
    public void mask(int agent, float[] into, int at) {
        placed(() -> inner.mask(agent, into, at));
    }

    @Override
    public String text() {
        return placed(inner::text);
    }

    @Override
    public void draw(Graphics2D graphics, int width, int height) {
        placed(() -> inner.draw(graphics, width, height));
    }

    @Override
    public void close() {
        placed((Runnable) inner::close);
    }

    @Override
    public State save() {
        return State.empty().with("episode", episode).with("step", step).with("game", placed(inner::save));
    }

    /** @throws IllegalArgumentException also if its class throws, naming the episode and step of the saved state */
    @Override
    public void restore(State state) {
        long savedEpisode = state.whole("episode");
        long savedStep = state.whole("step");
        try {
            inner.restore(state.state("game"));
        } catch (Throwable e) {
            throw UserCodeFailure.restoring(name + ", episode " + savedEpisode + ", step " + savedStep, inner, e);
        }
        episode = savedEpisode;
        step = savedStep;
    }
}
