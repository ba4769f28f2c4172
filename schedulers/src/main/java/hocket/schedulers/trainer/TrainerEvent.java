package hocket.schedulers.trainer;

/**
 * What happens while a trainer trains. Epochs and batches are counted from 1, epochs over all calls of train. One that is
 * broken off has no end; what is left of it begins it again.
 */
public sealed interface TrainerEvent {
    /** Of which epoch. */
    long epoch();

    /** An epoch begins, or, in a run that was restored, goes on. */
    record BeginEpoch(long epoch) implements TrainerEvent {}

    /** A batch is about to be trained on. */
    record BeginStep(long epoch, long batch) implements TrainerEvent {}

    /** All objectives were descended once, on a batch: what they came to before it moved the weights. */
    record EndStep(long epoch, long batch, Outcomes outcomes) implements TrainerEvent {
        /** The loss of the first objective. */
        public double cost() {
            return outcomes.cost();
        }
    }

    /** An epoch ended: the means over its batches. */
    record EndEpoch(long epoch, long batches, Outcomes outcomes) implements TrainerEvent {
        /** The loss of the first objective, mean over the batches. */
        public double cost() {
            return outcomes.cost();
        }
    }
}
