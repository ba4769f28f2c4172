package hocket.rl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import hocket.scopes.ElementType;
import hocket.scopes.Shape;
import hocket.scopes.Tensor;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.stream.IntStream;

/**
 * Reference values of independent implementations: the copy in the test resources, or the folder that the system
 * property {@code hocket.golden} names (relative to {@code hocket.root}), where a file that is not there skips the
 * test.
 */
public final class Golden {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private Golden() {}

    /** A file of the golden folder, such as {@code losses/rl.json}. */
    public static JsonNode read(String file) {
        String folder = System.getProperty("hocket.golden", "");
        Path given =
                Path.of(System.getProperty("hocket.root", "")).resolve(folder).resolve(file);
        assumeTrue(folder.isBlank() || Files.exists(given), given + " is not there: nothing to check");
        try (InputStream in = folder.isBlank()
                ? Objects.requireNonNull(Golden.class.getResourceAsStream("/golden/" + file), file)
                : Files.newInputStream(given)) {
            return MAPPER.readTree(in);
        } catch (IOException e) {
            throw new UncheckedIOException("golden data " + file + ": " + e.getMessage(), e);
        }
    }

    /** A tensor's extents. */
    public static Shape shape(JsonNode tensor) {
        JsonNode shape = tensor.get("shape");
        return Shape.of(
                IntStream.range(0, shape.size()).map(i -> shape.get(i).asInt()).toArray());
    }

    /** A tensor's numbers, row-major; a plain number is a tensor of one, a plain list a vector. */
    public static double[] numbers(JsonNode tensor) {
        if (tensor.isNumber() || tensor.isTextual()) {
            return new double[] {number(tensor)};
        }
        JsonNode data = tensor.isArray() ? tensor : tensor.get("data");
        return IntStream.range(0, data.size())
                .mapToDouble(i -> number(data.get(i)))
                .toArray();
    }

    private static double number(JsonNode number) {
        return number.isTextual() ? Double.parseDouble(number.asText()) : number.asDouble();
    }

    /** The tensor in a floating type. */
    public static Tensor tensor(JsonNode tensor, ElementType type) {
        return tensor(shape(tensor), type, numbers(tensor));
    }

    /** These numbers in a floating type. */
    public static Tensor tensor(Shape shape, ElementType type, double... numbers) {
        if (type == ElementType.FLOAT64) {
            return Tensor.of(shape, numbers);
        }
        return Tensor.of(shape, floats(numbers));
    }

    /** A tensor's numbers as floats, row-major. */
    public static float[] floats(JsonNode tensor) {
        return floats(numbers(tensor));
    }

    /** These numbers as floats. */
    public static float[] floats(double... numbers) {
        float[] floats = new float[numbers.length];
        for (int i = 0; i < floats.length; i++) {
            floats[i] = (float) numbers[i];
        }
        return floats;
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
        assertThat(Math.abs(actual - golden) <= limit)
                .as("%s[%d] is %s, golden %s, allowed difference %.3g", what, index, actual, golden, limit)
                .isTrue();
    }
}
