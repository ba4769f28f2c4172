package hocket.rl.settings;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Environment steps as rounds of a plan. */
public final class StepBudgets {
    private StepBudgets() {}

    /**
     * Steps that are learnt from.
     *
     * @throws IllegalArgumentException if none remain
     */
    public static long learning(long totalSteps, int learningStarts) {
        if (learningStarts >= totalSteps) {
            throw new IllegalArgumentException(
                    "learning_starts must be less than total_steps, were " + learningStarts + " and " + totalSteps);
        }
        return totalSteps - learningStarts;
    }

    /** Returns the rounds in which a number of steps is reached: the quotient, rounded up. */
    public static long rounds(long steps, long stepsOfRound) {
        return (steps + stepsOfRound - 1) / stepsOfRound;
    }

    /**
     * Returns the updates of a round that passes several times over its batches.
     *
     * @param setting says how often, for messages
     * @param batches of a round
     * @param of what they are, for messages: the minibatches of a rollout
     * @throws IllegalArgumentException if there are more than 2^31 - 1
     */
    static int updates(String setting, int times, int batches, String of) {
        if ((long) times * batches > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(setting + " times " + of + " must be at most " + Integer.MAX_VALUE
                    + ", was " + times + " × " + batches);
        }
        return times * batches;
    }

    /**
     * Returns the updates of a round that passes several times over its rows in batches.
     *
     * @param setting says how often, for messages
     * @param of the setting of the rows, for messages
     * @throws IllegalArgumentException if a batch does not divide the rows, or there are too many updates
     */
    public static int updates(String setting, int times, String of, int rows, int batch) {
        if (rows % batch != 0) {
            throw new IllegalArgumentException("batch must divide " + of + ", were " + batch + " and " + rows);
        }
        return updates(setting, times, rows / batch, "the batches of a round");
    }

    /** Returns a warning if total steps are not a multiple of the steps of a round. */
    static List<String> notes(long totalSteps, long made) {
        return made == totalSteps
                ? List.of()
                : List.of(String.format(
                        Locale.ROOT, "total_steps: %,d in place of %,d, since rounds are whole", made, totalSteps));
    }

    /** Returns the same warnings if random steps come first. */
    static List<String> notes(long totalSteps, int learningStarts, int count, long learning) {
        long atFirst = rounds(learningStarts, count) * count;
        List<String> notes = new ArrayList<>(notes(totalSteps, atFirst + learning));
        if (atFirst != learningStarts) {
            notes.add(String.format(
                    Locale.ROOT,
                    "learning_starts: %,d in place of %,d, since %d environments step together",
                    atFirst,
                    learningStarts,
                    count));
        }
        return notes;
    }
}
