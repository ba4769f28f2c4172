package hocket.programs;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import hocket.scopes.ElementType;
import hocket.scopes.Shape;
import hocket.scopes.Tensor;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * Reference values of independent implementations: the copy in the test resources, or the folder that the system
 * property {@code hocket.golden} names (relative to {@code hocket.root}). The README beside them says where they come
 * from.
 */
public final class Golden {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private Golden() {}

    /** A file of the golden folder, such as {@code gradients/conv2d.json}. */
    public static JsonNode read(String file) {
        Path root = Path.of(System.getProperty("hocket.root", ""));
        String folder = System.getProperty("hocket.golden", "");
        try (InputStream in = folder.isBlank()
                ? resource(file)
                : Files.newInputStream(root.resolve(folder).resolve(file))) {
            return MAPPER.readTree(in);
        } catch (IOException e) {
            throw new UncheckedIOException("golden data " + file + ": " + e.getMessage(), e);
        }
    }

    /** The names of the files in a golden folder, such as {@code gradients}, in order. */
    static List<String> files(String part) {
        String folder = System.getProperty("hocket.golden", "");
        try {
            Path path = folder.isBlank()
                    ? Path.of(Objects.requireNonNull(Golden.class.getResource("/golden/" + part))
                            .toURI())
                    : Path.of(System.getProperty("hocket.root", ""))
                            .resolve(folder)
                            .resolve(part);
            try (Stream<Path> files = Files.list(path)) {
                return files.map(file -> file.getFileName().toString()).sorted().toList();
            }
        } catch (IOException | URISyntaxException e) {
            throw new IllegalStateException("golden folder " + part + ": " + e.getMessage(), e);
        }
    }

    private static InputStream resource(String file) throws IOException {
        InputStream in = Golden.class.getResourceAsStream("/golden/" + file);
        if (in == null) {
            throw new IOException("not in the test resources");
        }
        return in;
    }

    /** The cases of a file. */
    static Stream<JsonNode> cases(String file) {
        return StreamSupport.stream(read(file).get("cases").spliterator(), false);
    }

    /** A tensor's extents. */
    public static Shape shape(JsonNode tensor) {
        JsonNode shape = tensor.get("shape");
        return Shape.of(
                IntStream.range(0, shape.size()).map(i -> shape.get(i).asInt()).toArray());
    }

    /** A tensor's numbers, row-major; a plain number is a tensor of one. */
    public static double[] numbers(JsonNode tensor) {
        if (!tensor.isObject()) {
            return new double[] {number(tensor)};
        }
        JsonNode data = tensor.get("data");
        return IntStream.range(0, data.size())
                .mapToDouble(i -> number(data.get(i)))
                .toArray();
    }

    /** A number, which may be one of the strings NaN, Infinity and -Infinity. */
    static double number(JsonNode number) {
        return number.isTextual() ? Double.parseDouble(number.asText()) : number.asDouble();
    }

    /** The tensor in a type of ours: floating ones in the given type, integers as INT64. */
    public static Tensor tensor(JsonNode tensor, ElementType type) {
        return tensor(
                shape(tensor),
                tensor.get("dtype").asText().equals("int64") ? ElementType.INT64 : type,
                numbers(tensor));
    }

    /** These numbers in a type. */
    public static Tensor tensor(Shape shape, ElementType type, double... numbers) {
        return switch (type) {
            case FLOAT64 -> Tensor.of(shape, numbers);
            case INT64 ->
                Tensor.of(
                        shape,
                        IntStream.range(0, numbers.length)
                                .mapToLong(i -> (long) numbers[i])
                                .toArray());
            case FLOAT32 -> {
                float[] floats = new float[numbers.length];
                for (int i = 0; i < floats.length; i++) {
                    floats[i] = (float) numbers[i];
                }
                yield Tensor.of(shape, floats);
            }
        };
    }

    /** Each number as near as {@code tolerance * max(1, |golden|)}. */
    public static void assertNear(String what, double[] actual, double[] golden, double tolerance) {
        assertThat(actual).as(what).hasSameSizeAs(golden);
        for (int i = 0; i < golden.length; i++) {
            assertNear(what, i, actual[i], golden[i], tolerance * Math.max(1, Math.abs(golden[i])));
        }
    }

    /** Each number as near as {@code tolerance} times the largest magnitude among the golden ones. */
    public static void assertNearByMagnitude(String what, double[] actual, double[] golden, double tolerance) {
        assertThat(actual).as(what).hasSameSizeAs(golden);
        double largest = 0;
        for (double number : golden) {
            largest = Math.max(largest, Math.abs(number));
        }
        for (int i = 0; i < golden.length; i++) {
            assertNear(what, i, actual[i], golden[i], tolerance * largest);
        }
    }

    private static void assertNear(String what, int index, double actual, double golden, double limit) {
        boolean near = Double.compare(actual, golden) == 0 || Math.abs(actual - golden) <= limit;
        assertThat(near)
                .as(
                        "%s[%d] is %s, golden %s, difference %.3g, allowed %.3g",
                        what, index, actual, golden, Math.abs(actual - golden), limit)
                .isTrue();
    }
}
