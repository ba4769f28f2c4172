package hocket.schedulers.optimizers;

import static hocket.schedulers.optimizers.Optimizers.chain;
import static hocket.schedulers.optimizers.Optimizers.sgd;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import hocket.schedulers.optimizers.kernels.KernelThreads;
import hocket.schedulers.optimizers.kernels.Kernels;
import hocket.schedulers.optimizers.kernels.KernelsTest;
import hocket.schedulers.optimizers.rates.Rate;
import hocket.schedulers.optimizers.rates.TrainingProgress;
import hocket.schedulers.optimizers.updates.UpdatePlan;
import hocket.scopes.ElementType;
import hocket.scopes.Shape;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** {@code optimizers.json}: float64 within 1e-10 and float32 within 1e-5 of max(1, |value|), rates within 1e-7. */
@Tag("golden")
class GoldenOptimizersTest {
    private static final JsonNode GOLDEN = read();

    private static final List<ElementType> FLOATING = List.of(ElementType.FLOAT32, ElementType.FLOAT64);

    /** The arrays of the file, one behind the other in its rows, as weights of a plan. */
    private static final class Weights {
        private final List<Target> targets = new ArrayList<>();

        Weights(ElementType type, double[] initial) {
            int at = 0;
            for (var field : GOLDEN.get("shapes").properties()) {
                Shape shape = Shape.of(StreamSupport.stream(field.getValue().spliterator(), false)
                        .mapToInt(JsonNode::asInt)
                        .toArray());
                double[] values = Arrays.copyOfRange(initial, at, at + shape.size());
                targets.add(Target.of(
                        "net/" + field.getKey(),
                        shape,
                        NativeArrays.of(type, values),
                        NativeArrays.zeros(type, shape.size())));
                at += shape.size();
            }
            assertThat(at).as("elements of the shapes").isEqualTo(initial.length);
        }

        void gradient(double[] values) {
            int at = 0;
            for (Target target : targets) {
                int length = target.weight().length();
                NativeArrays.set(target.gradient(), Arrays.copyOfRange(values, at, at + length));
                at += length;
            }
        }

        double[] values() {
            return targets.stream()
                    .flatMapToDouble(target -> Arrays.stream(NativeArrays.values(target.weight())))
                    .toArray();
        }

        double[] slot(UpdatePlan plan, String name) {
            return targets.stream()
                    .flatMapToDouble(target -> Arrays.stream(
                            java.util.Objects.requireNonNull(plan.slots().get(target.path() + "/" + name))
                                    .read()
                                    .doubles()))
                    .toArray();
        }
    }

    static Stream<JsonNode> runs() {
        return StreamSupport.stream(GOLDEN.get("runs").spliterator(), false);
    }

    static Stream<JsonNode> schedules() {
        return StreamSupport.stream(GOLDEN.get("schedules").spliterator(), false);
    }

    static Stream<JsonNode> clippings() {
        return StreamSupport.stream(GOLDEN.get("clipping").spliterator(), false);
    }

    @ParameterizedTest(name = "{argumentsWithNames}")
    @MethodSource("runs")
    void everyRunAgrees(JsonNode run) {
        UpdateRule rule = GoldenForms.rule(run);
        for (ElementType type : FLOATING) {
            JsonNode rows = run.get(type == ElementType.FLOAT32 ? "params_float32" : "params_float64");
            JsonNode slow = run.path(type == ElementType.FLOAT32 ? "params_slow_float32" : "params_slow_float64");
            for (Kernels kernels : KernelsTest.all()) {
                Weights weights =
                        new Weights(type, doubles(GOLDEN.get("initial").get("data")));
                UpdatePlan plan = UpdatePlan.of(rule, weights.targets);
                try (KernelThreads kernelThreads = KernelThreads.of(1, () -> kernels)) {
                    for (int i = 0; i < rows.size(); i++) {
                        weights.gradient(doubles(GOLDEN.get("gradients").get(i)));
                        plan.run(kernelThreads);
                        String what = run.get("name").asText() + " " + kernels.name() + " update " + (i + 1);
                        assertClose(what, type, weights.values(), doubles(rows.get(i)));
                        if (slow.size() > i) {
                            assertClose(what + " slow", type, weights.slot(plan, "slow"), doubles(slow.get(i)));
                        }
                    }
                }
            }
        }
    }

    @ParameterizedTest(name = "{argumentsWithNames}")
    @MethodSource("schedules")
    void everyScheduleAgrees(JsonNode schedule) {
        Rate rate = GoldenForms.rate(schedule);
        double[] expected = doubles(schedule.get("values"));
        for (int i = 0; i < expected.length; i++) {
            assertThat(rate.at(TrainingProgress.of(i + 1, 0, 0)))
                    .as("%s at %d", schedule.get("name").asText(), i)
                    .isCloseTo(expected[i], within(1e-7));
        }
    }

    @ParameterizedTest(name = "{argumentsWithNames}")
    @MethodSource("clippings")
    void everyClippingAgrees(JsonNode entry) {
        double[] first = doubles(GOLDEN.get("gradients").get(0));
        double most = entry.get("max").asDouble();
        for (var field : entry.properties()) {
            if (field.getKey().equals("max") || field.getKey().equals("global_norm")) {
                continue;
            }
            GradientTransformation clip = GoldenForms.clip(field.getKey(), most);
            for (ElementType type : FLOATING) {
                Weights weights = new Weights(type, new double[first.length]);
                weights.gradient(first);
                UpdatePlan plan = UpdatePlan.of(chain(clip, sgd(1)), weights.targets);
                try (KernelThreads kernelThreads = KernelThreads.of(1)) {
                    assertThat(plan.gradientNorm(kernelThreads))
                            .isCloseTo(entry.get("global_norm").asDouble(), within(1e-10));
                    plan.run(kernelThreads);
                }
                double[] minus = Arrays.stream(weights.values()).map(x -> -x).toArray();
                assertClose(
                        field.getKey() + " " + most,
                        type,
                        minus,
                        doubles(field.getValue().get("data")));
            }
        }
    }

    @Test
    void everyAverageAgrees() {
        JsonNode ema = GOLDEN.get("ema");
        double[] initial = doubles(ema.get("initial").get("data"));
        for (var field : ema.get("cases").properties()) {
            for (Kernels kernels : KernelsTest.all()) {
                GoldenForms.average(field.getKey(), initial).agree(kernels, field.getKey(), field.getValue());
            }
        }
    }

    static void assertClose(String what, ElementType type, double[] actual, double[] expected) {
        assertThat(actual.length).isEqualTo(expected.length);
        double tolerance = type == ElementType.FLOAT32 ? 1e-5 : 1e-10;
        for (int i = 0; i < expected.length; i++) {
            assertThat(actual[i])
                    .as("%s %s element %d", what, type, i)
                    .isCloseTo(expected[i], within(tolerance * Math.max(1, Math.abs(expected[i]))));
        }
    }

    static double[] gradient(int row) {
        return doubles(GOLDEN.get("gradients").get(row));
    }

    static double[] doubles(JsonNode numbers) {
        return StreamSupport.stream(numbers.spliterator(), false)
                .mapToDouble(JsonNode::asDouble)
                .toArray();
    }

    private static JsonNode read() {
        String folder = System.getProperty("hocket.golden", "");
        try (InputStream in = folder.isEmpty()
                ? GoldenOptimizersTest.class.getResourceAsStream("/golden/optimizers.json")
                : Files.newInputStream(Path.of(System.getProperty("hocket.root", ""))
                        .resolve(folder)
                        .resolve("optimizers.json"))) {
            return new ObjectMapper().readTree(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
