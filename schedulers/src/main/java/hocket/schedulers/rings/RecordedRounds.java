package hocket.schedulers.rings;

import hocket.schedulers.settings.Setting;

/**
 * The interval at which metrics are recorded.
 *
 * @param every rounds from a point to the next; 0 for each of the first 199 rounds, then at most a hundredth of the rounds so far
 *     apart, and at most 50 rounds apart
 * @param seconds age of the last point after which an interim point is added; 0 for none
 */
public record RecordedRounds(
        @Setting(
                usually = "0",
                help = "rounds between points; 0: each of the first 199 rounds, then 1 % of the rounds so far, at"
                        + " most 50")
        long every,

        @Setting(
                usually = "5",
                help = "seconds after which an interim point is recorded, which comparisons of runs skip; 0 for none")
        double seconds)
        implements RecordedRoundsCopies {
    /** The default. */
    public static final RecordedRounds USUAL = RecordedRoundsCopies.usual();

    private static final long[] APART = {50, 20, 10, 5, 2, 1};
    private static final long SHARE = 100;

    /** @throws IllegalArgumentException if one is negative, or seconds are not a number */
    public RecordedRounds {
        if (every < 0) {
            throw new IllegalArgumentException("every: must be at least 0, was " + every);
        } else if (!(seconds >= 0)) {
            throw new IllegalArgumentException("seconds: must be at least 0, was " + seconds);
        }
    }

    /** Returns whether a point ends with this round, by its number alone, so that runs of one experiment agree. */
    boolean ends(long round) {
        return round % (every > 0 ? every : apart(round)) == 0;
    }

    private static long apart(long round) {
        for (long apart : APART) {
            if (SHARE * apart <= round) {
                return apart;
            }
        }
        return 1;
    }
}
