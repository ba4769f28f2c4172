package hocket.schedulers.optimizers.updates;

import hocket.schedulers.optimizers.kernels.Chunks;
import hocket.schedulers.optimizers.kernels.KernelThreads;
import hocket.schedulers.optimizers.kernels.Kernels;
import hocket.schedulers.optimizers.kernels.Reals;
import hocket.schedulers.settings.Limits;
import java.util.List;
import java.util.stream.Stream;

/**
 * The averages and copies of one turn, made once and run at every turn, in one phase for all arrays. Running it
 * allocates nothing. One thread at a time.
 */
public final class FollowPlan {
    /**
     * Two arrays of one type and length.
     *
     * @param target the array that changes
     * @param source the array that is followed; only read
     */
    public record Pair(Reals target, Reals source) {
        /** @throws IllegalArgumentException if the arrays differ in type or length */
        public Pair {
            target.requireAlike("source", source);
        }
    }

    private double decay;
    private final Pair[] pairs;
    private final int averaged;
    private final Chunks chunks;
    private final double[] squares;
    private final KernelThreads.Work work;
    private final KernelThreads.Work measure;

    private FollowPlan(List<Pair> averaged, List<Pair> copied) {
        this.pairs = Stream.concat(averaged.stream(), copied.stream()).toArray(Pair[]::new);
        this.averaged = averaged.size();
        this.chunks = new Chunks(Stream.of(pairs).map(Pair::target).toList());
        this.squares = new double[chunks.count()];
        this.work = new KernelThreads.Work(chunks, this::follow);
        this.measure = new KernelThreads.Work(chunks, this::measure);
    }

    /**
     * A plan that averages weights, {@code target ← decay · target + (1 − decay) · source}, and copies running statistics.
     */
    public static FollowPlan of(List<Pair> averaged, List<Pair> copied) {
        return new FollowPlan(averaged, copied);
    }

    /**
     * Returns whether all inputs of {@link #run} are finite: sources, and targets that are averaged. Except that
     * float64 numbers beyond 1e150 may count as infinite.
     */
    public boolean isFinite(KernelThreads kernelThreads) {
        refresh();
        kernelThreads.run(measure);
        double sum = 0;
        for (double each : squares) {
            sum += each;
        }
        return Double.isFinite(sum);
    }

    /**
     * Changes all targets. The same bits for any number of workers and either kind of kernels.
     *
     * @param decay share of the target that is kept, in [0, 1]
     * @throws IllegalArgumentException if the decay is not in its range
     */
    public void run(double decay, KernelThreads kernelThreads) {
        Limits.fraction("decay", decay);
        this.decay = decay;
        refresh();
        kernelThreads.run(work);
    }

    /** Releases all arrays; it cannot run any more. */
    public void release() {
        for (Pair pair : pairs) {
            pair.target().release();
            pair.source().release();
        }
    }

    private void refresh() {
        for (Pair pair : pairs) {
            pair.target().refresh();
            pair.source().refresh();
        }
    }

    private void measure(Kernels kernels, int chunk) {
        int array = chunks.array(chunk);
        Pair pair = pairs[array];
        double sum = kernels.sumOfSquares(pair.source(), chunks.from(chunk), chunks.to(chunk));
        if (array < averaged) {
            sum += kernels.sumOfSquares(pair.target(), chunks.from(chunk), chunks.to(chunk));
        }
        squares[chunk] = sum;
    }

    private void follow(Kernels kernels, int chunk) {
        int array = chunks.array(chunk);
        Pair pair = pairs[array];
        if (array < averaged) {
            kernels.follow(decay, pair.target(), pair.source(), chunks.from(chunk), chunks.to(chunk));
        } else {
            Kernels.copy(pair.target(), pair.source(), chunks.from(chunk), chunks.to(chunk));
        }
    }
}
