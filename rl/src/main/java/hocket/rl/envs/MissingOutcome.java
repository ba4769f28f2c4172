package hocket.rl.envs;

/** A step of a world that did not say what it came to. */
final class MissingOutcome extends IllegalStateException {
    private static final long serialVersionUID = 1;

    /** @param where the world, and the step as far as that is known */
    MissingOutcome(String where) {
        super(where + ": act must call outcome(reward, terminated) in every step, did not");
    }
}
