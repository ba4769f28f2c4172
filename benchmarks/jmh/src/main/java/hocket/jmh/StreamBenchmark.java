package hocket.jmh;

import hocket.scopes.ElementType;
import hocket.scopes.Path;
import hocket.scopes.Selection;
import hocket.scopes.Stream;
import hocket.scopes.Streams;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** Random numbers of a turn, 4,096 at a time, and the question which paths a selection names. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
public class StreamBenchmark {
    private static final int COUNT = 4096;

    private final Stream stream = Streams.seed(7).at("generator/noise");
    private final ByteBuffer numbers =
            ByteBuffer.allocateDirect(COUNT * Float.BYTES).order(ByteOrder.nativeOrder());
    private final int[] items = new int[COUNT];
    private final Selection selection = Selection.of("discriminator/**", "!discriminator/**/bias", "trunk/*/weight");
    private final Path path = Path.of("discriminator/block3/conv1/weight");
    private long counter;

    @Benchmark
    public ByteBuffer normal() {
        stream.normal(counter++, numbers, ElementType.FLOAT32, COUNT);
        return numbers;
    }

    @Benchmark
    public ByteBuffer mask() {
        stream.mask(counter++, 0.1, numbers, ElementType.FLOAT32, COUNT);
        return numbers;
    }

    @Benchmark
    public int[] shuffle() {
        stream.shuffle(counter++, items);
        return items;
    }

    @Benchmark
    public boolean matches() {
        return selection.matches(path);
    }
}
