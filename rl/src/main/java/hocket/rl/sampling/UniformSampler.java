package hocket.rl.sampling;

import hocket.rl.random.Pcg64;
import hocket.schedulers.settings.Keyed;
import hocket.schedulers.state.State;
import java.util.Arrays;

/** Draws each row with the same probability, with replacement (Lin 1992; Mnih et al. 2015). */
@Keyed.Name("uniform")
public record UniformSampler() implements Sampler {
    @Override
    public Sampling of(int capacity) {
        return new Uniform();
    }

    private static final class Uniform implements Sampling {
        @Override
        public void added(int place) {}

        @Override
        public void draw(int[] places, float[] weights, int size, double progress, Pcg64 random) {
            for (int i = 0; i < places.length; i++) {
                places[i] = (int) random.integers(0, size);
            }
            Arrays.fill(weights, 1);
        }

        @Override
        public void learnt(int[] places, float[] errors) {}

        @Override
        public State save() {
            return State.empty();
        }

        @Override
        public void restore(State state) {}
    }
}
