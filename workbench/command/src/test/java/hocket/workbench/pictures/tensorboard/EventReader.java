package hocket.workbench.pictures.tensorboard;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Reads event files by what their formats say, and by nothing of what wrote them. */
final class EventReader {
    private EventReader() {}

    /** A field of a message: its bytes as they lie there, or a number of 64 bits. */
    private record Field(int number, long bits, byte[] bytes) {
        ByteBuffer buffer() {
            return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        }

        String text() {
            return new String(bytes, StandardCharsets.UTF_8);
        }

        double real() {
            return Double.longBitsToDouble(bits);
        }
    }

    private record Message(Map<Integer, Field> fields) {
        boolean has(int number) {
            return fields.containsKey(number);
        }

        Field get(int number) {
            return Objects.requireNonNull(fields.get(number));
        }
    }

    /** What a file says first, or that a run starts again there. */
    record Mark(String what, long step) {}

    record Scalar(long step, double time, float value) {}

    record Image(long step, long height, long width, long channels, byte[] png) {}

    record Histogram(long step, double min, double max, double num, double sum, double[] limits, double[] buckets) {}

    /** All of a folder, by the tags: what starts again takes back what lies from its step on. */
    record Board(
            List<Mark> marks,
            SortedMap<String, List<Scalar>> scalars,
            SortedMap<String, List<Image>> images,
            SortedMap<String, List<Histogram>> histograms) {}

    /** Those of a tag, which must be there. */
    static <T> List<T> of(SortedMap<String, List<T>> all, String tag) {
        List<T> found = all.get(tag);
        if (found == null) {
            throw new AssertionError("there is no " + tag + " among " + all.keySet());
        }
        return found;
    }

    static Board read(Path folder) throws IOException {
        Board board = new Board(new ArrayList<>(), new TreeMap<>(), new TreeMap<>(), new TreeMap<>());
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.sorted().toList()) {
                for (byte[] event : records(Files.readAllBytes(file))) {
                    add(event, board);
                }
            }
        }
        return board;
    }

    private static List<byte[]> records(byte[] file) {
        List<byte[]> records = new ArrayList<>();
        ByteBuffer in = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
        while (in.hasRemaining()) {
            byte[] length = new byte[8];
            in.get(length);
            require(length, in.getInt());
            byte[] event = new byte
                    [(int) ByteBuffer.wrap(length)
                            .order(ByteOrder.LITTLE_ENDIAN)
                            .getLong()];
            in.get(event);
            require(event, in.getInt());
            records.add(event);
        }
        return records;
    }

    private static void require(byte[] bytes, int masked) {
        int crc = ~0;
        for (byte each : bytes) {
            crc ^= each & 0xff;
            for (int bit = 0; bit < 8; bit++) {
                crc = (crc >>> 1) ^ ((crc & 1) == 0 ? 0 : 0x82f63b78);
            }
        }
        crc = ~crc;
        int wanted = ((crc >>> 15) | (crc << 17)) + 0xa282ead8;
        if (masked != wanted) {
            throw new AssertionError(String.format(Locale.ROOT, "the sum is %x, must be %x", masked, wanted));
        }
    }

    private static Message message(byte[] bytes) {
        Map<Integer, Field> fields = new TreeMap<>();
        ByteBuffer in = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        while (in.hasRemaining()) {
            long tag = varint(in);
            int number = (int) (tag >>> 3);
            byte[] none = new byte[0];
            Field field = switch ((int) (tag & 7)) {
                case 0 -> new Field(number, varint(in), none);
                case 1 -> new Field(number, in.getLong(), none);
                case 5 -> new Field(number, in.getInt(), none);
                case 2 -> {
                    byte[] inner = new byte[(int) varint(in)];
                    in.get(inner);
                    yield new Field(number, 0, inner);
                }
                default -> throw new AssertionError("wire type of " + tag);
            };
            if (fields.put(number, field) != null) {
                throw new AssertionError("field " + number + " is there twice");
            }
        }
        return new Message(fields);
    }

    private static long varint(ByteBuffer in) {
        long value = 0;
        for (int shift = 0; ; shift += 7) {
            byte next = in.get();
            value |= (next & 0x7fL) << shift;
            if (next >= 0) {
                return value;
            }
        }
    }

    private static void add(byte[] bytes, Board board) {
        Message event = message(bytes);
        double time = event.get(1).real();
        long step = event.get(2).bits();
        if (event.has(3)) {
            board.marks().add(new Mark(event.get(3).text(), step));
        } else if (event.has(7)) {
            board.marks()
                    .add(new Mark(
                            "status " + message(event.get(7).bytes()).get(1).bits(), step));
            board.scalars().values().forEach(all -> all.removeIf(each -> each.step() >= step));
            board.images().values().forEach(all -> all.removeIf(each -> each.step() >= step));
            board.histograms().values().forEach(all -> all.removeIf(each -> each.step() >= step));
        } else {
            value(message(message(event.get(5).bytes()).get(1).bytes()), time, step, board);
        }
    }

    private static void value(Message value, double time, long step, Board board) {
        String tag = value.get(1).text();
        if (value.has(2)) {
            float scalar = Float.intBitsToFloat((int) value.get(2).bits());
            board.scalars().computeIfAbsent(tag, key -> new ArrayList<>()).add(new Scalar(step, time, scalar));
        } else if (value.has(4)) {
            Message image = message(value.get(4).bytes());
            board.images()
                    .computeIfAbsent(tag, key -> new ArrayList<>())
                    .add(new Image(
                            step,
                            image.get(1).bits(),
                            image.get(2).bits(),
                            image.get(3).bits(),
                            image.get(4).bytes()));
        } else {
            Message histogram = message(value.get(5).bytes());
            board.histograms()
                    .computeIfAbsent(tag, key -> new ArrayList<>())
                    .add(new Histogram(
                            step,
                            histogram.get(1).real(),
                            histogram.get(2).real(),
                            histogram.get(3).real(),
                            histogram.get(4).real(),
                            reals(histogram.get(6)),
                            reals(histogram.get(7))));
        }
    }

    private static double[] reals(Field packed) {
        double[] reals = new double[packed.bytes().length / Double.BYTES];
        packed.buffer().asDoubleBuffer().get(reals);
        return reals;
    }
}
