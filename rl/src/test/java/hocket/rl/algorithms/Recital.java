package hocket.rl.algorithms;

import hocket.rl.actors.Expert;
import hocket.rl.envs.EpisodicEnvironment;
import hocket.rl.spaces.Discrete;
import hocket.schedulers.state.State;

/**
 * An environment of sixteen notes, each with its key among four; a right key gives a reward of 1. Longer episodes earn
 * nothing.
 */
final class Recital extends EpisodicEnvironment {
    static final int NOTES = 16;
    static final int LENGTH = 16;

    private int note;
    private int played;

    Recital() {
        super("Recital", new Discrete(NOTES), new Discrete(4));
    }

    /** An expert that knows the keys; it observes the note one-hot encoded. */
    static Expert pianist() {
        return (seen, random, action) -> {
            for (int i = 0; i < NOTES; i++) {
                if (seen[i] == 1) {
                    action[0] = key(i);
                }
            }
        };
    }

    private static int key(int note) {
        return (3 * note + note / 4) % 4;
    }

    @Override
    protected void begin() {
        note = (int) random().integers(0, NOTES);
        played = 0;
    }

    @Override
    protected void act(float[] action, int at) {
        boolean right = action[at] == key(note);
        note = (int) random().integers(0, NOTES);
        played++;
        outcome(right ? 1 : 0, played == LENGTH);
    }

    @Override
    public void observe(float[] into, int at) {
        into[at] = note;
    }

    @Override
    protected State saveOwnState() {
        return State.empty().with("note", note).with("played", played);
    }

    @Override
    protected void restoreOwnState(State state) {
        note = (int) state.whole("note");
        played = (int) state.whole("played");
    }
}
