package hocket.rl.algorithms;

import hocket.rl.envs.EpisodicEnvironment;
import hocket.rl.spaces.Box;
import hocket.rl.spaces.MultiDiscrete;
import hocket.rl.spaces.Space;
import hocket.schedulers.state.State;
import java.util.Arrays;

/**
 * Shows two numbers, 0 or 1, in each of five steps; each action number that is the number shown gives a reward of 0.1. The
 * best return is 1. A strict one forbids some of the other numbers in each step, and throws if they are taken.
 */
final class Lamps extends EpisodicEnvironment {
    private static final int LENGTH = 5;
    private final int[] shown = new int[2];
    private final boolean isStrict;
    private final float[] mask;
    private int at;

    /** Makes one with actions of two numbers. */
    Lamps(Space actions) {
        this(actions, false);
    }

    private Lamps(Space actions, boolean isStrict) {
        super("Lamps", Box.of(2, 0, 1), actions);
        this.isStrict = isStrict;
        mask = new float[isStrict ? actions.maskWidth() : 0];
    }

    /** Makes one that forbids actions of two numbers. */
    static Lamps strict(MultiDiscrete actions) {
        return new Lamps(actions, true);
    }

    @Override
    public boolean masks() {
        return isStrict;
    }

    @Override
    public void mask(float[] into, int index) {
        System.arraycopy(mask, 0, into, index, mask.length);
    }

    @Override
    protected void begin() {
        at = 0;
        show();
    }

    private void show() {
        for (int i = 0; i < shown.length; i++) {
            shown[i] = (int) random().integers(0, 2);
        }
        for (int i = 0; i < mask.length; i++) {
            boolean isShown = i == shown[0] || i == second() + shown[1];
            mask[i] = isShown ? 1 : random().integers(0, 2);
        }
    }

    /** The index in the mask of the second choice. */
    private int second() {
        return ((MultiDiscrete) actions()).counts().get(0);
    }

    @Override
    protected void act(float[] action, int index) {
        if (isStrict && mask[(int) action[index]] * mask[second() + (int) action[index + 1]] == 0) {
            throw new IllegalStateException("it is forbidden");
        }
        int same = (action[index] == shown[0] ? 1 : 0) + (action[index + 1] == shown[1] ? 1 : 0);
        show();
        outcome(0.1 * same, ++at == LENGTH);
    }

    @Override
    public void observe(float[] into, int index) {
        into[index] = shown[0];
        into[index + 1] = shown[1];
    }

    @Override
    protected State saveOwnState() {
        return State.empty()
                .with("first", shown[0])
                .with("second", shown[1])
                .with("at", at)
                .with("mask", Arrays.toString(mask));
    }

    @Override
    protected void restoreOwnState(State state) {
        shown[0] = (int) state.whole("first");
        shown[1] = (int) state.whole("second");
        at = (int) state.whole("at");
        String[] numbers = state.text("mask").replaceAll("[\\[\\] ]", "").split(",");
        for (int i = 0; i < mask.length; i++) {
            mask[i] = Float.parseFloat(numbers[i]);
        }
    }
}
