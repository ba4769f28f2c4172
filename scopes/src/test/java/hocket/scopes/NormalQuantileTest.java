package hocket.scopes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class NormalQuantileTest {
    @Test
    void doublesAgreeWithScipyFromTheMiddleToTheLastPart() throws IOException {
        for (List<String> line : Expected.lines("double")) {
            long part = Long.parseLong(line.get(0));
            double wanted = Double.parseDouble(line.get(1));
            assertThat(NormalQuantile.ofLong(bits(part)))
                    .as("part %d", part)
                    .isCloseTo(wanted, within(1e-14 * Math.abs(wanted)));
        }
    }

    @Test
    void floatsAgreeWithScipyFromTheMiddleToTheLastPart() throws IOException {
        for (List<String> line : Expected.lines("float")) {
            int part = Integer.parseInt(line.get(0));
            double wanted = Double.parseDouble(line.get(1));
            assertThat((double) NormalQuantile.ofInt(part + Integer.MIN_VALUE))
                    .as("part %d", part)
                    .isCloseTo(wanted, within(2e-7 * Math.abs(wanted)));
        }
    }

    @Test
    void oppositeBitsGiveExactlyOppositeNormals() throws IOException {
        for (List<String> line : Expected.lines("double")) {
            long bits = bits(Long.parseLong(line.get(0)));
            assertThat(NormalQuantile.ofLong(~bits)).isEqualTo(-NormalQuantile.ofLong(bits));
        }
        for (List<String> line : Expected.lines("float")) {
            int bits = Integer.parseInt(line.get(0)) + Integer.MIN_VALUE;
            assertThat(NormalQuantile.ofInt(~bits)).isEqualTo(-NormalQuantile.ofInt(bits));
        }
    }

    @Test
    void moreBitsNeverGiveLess() {
        float before = Float.NEGATIVE_INFINITY;
        for (long bits = Integer.MIN_VALUE; bits <= Integer.MAX_VALUE; bits += 9973) {
            float normal = NormalQuantile.ofInt((int) bits);
            assertThat(normal).isGreaterThanOrEqualTo(before);
            before = normal;
        }
    }

    /** The bits of one of 2^53 parts of (0, 1), counted from the left. */
    private static long bits(long part) {
        return (part - (1L << 52)) << 11;
    }
}
