package hocket.rl.envs.wrappers;

import hocket.rl.envs.Environment;
import hocket.rl.envs.ForwardingEnvironment;
import java.util.Arrays;

/** A wrapper that hides which actions an environment forbids, so that an agent chooses among all. */
public final class Unmasked extends ForwardingEnvironment {
    public Unmasked(Environment inner) {
        super(inner);
    }

    @Override
    public boolean masks() {
        return false;
    }

    @Override
    public void mask(float[] into, int at) {
        Arrays.fill(into, at, at + actions().maskWidth(), 1);
    }
}
