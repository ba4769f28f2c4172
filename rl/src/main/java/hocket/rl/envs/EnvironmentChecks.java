package hocket.rl.envs;

import hocket.rl.envs.games.MultiAgentEnvironment;
import hocket.rl.spaces.Box;
import hocket.rl.spaces.MultiDiscrete;
import hocket.rl.spaces.Space;
import hocket.schedulers.settings.UserClassException;
import hocket.schedulers.settings.UserCodeFailure;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Checks of what an environment gives. The message of each begins with the place: environment, episode and step. */
public final class EnvironmentChecks {
    /** The bits of a NaN that no computation yields. */
    private static final int UNWRITTEN = 0x7fc0dead;

    private static final Logger LOG = LoggerFactory.getLogger(EnvironmentChecks.class);
    private static final String HOUSE = Environment.class.getPackageName() + ".";

    private EnvironmentChecks() {}

    /** Returns whether what a class gives needs no check: it is Hocket's own, and not of environments in Python. */
    public static boolean isBuiltIn(Class<?> type) {
        String room = type.getPackageName() + ".";
        return room.startsWith(HOUSE) && !room.startsWith(HOUSE + "gymnasium.");
    }

    /** The value that marks elements that an environment has not written. */
    public static float unwritten() {
        return Float.intBitsToFloat(UNWRITTEN);
    }

    /** Returns whether a number is that mark. */
    static boolean isUnwritten(float number) {
        return Float.floatToRawIntBits(number) == UNWRITTEN;
    }

    /**
     * Checks an observation.
     *
     * @param where the place, for the message
     * @param by the environment or game; a {@link BoundsListener} is told of real numbers outside their bounds
     * @param seen the observation, over {@linkplain #unwritten marks}
     * @throws IllegalStateException if it is not wholly written, not finite or outside its space
     */
    public static void requireObservation(Supplier<String> where, Object by, Space space, float[] seen) {
        for (int i = 0; i < seen.length; i++) {
            if (isUnwritten(seen[i])) {
                throw new IllegalStateException(where.get() + ": observe must write all " + seen.length
                        + " numbers of an observation each time, left number " + i + " as it was");
            }
            if (!Float.isFinite(seen[i])) {
                throw new IllegalStateException(
                        where.get() + ": an observation must be finite, was " + space.text(seen, 0));
            }
        }
        if (!space.contains(seen, 0)) {
            Supplier<String> message =
                    () -> where.get() + ": an observation must be of " + space + ", was " + space.text(seen, 0);
            boolean isReal = space instanceof Box box && !box.isWhole();
            if (!isReal || !(by instanceof BoundsListener listener)) {
                throw new IllegalStateException(message.get());
            }
            listener.leftBounds(message);
        }
    }

    /** @throws IllegalStateException if a reward is not finite as a float */
    public static void requireReward(Supplier<String> where, double reward) {
        if (!Double.isFinite(reward)) {
            throw new IllegalStateException(where.get() + ": the reward must be finite, was " + reward);
        }
        if (!Float.isFinite((float) reward)) {
            throw new IllegalStateException(
                    where.get() + ": the reward must be a float, within ±" + Float.MAX_VALUE + ", was " + reward);
        }
    }

    /**
     * Checks a mask of actions.
     *
     * @param mask the mask, over {@linkplain #unwritten marks}
     * @throws IllegalStateException if it is not of zeros and ones, or forbids all actions of a choice
     */
    public static void requireMask(Supplier<String> where, Space actions, float[] mask) {
        List<Integer> counts = actions instanceof MultiDiscrete several ? several.counts() : List.of(mask.length);
        int at = 0;
        for (int count : counts) {
            int allowed = 0;
            for (int i = 0; i < count; i++) {
                float number = mask[at + i];
                if (number != 0 && number != 1) {
                    throw new IllegalStateException(where.get()
                            + ": mask must write 1 for each action that is allowed, else 0,"
                            + (isUnwritten(number) ? " left number " : " wrote " + number + " as number ") + (at + i)
                            + (isUnwritten(number) ? " as it was" : ""));
                }
                allowed += (int) number;
            }
            if (allowed == 0) {
                throw new IllegalStateException(where.get()
                        + ": a mask must allow at least one action of each choice, was " + Arrays.toString(mask));
            }
            at += count;
        }
    }

    /**
     * Wraps an exception of an environment's class with the place; Hocket's own refusals, such as of an action, stay as
     * they are.
     */
    public static RuntimeException placed(String where, Class<?> type, Throwable e) {
        UserCodeFailure.rethrowIfFatal(e);
        return isRefused(e) && e instanceof IllegalArgumentException refusal
                ? refusal
                : new UserClassException(where + ": " + what(type, e), e);
    }

    /** Returns the words of an exception: a refusal's own, or those of a failure of the environment's class. */
    public static String what(Class<?> type, Throwable e) {
        return isRefused(e) ? String.valueOf(e.getMessage()) : UserCodeFailure.by(type.getName(), e);
    }

    private static boolean isRefused(Throwable e) {
        boolean isMessage = e instanceof IllegalArgumentException || e instanceof IllegalStateException;
        return isMessage
                && e.getStackTrace().length > 0
                && e.getStackTrace()[0].getClassName().startsWith(HOUSE);
    }

    /** Closes an environment. An exception of its class is logged: nobody needs it any more. */
    public static void close(Environment environment) {
        close(environment::name, environment::close);
    }

    /** Closes a game, as {@link #close(Environment)}. */
    public static void close(MultiAgentEnvironment game) {
        close(game::name, game::close);
    }

    private static void close(Supplier<String> named, Runnable closing) {
        String name = "an environment";
        try {
            name = named.get();
            closing.run();
        } catch (Throwable e) {
            UserCodeFailure.rethrowIfFatal(e);
            LOG.warn("{}: it could not be closed: {}", name, e.toString());
        }
    }
}
