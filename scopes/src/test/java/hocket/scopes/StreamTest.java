package hocket.scopes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.apache.commons.rng.UniformRandomProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class StreamTest {
    private static final int COUNT = 4096;

    private final Stream stream = Streams.seed(7).at("a/b");

    private static ByteBuffer buffer(int count) {
        return ByteBuffer.allocateDirect(count * Double.BYTES).order(ByteOrder.nativeOrder());
    }

    private static Tensor read(ByteBuffer buffer, ElementType type) {
        return Tensor.copyOf(Shape.of(COUNT), type, buffer.duplicate().limit(COUNT * type.bytes()));
    }

    private Tensor normals(long counter, ElementType type) {
        ByteBuffer out = buffer(COUNT);
        stream.normal(counter, out, type, COUNT);
        return read(out, type);
    }

    private Tensor uniforms(double low, double high, ElementType type) {
        ByteBuffer out = buffer(COUNT);
        stream.uniform(3, low, high, out, type, COUNT);
        return read(out, type);
    }

    private Tensor mask(double rate, ElementType type) {
        ByteBuffer out = buffer(COUNT);
        stream.mask(3, rate, out, type, COUNT);
        return read(out, type);
    }

    private static double mean(Tensor tensor) {
        return Arrays.stream(tensor.doubles()).average().orElseThrow();
    }

    @Test
    void itsWordsAreThoseOfNumpysPhilox() throws IOException {
        for (List<String> line : Expected.lines("philox")) {
            UniformRandomProvider generator =
                    Streams.seed(Long.parseLong(line.get(0))).at(line.get(1)).generator(Long.parseLong(line.get(2)));
            for (String word : line.subList(3, line.size())) {
                assertThat(generator.nextLong()).as(line.toString()).isEqualTo(Long.parseUnsignedLong(word, 16));
            }
        }
    }

    @Test
    void itsBitsNeverChange() {
        double[] doubles = new double[COUNT];
        stream.normal(3, doubles);
        assertThat(digest(Tensor.of(Shape.of(COUNT), doubles)))
                .isEqualTo("9051bef8b73c8c4c5a4335eda920b7bf1d8aa5cf3640b5fb8b4cf2f81c4a6a48");
        assertThat(digest(normals(3, ElementType.FLOAT32)))
                .isEqualTo("12e4f2252aa916e9ffb48fffeaf5154b798e4bfea6e2a5e7de47ced846d7e4b6");
        assertThat(digest(uniforms(-1, 2, ElementType.FLOAT32)))
                .isEqualTo("bf956abd95be3f95181a82737c7aea75860a5bd8138c5780097f6a0bbc62131d");
        assertThat(digest(mask(0.3, ElementType.FLOAT32)))
                .isEqualTo("ec41851faefc83f42f7a563c042e42e541b8188a39f17365c9464e5c21e50612");
        int[] items = IntStream.range(0, COUNT).toArray();
        stream.shuffle(3, items);
        assertThat(digest(Tensor.of(
                        Shape.of(COUNT), Arrays.stream(items).asLongStream().toArray())))
                .isEqualTo("9e97bbc07a807b66c624ee60fc887cb8c91b02f773b308892432230c5b39d0f5");
    }

    private static String digest(Tensor tensor) {
        return new Digest()
                .add("", tensor.type(), tensor.shape(), tensor.buffer())
                .hex();
    }

    @Test
    void aDrawDependsOnSeedPathAndCounterAndOnNothingDrawnBefore() {
        Tensor here = normals(3, ElementType.FLOAT32);
        normals(4, ElementType.FLOAT64);
        assertThat(normals(3, ElementType.FLOAT32)).isEqualTo(here);
        assertThat(normals(4, ElementType.FLOAT32)).isNotEqualTo(here);
        double[] first = new double[8];
        double[] second = new double[8];
        stream.normal(3, first);
        for (Stream other : List.of(Streams.seed(8).at("a/b"), Streams.seed(7).at("a/c"))) {
            other.normal(3, second);
            assertThat(second).isNotEqualTo(first);
        }
        Streams.seed(7).at(Path.of("a/b")).normal(3, second);
        assertThat(second).isEqualTo(first);
    }

    @Test
    void aLongDrawOfOneCounterDoesNotRunIntoTheNext() {
        double[] here = new double[COUNT];
        double[] next = new double[COUNT];
        stream.uniform(3, here);
        stream.uniform(4, next);
        assertThat(DoubleStream.concat(Arrays.stream(here), Arrays.stream(next)).distinct())
                .hasSize(2 * COUNT);
    }

    @Test
    void aFloat64BufferHoldsWhatAnArrayDoes() {
        double[] array = new double[COUNT];
        stream.normal(3, array);
        assertThat(normals(3, ElementType.FLOAT64).doubles()).isEqualTo(array);
        stream.uniform(3, array);
        assertThat(uniforms(0, 1, ElementType.FLOAT64).doubles()).isEqualTo(array);
    }

    @ParameterizedTest
    @EnumSource(names = {"FLOAT32", "FLOAT64"})
    void aShortDrawIsTheBeginningOfALongOneAndLeavesTheRestAlone(ElementType type) {
        ByteBuffer out = buffer(COUNT);
        stream.normal(3, out, type, 5);
        double[] few = read(out, type).doubles();
        assertThat(Arrays.copyOf(few, 5))
                .isEqualTo(Arrays.copyOf(normals(3, type).doubles(), 5));
        assertThat(Arrays.copyOfRange(few, 5, COUNT)).containsOnly(0);
        assertThat(out.position()).isZero();
    }

    @ParameterizedTest
    @EnumSource(names = {"FLOAT32", "FLOAT64"})
    void normalsHaveMeanZeroAndVarianceOne(ElementType type) {
        double[] normals = normals(3, type).doubles();
        assertThat(Arrays.stream(normals).average().orElseThrow()).isCloseTo(0, within(4 / Math.sqrt(COUNT)));
        assertThat(Arrays.stream(normals).map(x -> x * x).average().orElseThrow())
                .isCloseTo(1, within(4 * Math.sqrt(2.0 / COUNT)));
    }

    @ParameterizedTest
    @EnumSource(names = {"FLOAT32", "FLOAT64"})
    void uniformsFillTheirIntervalWithoutItsUpperEnd(ElementType type) {
        Tensor uniforms = uniforms(-1, 3, type);
        assertThat(DoubleStream.of(uniforms.doubles())).allMatch(x -> x >= -1 && x < 3);
        assertThat(mean(uniforms)).isCloseTo(1, within(4 * 4 / Math.sqrt(12.0 * COUNT)));
        // So narrow that all but the lowest would round to the upper end.
        float next = Math.nextUp(1f);
        assertThat(uniforms(1, type == ElementType.FLOAT32 ? next : Math.nextUp(1.0), type)
                        .doubles())
                .containsOnly(1);
        assertThat(uniforms(2, 2, type).doubles()).containsOnly(2);
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, 0.1, 0.5, 0.9})
    void aMaskKeepsTheMean(double rate) {
        Tensor mask = mask(rate, ElementType.FLOAT64);
        assertThat(DoubleStream.of(mask.doubles())).allMatch(x -> x == 0 || x == 1 / (1 - rate));
        double deviation = Math.sqrt(rate / (1 - rate) / COUNT);
        assertThat(mean(mask)).isCloseTo(1, within(4 * deviation + 1e-12));
    }

    @Test
    void aMaskDropsTheSameElementsInEitherType() {
        double[] single = mask(0.3, ElementType.FLOAT32).doubles();
        double[] twice = mask(0.3, ElementType.FLOAT64).doubles();
        for (int i = 0; i < COUNT; i++) {
            assertThat(single[i] == 0).isEqualTo(twice[i] == 0);
        }
    }

    @Test
    void shufflesFindEveryOrderAboutEquallyOften() {
        Map<String, Integer> orders = new HashMap<>();
        for (int counter = 0; counter < 6000; counter++) {
            int[] items = {1, 2, 3};
            stream.shuffle(counter, items);
            orders.merge(Arrays.toString(items), 1, Integer::sum);
        }
        assertThat(orders)
                .hasSize(6)
                .allSatisfy((order, times) -> assertThat(times).isBetween(850, 1150));
    }

    @Test
    void settingsThatMakeNoSenseAreRefusedNamingThePath() {
        ByteBuffer out = buffer(1);
        assertThatThrownBy(() -> stream.uniform(0, 1, 0, out, ElementType.FLOAT32, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a/b: uniforms need low ≤ high, low was 1.0 and high 0.0");
        assertThatThrownBy(() -> stream.uniform(0, Double.NaN, 0, out, ElementType.FLOAT32, 1))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> stream.mask(0, 1, out, ElementType.FLOAT32, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a/b: a mask's rate must be at least 0 and below 1, was 1.0");
        assertThatThrownBy(() -> stream.normal(0, out, ElementType.INT64, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a/b: random elements are FLOAT32 or FLOAT64, not INT64");
    }

    @Test
    void aDrawAllocatesLittle() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long thread = Thread.currentThread().getId();
        ByteBuffer out = buffer(64);
        long least = Long.MAX_VALUE;
        for (int round = 0; round < 20; round++) {
            long before = threads.getThreadAllocatedBytes(thread);
            for (int i = 0; i < 1000; i++) {
                stream.normal(i, out, ElementType.FLOAT32, 64);
            }
            least = Math.min(least, (threads.getThreadAllocatedBytes(thread) - before) / 1000);
        }
        assertThat(least).isLessThan(400);
    }

    @Test
    void itSaysWhoseItIs() {
        assertThat(stream).hasToString("a/b of seed 7");
    }
}
