package hocket.schedulers.optimizers;

import java.util.List;
import java.util.stream.Stream;

/**
 * What one turn averages and copies: made once and run at every turn, in one phase for all arrays. Running it allocates
 * nothing. One thread at a time.
 */
public final class FollowPlan {
    /**
     * Two arrays of one type and length.
     *
     * @param target what changes
     * @param source what is followed; only read
     */
    public record Pair(Reals target, Reals source) {
        /** @throws IllegalArgumentException if the arrays differ in type or length */
        public Pair {
            target.requireAlike("source", source);
        }
    }

    private final double decay;
    private final Pair[] pairs;
    private final int averaged;
    private final Chunks chunks;
    private final Workers.Work work = new Follow();

    private FollowPlan(double decay, List<Pair> averaged, List<Pair> copied) {
        Require.atMostOne("decay", decay);
        this.decay = decay;
        this.pairs = Stream.concat(averaged.stream(), copied.stream()).toArray(Pair[]::new);
        this.averaged = averaged.size();
        this.chunks = new Chunks(Stream.of(pairs).map(Pair::target).toList());
    }

    /**
     * A plan that averages weights, {@code target ← decay · target + (1 − decay) · source}, and copies running statistics.
     *
     * @param decay share of the target that is kept, in [0, 1]
     * @throws IllegalArgumentException if the decay is not in its range
     */
    public static FollowPlan of(double decay, List<Pair> averaged, List<Pair> copied) {
        return new FollowPlan(decay, averaged, copied);
    }

    /** Changes all targets. The same bits for any number of workers and either kind of kernels. */
    public void run(Workers workers) {
        for (Pair pair : pairs) {
            pair.target().refresh();
            pair.source().refresh();
        }
        workers.run(work);
    }

    private final class Follow implements Workers.Work {
        @Override
        public Chunks chunks() {
            return chunks;
        }

        @Override
        public void chunk(Kernels kernels, int chunk) {
            int array = chunks.array(chunk);
            Pair pair = pairs[array];
            if (array < averaged) {
                kernels.follow(decay, pair.target(), pair.source(), chunks.from(chunk), chunks.to(chunk));
            } else {
                Kernels.copy(pair.target(), pair.source(), chunks.from(chunk), chunks.to(chunk));
            }
        }
    }
}
