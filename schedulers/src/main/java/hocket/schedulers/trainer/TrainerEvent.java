package hocket.schedulers.trainer;

/**
 * An event of a trainer. Epochs and batches are counted from 1, epochs over all calls of train. An interrupted epoch
 * has no end; its continuation starts it again.
 */
public sealed interface TrainerEvent {
    /** Returns the number of the epoch. */
    long epoch();

    /** An epoch starts, or, in a restored run, continues. */
    record BeginEpoch(long epoch) implements TrainerEvent {}

    /** A batch is about to be trained on. */
    record BeginStep(long epoch, long batch) implements TrainerEvent {}

    /** All objectives were descended once on a batch: their results from before the update. */
    record EndStep(long epoch, long batch, Outcomes outcomes) implements TrainerEvent {
        /** Returns the loss of the first objective. */
        public double cost() {
            return outcomes.cost();
        }
    }

    /** An epoch ended: the means over its batches. */
    record EndEpoch(long epoch, long batches, Outcomes outcomes) implements TrainerEvent {
        /** Returns the loss of the first objective, the mean over the batches. */
        public double cost() {
            return outcomes.cost();
        }
    }
}
