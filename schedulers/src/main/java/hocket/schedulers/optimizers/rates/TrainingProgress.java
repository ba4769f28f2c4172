package hocket.schedulers.optimizers.rates;

/** The position of an update in training, by which rates count. The next update changes this view; do not keep it. */
public final class TrainingProgress {
    private long update;
    private long round;
    private double epoch;

    public TrainingProgress() {}

    /** A separate position. */
    public static TrainingProgress of(long update, long round, double epoch) {
        TrainingProgress made = new TrainingProgress();
        made.set(update, round, epoch);
        return made;
    }

    public void set(long newUpdate, long newRound, double newEpoch) {
        update = newUpdate;
        round = newRound;
        epoch = newEpoch;
    }

    /** Returns the number of the update, from 1. */
    public long update() {
        return update;
    }

    /** Returns the number of rounds completed so far. */
    public long round() {
        return round;
    }

    /** Returns the epochs of the first source so far; 0 without one. */
    public double epoch() {
        return epoch;
    }

    @Override
    public String toString() {
        return "update " + update + ", round " + round + ", epoch " + epoch;
    }
}
