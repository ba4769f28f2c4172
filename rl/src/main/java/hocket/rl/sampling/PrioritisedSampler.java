package hocket.rl.sampling;

import hocket.rl.random.Pcg64;
import hocket.schedulers.settings.Keyed;
import hocket.schedulers.settings.Setting;
import hocket.schedulers.state.State;
import hocket.scopes.Shape;
import hocket.scopes.Tensor;
import java.util.Arrays;

/**
 * Prioritised experience replay (Schaul et al. 2016), proportional: a row is drawn with a probability proportional to
 * {@code (|error| + epsilon)^alpha}, of its error when it was last learnt; a new row has the largest priority so far, at
 * first 1. A batch is stratified: each of its rows is drawn of an equal part of the sum. The loss of a row has the weight
 * {@code (rows·probability)^-beta}, divided by the largest weight of the batch; beta grows linearly to 1 over the run.
 *
 * @param alpha 0 draws uniformly, 1 in proportion to the error
 * @param beta 0 leaves the bias of the draws, 1 corrects it
 * @param epsilon in units of the error; above 0, rows without an error are drawn again
 */
@Keyed.Name("prioritised")
public record PrioritisedSampler(
        @Setting(usually = "0.6", least = 0, most = 1, help = "exponent of the priorities")
        double alpha,

        @Setting(usually = "0.4", least = 0, most = 1, help = "exponent of the weights at first; it grows to 1")
        double beta,

        @Setting(usually = "1e-6", least = 0, most = 1e6, help = "added to the absolute error of a row")
        double epsilon)
        implements Sampler, PrioritisedSamplerCopies {
    public PrioritisedSampler {
        PrioritisedSamplerCopies.check(alpha, beta, epsilon);
    }

    /** Returns the default settings, those of the paper. */
    public static PrioritisedSampler usual() {
        return PrioritisedSamplerCopies.usual();
    }

    @Override
    public boolean isPrioritised() {
        return true;
    }

    @Override
    public Prioritised of(int capacity) {
        return new Prioritised(capacity);
    }

    /** Draws by the priorities of one buffer. */
    final class Prioritised implements Sampling {
        private final int capacity;
        private SumTree priorities = new SumTree();
        private double largest = 1;

        /** Places that had a row. */
        private int filled;

        private Prioritised(int capacity) {
            SumTree.require(capacity);
            this.capacity = capacity;
        }

        @Override
        public int bytesOfRow() {
            return SumTree.BYTES;
        }

        double sum() {
            return priorities.sum();
        }

        double priority(int place) {
            return priorities.get(place);
        }

        /** The largest {@code |error| + epsilon} so far. */
        double largest() {
            return largest;
        }

        @Override
        public void added(int place) {
            filled = Math.max(filled, place + 1);
            priorities.set(place, Math.pow(largest, alpha));
        }

        @Override
        public void draw(int[] places, float[] weights, int size, double progress, Pcg64 random) {
            boolean isUniform = sum() == 0; // no row has an error, and epsilon is 0
            for (int i = 0; i < places.length; i++) {
                places[i] = isUniform ? (int) random.integers(0, size) : place(i, places.length, random.random());
            }
            if (isUniform) {
                Arrays.fill(weights, 1);
                return;
            }
            double[] all = weights(places, size, beta + (1 - beta) * Math.min(1, progress));
            for (int i = 0; i < weights.length; i++) {
                weights[i] = (float) all[i];
            }
        }

        /** Returns the place of a row of a batch, at a share of its part of the sum. */
        int place(int row, int rows, double share) {
            return place((row + share) * sum() / rows);
        }

        int place(double mass) {
            return priorities.find(mass);
        }

        /** Returns the weights of a batch by the exponent of now. */
        double[] weights(int[] places, int size, double exponent) {
            double[] weights = new double[places.length];
            double most = 0;
            for (int i = 0; i < weights.length; i++) {
                weights[i] = Math.pow(size * priority(places[i]) / sum(), -exponent);
                most = Math.max(most, weights[i]);
            }
            for (int i = 0; i < weights.length; i++) {
                weights[i] /= most;
            }
            return weights;
        }

        @Override
        public void learnt(int[] places, float[] errors) {
            for (float error : errors) {
                if (!Float.isFinite(error)) {
                    throw new IllegalArgumentException("sampler: an error must be a finite number, was " + error);
                }
            }
            for (int i = 0; i < places.length; i++) {
                learnt(places[i], errors[i]);
            }
        }

        void learnt(int place, double error) {
            double priority = Math.abs(error) + epsilon;
            priorities.set(place, Math.pow(priority, alpha));
            largest = Math.max(largest, priority);
        }

        @Override
        public State save() {
            double[] all = new double[filled];
            Arrays.setAll(all, this::priority);
            State state = State.empty().with("largest", largest);
            return filled == 0 ? state : state.with("priorities", Tensor.of(Shape.of(filled), all));
        }

        @Override
        public void restore(State state) {
            double largestSaved = state.real("largest");
            double[] all = state.has("priorities") ? state.tensor("priorities").doubles() : new double[0];
            if (all.length > capacity) {
                throw new IllegalArgumentException(
                        "sampler: was saved with " + all.length + " priorities, here it has room for " + capacity);
            }
            SumTree restored = new SumTree();
            for (int i = 0; i < all.length; i++) {
                if (!(all[i] >= 0) || Double.isInfinite(all[i])) {
                    throw new IllegalArgumentException("sampler: was saved with the priority " + all[i]);
                }
                restored.set(i, all[i]);
            }
            priorities = restored;
            filled = all.length;
            largest = largestSaved;
        }
    }
}
