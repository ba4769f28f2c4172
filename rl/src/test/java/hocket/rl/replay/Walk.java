package hocket.rl.replay;

import hocket.rl.envs.Environment;
import hocket.rl.envs.EpisodicEnvironment;
import hocket.rl.envs.wrappers.TimeLimit;
import hocket.rl.spaces.Box;
import hocket.rl.spaces.Discrete;
import hocket.schedulers.state.State;

/**
 * An environment that walks right and rewards the new place. It terminates at 3 and is truncated after two steps.
 * Episodes begin at 0 and at 2 in turn: 0, 1, 2 (truncated); 2, 3 (terminated); 0, 1, 2 …
 */
final class Walk extends EpisodicEnvironment {
    private int position;
    private int episodes;

    private Walk(int episodes) {
        super("Walk", Box.of(1, 0, 3), new Discrete(2));
        this.episodes = episodes;
    }

    static Environment limited() {
        return limited(0);
    }

    /** @param episodes 1 if the first episode begins at 2 */
    static Environment limited(int episodes) {
        return new TimeLimit(new Walk(episodes), 2);
    }

    @Override
    protected void begin() {
        position = episodes % 2 == 0 ? 0 : 2;
        episodes++;
    }

    @Override
    protected void act(float[] action, int at) {
        position++;
        outcome(position, position == 3);
    }

    @Override
    public void observe(float[] into, int at) {
        into[at] = position;
    }

    @Override
    protected State saveOwnState() {
        return State.empty().with("position", position).with("episodes", episodes);
    }

    @Override
    protected void restoreOwnState(State state) {
        position = (int) state.whole("position");
        episodes = (int) state.whole("episodes");
    }
}
