package hocket.gan.data;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.stream.IntStream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;

/** Against the figures of the data set's own README (shared/data/README.md). */
class DigitsTest {
    @Test
    void theFilesInTheJarAreTheOriginalOnes() throws IOException {
        assertThat(sha256(Digits.bytes(Digits.IMAGES)))
                .isEqualTo("16bf71e8bfa958f11ad68a045567f2a2f5362b27ab1e7cadd4cf9a3cbb37176e");
        assertThat(sha256(unpacked(Digits.IMAGES)))
                .isEqualTo("359cd13f0f514122884198b78a131df597421cbf5e93a76678fa96fc548f0d96");
        assertThat(sha256(Digits.bytes(Digits.LABELS)))
                .isEqualTo("22e1486adc7849d49bbac7f3e6227134ade1aea8cf5289c8dceeecd5a005d43c");
        assertThat(sha256(unpacked(Digits.LABELS)))
                .isEqualTo("ce71631c1f31ce56fa54f31d1d498fafacff59b001e6c30c4a5e29508aa277ad");
    }

    @Test
    void thereAre1797DigitsOfTenClasses() {
        Images digits = Digits.load();

        assertThat(digits).hasToString("1797 images of (1,8,8), 10 classes");
        int[] counts = new int[10];
        for (int label : digits.labels()) {
            counts[label]++;
        }
        assertThat(counts).containsExactly(178, 182, 177, 183, 181, 182, 181, 179, 174, 180);
        assertThat(digits.at(IntStream.range(0, 10).toArray()).labels()).containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8, 9);
    }

    @Test
    void theirPixelsSumToTheGivenSum() {
        double sum = 0;
        for (float pixel : Digits.load().pixels()) {
            sum += (pixel + 1) * 8; // exact: x/8 - 1 of whole numbers to 16
        }
        assertThat(sum).isEqualTo(561_718);
    }

    @Test
    void theLicenceIsBesideTheFiles() {
        assertThat(new String(Digits.bytes("NOTICE-optdigits.txt"), StandardCharsets.UTF_8))
                .contains("Alpaydin", "CC BY 4.0", "10.24432/C50P49");
    }

    private static byte[] unpacked(String name) throws IOException {
        return new GZIPInputStream(new ByteArrayInputStream(Digits.bytes(name))).readAllBytes();
    }

    private static String sha256(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
