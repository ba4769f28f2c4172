package hocket.rl.envs.gymnasium;

import static org.junit.jupiter.api.Assumptions.abort;

/** What the tests of environments of Python need. */
public final class Gymnasium {
    private Gymnasium() {}

    /** Skips the tests, and says why, where Python has no Gymnasium. */
    public static void require() {
        try {
            new GymnasiumEnvironments("CartPole-v1").versions();
        } catch (IllegalArgumentException e) {
            abort(e.getMessage());
        }
    }
}
