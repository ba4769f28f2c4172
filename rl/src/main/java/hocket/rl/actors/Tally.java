package hocket.rl.actors;

import hocket.schedulers.Run;
import hocket.schedulers.State;
import hocket.schedulers.Stateful;

/** Environment steps that were taken, and the mean return and length of the last hundred episodes. */
public final class Tally implements Stateful {
    private final Recent returns = new Recent();
    private final Recent lengths = new Recent();
    private long steps;

    /** So many steps more, in all environments together. */
    public void stepped(long more) {
        steps += more;
    }

    /**
     * An episode has ended.
     *
     * @param ret the sum of its rewards as the environment gave them
     * @param length its steps
     */
    public void ended(double ret, double length) {
        returns.add(ret);
        lengths.add(length);
    }

    /** Steps in all. */
    public long steps() {
        return steps;
    }

    /** Reports {@code steps}, and once an episode has ended {@code episode_return} and {@code episode_length}. */
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
