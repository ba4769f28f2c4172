package hocket.jmh;

import hocket.rl.random.Pcg64;
import hocket.rl.returns.Gae;
import hocket.rl.returns.RolloutLayout;
import hocket.rl.returns.Truncation;
import hocket.rl.returns.VTrace;
import hocket.rl.sampling.PrioritisedSampler;
import hocket.rl.sampling.Sampling;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Returns of a rollout of 128 steps in 8 environments, and a prioritised minibatch of 32 from 100,000 rows. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@State(Scope.Thread)
public class AgentBenchmark {
    private static final int ROWS = 100_000;
    private static final int BATCH = 32;

    private final RolloutLayout layout = RolloutLayout.timeMajor(128, 8);
    private final Gae gae = new Gae(0.99, 0.95, Truncation.BOOTSTRAP);
    private final VTrace vTrace = new VTrace(1, 1, 1);
    private final float[] rewards = ones();
    private final float[] values = ones();
    private final float[] results = ones();
    private final float[] returns = ones();
    private final float[] lastValues = new float[layout.environments()];
    private final boolean[] terminated = new boolean[layout.length()];
    private final boolean[] truncated = new boolean[layout.length()];

    private final Sampling sampling = PrioritisedSampler.usual().of(ROWS);
    private final Pcg64 random = Pcg64.of(7);
    private final int[] places = new int[BATCH];
    private final float[] weights = new float[BATCH];
    private final float[] errors = new float[BATCH];

    private float[] ones() {
        float[] numbers = new float[layout.length()];
        Arrays.fill(numbers, 1);
        return numbers;
    }

    /** Fills the memory. */
    @Setup
    public void fill() {
        for (int place = 0; place < ROWS; place++) {
            sampling.added(place);
        }
        Arrays.fill(errors, 0.5f);
    }

    @Benchmark
    public float[] gae() {
        gae.advantages(layout, rewards, values, terminated, truncated, values, lastValues, results, returns);
        return returns;
    }

    @Benchmark
    public float[] vTrace() {
        vTrace.targets(layout, rewards, values, values, values, values, results);
        return results;
    }

    @Benchmark
    public float[] prioritised() {
        sampling.draw(places, weights, BATCH, 0.5, random);
        sampling.learnt(places, errors);
        return weights;
    }
}
