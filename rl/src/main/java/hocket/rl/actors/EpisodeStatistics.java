package hocket.rl.actors;

import hocket.schedulers.Run;
import hocket.schedulers.state.State;
import hocket.schedulers.state.Stateful;

/** Counts environment steps and keeps the mean return and length of the last hundred episodes. */
public final class EpisodeStatistics implements Stateful {
    private final RecentMean returns = new RecentMean();
    private final RecentMean lengths = new RecentMean();
    private long steps;

    /** Adds steps, of all environments together. */
    public void addSteps(long more) {
        steps += more;
    }

    /**
     * Adds an episode that has ended.
     *
     * @param ret the sum of its rewards as the environment gave them
     * @param length the number of its steps
     */
    public void addEpisode(double ret, double length) {
        returns.add(ret);
        lengths.add(length);
    }

    /** The number of steps of all environments together. */
    public long steps() {
        return steps;
    }

    /** Reports {@code steps} and, once an episode has ended, {@code episode_return} and {@code episode_length}. */
    public void report(Run run) {
        run.report("steps", steps);
        if (!returns.isEmpty()) {
            run.report("episode_return", returns.mean());
            run.report("episode_length", lengths.mean());
        }
    }

    @Override
    public State save() {
        return State.empty()
                .with("steps", steps)
                .with("returns", returns.save())
                .with("lengths", lengths.save());
    }

    @Override
    public void restore(State state) {
        returns.restore(state.state("returns"));
        lengths.restore(state.state("lengths"));
        steps = state.whole("steps");
    }
}
