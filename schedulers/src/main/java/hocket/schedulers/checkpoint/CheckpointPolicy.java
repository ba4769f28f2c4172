package hocket.schedulers.checkpoint;

import hocket.schedulers.settings.Setting;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.LongUnaryOperator;

/**
 * How a run writes checkpoints, and which of them are kept when another one is written: those that any of the first three keeps.
 *
 * @param last so many of the newest, at least 1
 * @param every the first from each multiple of so many turns on; 0 for none
 * @param hours those that are no older, by the clock of the disk; 0 for none
 * @param background whether they are written while training goes on, which waits for the copy only, and for the one before
 * @param ifRefused what becomes of a run whose checkpoint could not be written
 */
public record CheckpointPolicy(
        @Setting(usually = "3", help = "so many of the newest are kept, at least 1")
        int last,

        @Setting(usually = "0", help = "beside these the first from each multiple of so many turns on; 0 for none")
        long every,

        @Setting(usually = "0", help = "beside these all that are no older than so many hours; 0 for none")
        double hours,

        @Setting(usually = "true", help = "whether training goes on while one is written")
        boolean background,

        @Setting(usually = "stop", help = "when the disk refuses one: stop the run, or go-on without it")
        IfRefused ifRefused) {
    private static final double MILLIS_OF_AN_HOUR = 3_600_000;

    /** The newest three, written while training waits, which fails where one cannot be. */
    public static final CheckpointPolicy USUAL = new CheckpointPolicy(3, 0, 0, false, IfRefused.STOP);

    /** What becomes of a run whose checkpoint could not be written. */
    public enum IfRefused {
        /** It fails. */
        STOP,
        /** It goes on, and tries again when the next one is due. */
        GO_ON
    }

    /** @throws IllegalArgumentException if fewer than one would be kept, or a number is negative */
    public CheckpointPolicy {
        if (last < 1) {
            throw new IllegalArgumentException("last must be at least 1, was " + last);
        } else if (every < 0) {
            throw new IllegalArgumentException("every must be at least 0, was " + every);
        } else if (!(hours >= 0)) {
            throw new IllegalArgumentException("hours must be at least 0, was " + hours);
        }
    }

    /**
     * Those that are kept.
     *
     * @param newest the one that was written last, which is
     * @param numbers of all there are, in order
     * @param age milliseconds since one was written; negative where a clock was set back, which is young
     */
    SortedSet<Long> kept(long newest, List<Long> numbers, LongUnaryOperator age) {
        SortedSet<Long> kept = new TreeSet<>(List.of(newest));
        for (int i = numbers.size() - 1; i >= 0 && kept.size() < last; i--) {
            kept.add(numbers.get(i));
        }
        long multiple = 0;
        for (long number : numbers) {
            if (every > 0 && number / every > multiple) {
                multiple = number / every;
                kept.add(number);
            }
            if (hours > 0 && age.applyAsLong(number) <= hours * MILLIS_OF_AN_HOUR) {
                kept.add(number);
            }
        }
        return kept;
    }
}
