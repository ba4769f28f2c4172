package hocket.scopes;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class DigestTest {
    private static final ByteBuffer BYTES = ByteBuffer.wrap(new byte[] {1, 2, 3, 4, 5, 6, 7, 8});

    private static String of(String name, ElementType type, Shape shape) {
        return new Digest().add(name, type, shape, BYTES).hex();
    }

    @Test
    void itIsTheSha256OfAHeaderAndTheBytes() throws Exception {
        MessageDigest sha = MessageDigest.getInstance("SHA-256");
        sha.update("a/w FLOAT32 (2)\n".getBytes(StandardCharsets.UTF_8));
        sha.update(BYTES.array());
        assertThat(of("a/w", ElementType.FLOAT32, Shape.of(2)))
                .isEqualTo(HexFormat.of().formatHex(sha.digest()));
    }

    @Test
    void nameTypeAndShapeCountAsWell() {
        assertThat(new String[] {
                    of("a", ElementType.FLOAT32, Shape.of(2)),
                    of("b", ElementType.FLOAT32, Shape.of(2)),
                    of("a", ElementType.FLOAT32, Shape.of(1, 2)),
                    of("a", ElementType.FLOAT64, Shape.of(1)),
                    of("a", ElementType.INT64, Shape.of(1))
                })
                .doesNotHaveDuplicates();
    }

    @Test
    void theBufferStaysAsItIs() {
        ByteBuffer buffer = BYTES.duplicate().position(4);
        String digest =
                new Digest().add("a", ElementType.FLOAT32, Shape.of(1), buffer).hex();
        assertThat(buffer.position()).isEqualTo(4);
        assertThat(digest)
                .isEqualTo(new Digest()
                        .add("a", ElementType.FLOAT32, Shape.of(1), buffer.slice())
                        .hex());
    }

    @Test
    void afterItsHexItBeginsAnew() {
        Digest digest = new Digest().add("a", ElementType.FLOAT32, Shape.of(2), BYTES);
        String first = digest.hex();
        assertThat(digest.add("a", ElementType.FLOAT32, Shape.of(2), BYTES).hex())
                .isEqualTo(first);
    }
}
