package hocket.jmh;

import hocket.programs.jvm.kernels.Activation;
import hocket.programs.jvm.kernels.DenseKernels;
import hocket.programs.jvm.kernels.DenseSize;
import hocket.programs.jvm.kernels.Floats;
import hocket.programs.jvm.kernels.Scratch;
import hocket.programs.jvm.kernels.WorkShare;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** A dense layer forward and backward, with as many outputs as inputs, by each kind of kernels on one thread. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@State(Scope.Thread)
public class ProductBenchmark {
    @Param({"vector", "plain"})
    public String kernels = "";

    @Param({"64", "256", "1024"})
    public int width;

    @Param({"1", "64"})
    public int rows;

    private DenseKernels dense = DenseKernels.plain();
    private DenseSize size = new DenseSize(1, 1, 1, 1);
    private Floats weight = Floats.of(new float[0]);
    private Floats bias = weight;
    private Floats input = weight;
    private Floats output = weight;
    private Floats gradient = weight;
    private final WorkShare whole = new WorkShare(0, 1, new Scratch());

    /** Allocates the arrays, with the slack that kernels may read. */
    @Setup
    public void allocate() {
        dense = kernels.equals("plain") ? DenseKernels.plain() : DenseKernels.vector().orElseThrow();
        int stride = rows == 1 ? 1 : (rows + 15) & -16;
        size = new DenseSize(width, width, rows, stride);
        weight = filled(width * width);
        bias = filled(width);
        input = filled(width * stride);
        output = filled(width * stride);
        gradient = filled(width * width);
    }

    private static Floats filled(int length) {
        float[] values = new float[length + 16];
        Arrays.fill(values, 0.01f);
        return Floats.of(values);
    }

    @Benchmark
    public Floats forward() {
        dense.forward(size, weight, bias, input, output, Activation.TANH, 0, whole);
        return output;
    }

    @Benchmark
    public Floats inputGradient() {
        dense.inputGradient(size, weight, output, input, false, whole);
        return input;
    }

    @Benchmark
    public Floats weightGradient() {
        dense.weightGradient(size, output, input, gradient, bias, false, whole);
        return gradient;
    }
}
