package hocket.schedulers.runs;

import hocket.schedulers.settings.UserClassException;

/** A part of an experiment contradicts another or itself, so that the run would be certain to fail. */
public final class IncompatibleSetupException extends IllegalArgumentException {
    private final String key;

    public IncompatibleSetupException(String key, String rule) {
        super(rule);
        this.key = key;
    }

    public IncompatibleSetupException(String key, String rule, Throwable cause) {
        super(rule, cause);
        this.key = key;
    }

    /**
     * The key of the part: {@code phases/0/plan} for the plan of the first phase, {@code turns/d}, {@code
     * turns/d/updates/} or {@code turns/d/shares/} and a selection, {@code turns/ema/follow/from} and {@code
     * turns/ema/follow/to} for a turn that follows, {@code copies/} and the glob of the copies, {@code
     * watches/1/trigger} and {@code watches/1/action} for an action, {@code rings/0} for a ring, {@code phases/1/name}
     * for a phase's name; positions count from 0.
     */
    public String key() {
        return key;
    }

    /** Runs a check of a part and attributes its failure to that part. */
    public static void attempt(String key, Runnable check) {
        try {
            check.run();
        } catch (IncompatibleSetupException e) {
            throw e;
        } catch (IllegalArgumentException | UserClassException e) {
            throw new IncompatibleSetupException(key, String.valueOf(e.getMessage()), e);
        }
    }
}
