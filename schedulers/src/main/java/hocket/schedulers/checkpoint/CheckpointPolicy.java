package hocket.schedulers.checkpoint;

import hocket.schedulers.settings.Setting;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.LongUnaryOperator;

/**
 * The rules by which a run writes checkpoints and keeps older ones: a checkpoint is kept if any of the first three
 * rules keeps it.
 *
 * @param last number of newest checkpoints to keep, at least 1
 * @param every keeps the first checkpoint from each multiple of this many turns on; 0 for none
 * @param hours keeps checkpoints up to this age, by the clock of the disk; 0 for none
 * @param background whether training continues while they are written; it waits only for the copy and the write before
 * @param ifRefused the reaction of a run to a failed write
 */
public record CheckpointPolicy(
        @Setting(usually = "3", help = "number of newest checkpoints that are kept, at least 1")
        int last,

        @Setting(
                usually = "0",
                help = "also keeps the first checkpoint after each multiple of this many turns; 0 for none")
        long every,

        @Setting(usually = "0", help = "also keeps all checkpoints that are at most this many hours old; 0 for none")
        double hours,

        @Setting(usually = "true", help = "whether training continues while a checkpoint is written")
        boolean background,

        @Setting(usually = "stop", help = "if a checkpoint cannot be written: stop the run, or go-on without it")
        IfRefused ifRefused) {
    private static final double MILLIS_OF_AN_HOUR = 3_600_000;

    /** Keeps the newest three, written while training waits; the run fails if a write fails. */
    public static final CheckpointPolicy USUAL = new CheckpointPolicy(3, 0, 0, false, IfRefused.STOP);

    /** The reaction of a run to a failed write. */
    public enum IfRefused {
        /** The run fails. */
        STOP,
        /** The run continues and tries again when the next checkpoint is due. */
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
     * Returns the numbers of checkpoints to keep.
     *
     * @param newest the checkpoint that was written last, which is kept
     * @param numbers of all existing checkpoints, in order
     * @param age milliseconds since it was written; negative if a clock was set back, which counts as young
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
