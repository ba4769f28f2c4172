package hocket.rl.random;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import hocket.rl.Golden;
import hocket.rl.spaces.Box;
import hocket.rl.spaces.Discrete;
import hocket.rl.spaces.MultiBinary;
import hocket.rl.spaces.MultiDiscrete;
import hocket.rl.spaces.Space;
import hocket.schedulers.state.State;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Compares generators and spaces with NumPy's and Gymnasium's, bit for bit. */
@Tag("golden")
public class GoldenGeneratorTest {
    private static final int HASHED = 100_000;

    @Test
    void aSeedIsSpreadAsByNumPy() {
        forEachSeed(seed -> {
            SeedSequence sequence = sequence(seed);
            JsonNode golden = seed.get("seed_sequence");
            assertThat(sequence.longs(8)).isEqualTo(longs(golden.get("generate_state_8_uint64")));
            assertThat(IntStream.of(sequence.ints(8))
                            .mapToLong(Integer::toUnsignedLong)
                            .toArray())
                    .isEqualTo(longs(golden.get("generate_state_8_uint32")));
            JsonNode children = golden.get("spawn_3_generate_state_4_uint64");
            for (int i = 0; i < children.size(); i++) {
                assertThat(sequence.child(i).longs(4)).as("child %s", i).isEqualTo(longs(children.get(i)));
            }
        });
    }

    @Test
    void aGeneratorStartsAsNumPysDoes() {
        forEachSeed(seed -> {
            JsonNode golden = seed.get("pcg64");
            State state = generator(seed).save();
            assertThat(wide(state, "high", "low")).isEqualTo(golden.get("state").asText());
            assertThat(wide(state, "incrementHigh", "incrementLow"))
                    .isEqualTo(golden.get("inc").asText());
            Pcg64 generator = generator(seed);
            assertThat(drawn(golden.get("raw_uint64_16"), generator::nextLong))
                    .isEqualTo(longs(golden.get("raw_uint64_16")));
        });
    }

    @Test
    void aSmallSeedIsTheOneThatGymnasiumTakes() {
        forEachSeed(seed -> {
            JsonNode golden = seed.get("gymnasium_np_random");
            BigInteger used = new BigInteger(golden.get("seed_used").asText());
            if (used.bitLength() < Long.SIZE) {
                Pcg64 generator = Pcg64.of(used.longValueExact());
                assertReals(golden.get("random_4"), generator::random);
            }
        });
    }

    @Test
    void realsAreNumPys() {
        forEachSeed(seed -> {
            assertReals(seed.get("random_32"), generator(seed)::random);
            Pcg64 uniforms = generator(seed);
            assertReals(seed.get("uniform_-0.05_0.05_8"), () -> uniforms.uniform(-0.05, 0.05));
            assertReals(seed.get("standard_normal_64"), generator(seed)::standardNormal);
            assertReals(seed.get("standard_exponential_16"), generator(seed)::standardExponential);
        });
    }

    @Test
    void wholeNumbersAreNumPys() {
        forEachSeed(seed -> {
            assertIntegers(seed, "integers_0_10_32", 0, 10);
            assertIntegers(seed, "integers_0_10_scalar_calls_32", 0, 10);
            assertIntegers(seed, "integers_0_2^40_16", 0, 1L << 40);
            assertIntegers(seed, "integers_-5_2^63-1_16", -5, Long.MAX_VALUE);
            Pcg64 generator = generator(seed);
            assertThat(drawn(seed.get("choice_52_16"), () -> generator.choice(52)))
                    .isEqualTo(longs(seed.get("choice_52_16")));
        });
    }

    @Test
    void ordersAreNumPys() {
        forEachSeed(seed -> {
            int[] items =
                    IntStream.range(0, seed.get("shuffle_arange_10").size()).toArray();
            generator(seed).shuffle(items);
            assertThat(IntStream.of(items).asLongStream().toArray()).isEqualTo(longs(seed.get("shuffle_arange_10")));
        });
    }

    @Test
    void drawsOfDifferentKindsInterleaveAsInNumPy() {
        forEachSeed(seed -> {
            Pcg64 generator = generator(seed);
            for (JsonNode call : seed.get("mixed_calls")) {
                double drawn = switch (call.get(0).asText()) {
                    case "random" -> generator.random();
                    case "integers(0,10)" -> generator.integers(0, 10);
                    case "standard_normal" -> generator.standardNormal();
                    case "uniform(-0.05,0.05)" -> generator.uniform(-0.05, 0.05);
                    default -> throw new AssertionError("this test knows no call " + call.get(0));
                };
                assertThat(drawn).as(call.get(0).asText()).isEqualTo(number(call.get(1)));
            }
        });
    }

    @Test
    void aHundredThousandDrawsAreNumPys() {
        forEachSeed(seed -> {
            JsonNode golden = seed.get("sha256_le");
            Pcg64 uniforms = generator(seed);
            Pcg64 normals = generator(seed);
            Pcg64 integers = generator(seed);
            assertThat(hashed(HASHED, () -> Double.doubleToRawLongBits(uniforms.random())))
                    .isEqualTo(golden.get("random_100000").asText());
            assertThat(hashed(HASHED, () -> Double.doubleToRawLongBits(normals.standardNormal())))
                    .isEqualTo(golden.get("standard_normal_100000").asText());
            assertThat(hashed(HASHED, () -> integers.integers(0, 10)))
                    .isEqualTo(golden.get("integers_0_10_int64_100000").asText());
            int[] order = IntStream.range(0, 1000).toArray();
            generator(seed).shuffle(order);
            int[] next = {0};
            assertThat(hashed(order.length, () -> order[next[0]++]))
                    .isEqualTo(golden.get("permutation_1000_int64").asText());
        });
    }

    /** Of NumPy 2.4.6 with glibc 2.36; 1 of 4,000 comes from the tail, which takes logarithms. */
    @ParameterizedTest
    @CsvSource({
        "0, 53a922d0cee928f18ff8ab104f25caa43ac6f476b406223bcc0c3407b4601c8d",
        "1, b4ea4820157f3173b9e13dd2902d5c15cbd62cfdaa3376720aae008bfab06f51",
        "7, f3b231753cada625e9d537f5fea5f39de2a07b0979e163c10630adf1196f773a",
        "123456789, 511775c432a7fb9494954ef911241261028a1e660b8d5547288e1ba4685e6c13"
    })
    void aMillionNormalsAreNumPys(long seed, String sha256) {
        Pcg64 normals = Pcg64.of(seed);
        assertThat(hashed(1_000_000, () -> Double.doubleToRawLongBits(normals.standardNormal())))
                .isEqualTo(sha256);
    }

    @Test
    void spacesAreSampledAsByGymnasium() {
        for (JsonNode seed : Golden.read("rng/spaces.json").get("seeds")) {
            assertSamples(seed, "Discrete_5_16", new Discrete(5));
            assertSamples(seed, "Discrete_3_start_-1_8", new Discrete(3, -1));
            assertSamples(seed, "Box_-2_2_shape3_float32_4", Box.of(3, -2, 2));
            assertSamples(seed, "MultiBinary_4_4", new MultiBinary(4));
            assertSamples(seed, "MultiDiscrete_3_5_2_4", MultiDiscrete.of(3, 5, 2));
        }
    }

    private static void assertSamples(JsonNode seed, String name, Space space) {
        Pcg64 generator =
                Pcg64.of(SeedSequence.of(new BigInteger(seed.get("seed").asText())));
        for (JsonNode sample : seed.get(name)) {
            float[] golden = new float[space.width()];
            for (int i = 0; i < golden.length; i++) {
                golden[i] = (float) number(sample.isArray() ? sample.get(i) : sample);
            }
            float[] drawn = space.sample(generator);
            assertThat(drawn).as("%s of seed %s", name, seed.get("seed")).isEqualTo(golden);
            assertThat(space.contains(drawn, 0)).isTrue();
        }
    }

    private static void forEachSeed(Consumer<JsonNode> check) {
        Golden.read("rng/pcg64.json").get("seeds").forEach(check);
    }

    private static SeedSequence sequence(JsonNode seed) {
        return SeedSequence.of(new BigInteger(seed.get("entropy").asText()));
    }

    private static Pcg64 generator(JsonNode seed) {
        return Pcg64.of(sequence(seed));
    }

    private static void assertReals(JsonNode golden, DoubleSupplier draw) {
        for (int i = 0; i < golden.size(); i++) {
            assertThat(draw.getAsDouble()).as("draw %s", i).isEqualTo(number(golden.get(i)));
        }
    }

    private static void assertIntegers(JsonNode seed, String name, long from, long to) {
        Pcg64 generator = generator(seed);
        assertThat(drawn(seed.get(name), () -> generator.integers(from, to)))
                .as(name)
                .isEqualTo(longs(seed.get(name)));
    }

    private static long[] drawn(JsonNode golden, LongSupplier draw) {
        return IntStream.range(0, golden.size())
                .mapToLong(i -> draw.getAsLong())
                .toArray();
    }

    private static long[] longs(JsonNode numbers) {
        return StreamSupport.stream(numbers.spliterator(), false)
                .mapToLong(number -> new BigInteger(number.asText()).longValue())
                .toArray();
    }

    private static double number(JsonNode number) {
        return number.isTextual() ? Double.parseDouble(number.asText()) : number.asDouble();
    }

    public static String wide(State state, String high, String low) {
        BigInteger mask = BigInteger.ONE.shiftLeft(Long.SIZE).subtract(BigInteger.ONE);
        return BigInteger.valueOf(state.whole(high))
                .and(mask)
                .shiftLeft(Long.SIZE)
                .or(BigInteger.valueOf(state.whole(low)).and(mask))
                .toString();
    }

    private static String hashed(int count, LongSupplier draw) {
        ByteBuffer bytes = ByteBuffer.allocate(count * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < count; i++) {
            bytes.putLong(draw.getAsLong());
        }
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes.array()));
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }
}
