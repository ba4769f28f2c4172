package hocket.workbench.live.views;

import org.jspecify.annotations.Nullable;

/** Measures a run's speed over its last seconds. Used by the training thread. */
final class RecentThroughput {
    private static final double WINDOW_SECONDS = 2;
    private static final double LEAST_SECONDS = 0.2;

    /** A place of the run. */
    private record Mark(long nanos, long round, double done) {}

    private Mark older;
    private Mark newer;

    /** Measures from a position on; nothing before it counts. */
    RecentThroughput(long nanos, long round, double done) {
        older = new Mark(nanos, round, done);
        newer = older;
    }

    /** Records the current position of the run. */
    void reached(long nanos, long round, double done) {
        if ((nanos - newer.nanos()) * 1e-9 > WINDOW_SECONDS) {
            older = newer;
            newer = new Mark(nanos, round, done);
        }
    }

    /** Returns the speed; null if too few rounds were taken. */
    @Nullable
    Double roundsPerSecond(long nanos, long round) {
        double over = seconds(nanos);
        return over > LEAST_SECONDS && round > older.round() ? (Double) ((round - older.round()) / over) : null;
    }

    /** Returns the seconds until the budget is used up; null if too little of it was used since the last mark. */
    @Nullable
    Double secondsLeft(long nanos, double done) {
        double over = seconds(nanos);
        return over > LEAST_SECONDS && done > older.done()
                ? (Double) (over * (1 - done) / (done - older.done()))
                : null;
    }

    private double seconds(long nanos) {
        return (nanos - older.nanos()) * 1e-9;
    }
}
