package hocket.rl.envs;

/** Thrown when a step of an {@link EpisodicEnvironment} did not report its outcome. */
final class MissingOutcomeException extends IllegalStateException {
    /** @param where the environment's name, and the step where it is known */
    MissingOutcomeException(String where) {
        super(where + ": act must call outcome(reward, terminated) in every step, did not");
    }
}
