package hocket.schedulers.optimizers.rates;

/** Where an update is in training: what rates count by. A view that the next update changes: not to be kept. */
public final class TrainingProgress {
    private long update;
    private long round;
    private double epoch;

    public TrainingProgress() {}

    /** A place of its own. */
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

    /** The number of the update, from 1. */
    public long update() {
        return update;
    }

    /** Rounds completed so far. */
    public long round() {
        return round;
    }

    /** Epochs of the first source so far; 0 without one. */
    public double epoch() {
        return epoch;
    }

    @Override
    public String toString() {
        return "update " + update + ", round " + round + ", epoch " + epoch;
    }
}
