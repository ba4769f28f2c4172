package hocket.rl.random;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.fasterxml.jackson.databind.JsonNode;
import hocket.rl.Golden;
import hocket.schedulers.state.State;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Compares MT19937 with NumPy's {@code RandomState}, bit for bit. */
@Tag("golden")
class GoldenTwisterTest {
    static List<JsonNode> seeds() {
        return list(Golden.read("rng/mt19937.json").get("seeds"));
    }

    private static List<JsonNode> list(JsonNode nodes) {
        return nodes.isArray()
                ? StreamSupport.stream(nodes.spliterator(), false).toList()
                : List.of(nodes);
    }

    private static Mt19937 generator(JsonNode seed) {
        return Mt19937.of(seed.get("seed").asLong());
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void aSeedIsSpreadAsByNumPy(JsonNode seed) {
        double[] words = generator(seed).save().tensor("words").doubles();
        JsonNode golden = seed.get("first_4_words_of_the_state");
        for (int i = 0; i < golden.size(); i++) {
            assertThat(words[i]).isEqualTo(golden.get(i).asDouble());
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void drawsOfEachKindAreNumPys(JsonNode seed) {
        Mt19937 raw = generator(seed);
        for (JsonNode word : seed.get("raw_uint32_16")) {
            assertThat(Integer.toUnsignedLong(raw.nextInt())).isEqualTo(word.asLong());
        }
        assertDraws(generator(seed), "rand", 0, 0, seed.get("rand_16"));
        assertDraws(generator(seed), "randint", 0, 6, seed.get("randint_6_16_calls"));
        assertDraws(generator(seed), "randint", 1, 6, seed.get("randint_1_6_size_16"));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void drawsOfDifferentKindsInterleaveAsInNumPy(JsonNode seed) {
        Mt19937 generator = generator(seed);
        for (JsonNode call : seed.get("mixed_calls")) {
            JsonNode values = call.get(call.size() - 1);
            assertDraws(
                    generator,
                    call.get(0).asText(),
                    call.path(1).asInt(),
                    call.path(2).asInt(),
                    values);
        }
    }

    private static void assertDraws(Mt19937 generator, String kind, int from, int to, JsonNode values) {
        for (JsonNode value : list(values)) {
            double drawn = kind.equals("rand") ? generator.random() : generator.integers(from, to);
            assertThat(drawn)
                    .as(kind)
                    .isEqualTo(value.isTextual() ? Double.parseDouble(value.asText()) : value.asDouble());
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void aHundredThousandDrawsAreNumPys(JsonNode seed) throws NoSuchAlgorithmException {
        Mt19937 generator = generator(seed);
        ByteBuffer bytes = ByteBuffer.allocate(100_000 * Double.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        while (bytes.hasRemaining()) {
            bytes.putDouble(generator.random());
        }
        assertThat(HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes.array())))
                .isEqualTo(seed.get("sha256_le").get("rand_100000").asText());
    }

    @Test
    void aSavedGeneratorContinues() {
        Mt19937 generator = Mt19937.of(7);
        generator.random();
        State saved = generator.save();
        Mt19937 other = Mt19937.of(saved);
        assertThat(other.save()).isEqualTo(saved);
        for (int i = 0; i < 2000; i++) {
            assertThat(other.nextInt()).isEqualTo(generator.nextInt());
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> other.restore(saved.with("position", 625)))
                .withMessageContaining("was saved as 624 words and position 625");
    }

    @Test
    void aSeedAndARangeMustBeNumPys() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Mt19937.of(1L << 32))
                .withMessage("a seed of MT19937 must be 0 to 4294967295, was 4294967296");
        Mt19937 generator = Mt19937.of(0);
        assertThat(generator.integers(3, 4)).isEqualTo(3);
        assertThat(generator.nextInt()).isEqualTo(Mt19937.of(0).nextInt());
        assertThatIllegalArgumentException().isThrownBy(() -> generator.integers(4, 4));
    }
}
