package hocket.workbench.command;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** Files with something wrong: up to four changes to a sound one, decided by a seed. */
final class Mutations {
    private static final int MOST_CHANGES = 4;
    private static final long[] EXTREMES = {
        0, 1, -1, 127, 128, 255, 256, 65_535, 65_536, 1L << 31, (1L << 31) - 1, 1L << 32, (1L << 63) - 1, 1L << 63
    };
    private static final Pattern NUMBER = Pattern.compile("\\d+");

    private final Random random;

    private Mutations(Random random) {
        this.random = random;
    }

    /** The bytes of a file of which something is wrong; the same for the same seed. */
    static byte[] of(byte[] sound, long seed) {
        Mutations mutations = new Mutations(new Random(seed));
        byte[] bytes = sound;
        for (int changes = 1 + mutations.random.nextInt(MOST_CHANGES); changes > 0; changes--) {
            bytes = mutations.changed(bytes);
        }
        return bytes;
    }

    private byte[] changed(byte[] bytes) {
        if (bytes.length == 0) {
            return bytes;
        }
        return switch (random.nextInt(9)) {
            case 0 -> {
                byte[] flipped = bytes.clone();
                flipped[place(bytes)] ^= (byte) (1 << random.nextInt(8));
                yield flipped;
            }
            case 1 -> {
                byte[] set = bytes.clone();
                set[place(bytes)] = (byte) random.nextInt(256);
                yield set;
            }
            case 2 -> joined(bytes, 0, place(bytes), new byte[0], bytes.length);
            case 3 -> { // new bytes
                byte[] more = new byte[1 + random.nextInt(8)];
                random.nextBytes(more);
                int at = place(bytes);
                yield joined(bytes, 0, at, more, at);
            }
            case 4 -> { // a range once more, or left out
                int begin = place(bytes);
                int end = begin + random.nextInt(Math.min(bytes.length - begin, 64) + 1);
                yield random.nextBoolean()
                        ? joined(bytes, 0, end, new byte[0], begin)
                        : joined(bytes, 0, begin, new byte[0], end);
            }
            case 5, 6 -> withExtreme(bytes);
            default -> withOtherNumber(bytes);
        };
    }

    /** Somewhere; near the start, where headers are, more often than elsewhere. */
    private int place(byte[] bytes) {
        return random.nextInt(random.nextBoolean() ? Math.min(bytes.length, 128) : bytes.length);
    }

    private static byte[] joined(byte[] bytes, int begin, int end, byte[] between, int again) {
        ByteArrayOutputStream joined = new ByteArrayOutputStream();
        joined.write(bytes, begin, end - begin);
        joined.writeBytes(between);
        joined.write(bytes, again, bytes.length - again);
        return joined.toByteArray();
    }

    private long extreme() {
        return EXTREMES[random.nextInt(EXTREMES.length)];
    }

    /** A binary number of 1, 2, 4 or 8 bytes becomes an extreme. */
    private byte[] withExtreme(byte[] bytes) {
        int width = 1 << random.nextInt(4);
        if (bytes.length < width) {
            return bytes;
        }
        int at = Math.min(place(bytes), bytes.length - width);
        ByteBuffer number = ByteBuffer.allocate(Long.BYTES)
                .order(random.nextBoolean() ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN)
                .putLong(extreme());
        byte[] set = bytes.clone();
        System.arraycopy(
                number.array(), number.order() == ByteOrder.LITTLE_ENDIAN ? 0 : Long.BYTES - width, set, at, width);
        return set;
    }

    /** A number in digits becomes an extreme, or the number that stands elsewhere. */
    private byte[] withOtherNumber(byte[] bytes) {
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        List<MatchResult> numbers = NUMBER.matcher(text).results().toList();
        if (numbers.isEmpty()) {
            return bytes;
        }
        MatchResult changed = numbers.get(random.nextInt(numbers.size()));
        String other = random.nextBoolean()
                ? Long.toString(extreme())
                : numbers.get(random.nextInt(numbers.size())).group();
        return (text.substring(0, changed.start()) + other + text.substring(changed.end()))
                .getBytes(StandardCharsets.ISO_8859_1);
    }
}
