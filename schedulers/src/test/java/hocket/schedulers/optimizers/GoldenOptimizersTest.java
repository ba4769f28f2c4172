package hocket.schedulers.optimizers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import hocket.scopes.ElementType;
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
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.MethodSource;

/** {@code optimizers.json}: float64 within 1e-10 and float32 within 1e-5 of max(1, |value|). */
@Tag("golden")
class GoldenOptimizersTest {
    private static final JsonNode GOLDEN = read();

    private static final List<String> CLASSES = List.of("SGD", "Adam", "AdamW", "RMSprop");

    /** PyTorch's switches that Hocket has not got. */
    private static final List<String> ABSENT = List.of("maximize", "amsgrad");

    private static final List<ElementType> FLOATING = List.of(ElementType.FLOAT32, ElementType.FLOAT64);

    static Stream<String> runs() {
        return StreamSupport.stream(GOLDEN.get("runs").spliterator(), false)
                .filter(run -> run.get("source").asText().startsWith("PyTorch"))
                .filter(run -> CLASSES.contains(run.get("class").asText()))
                .filter(run -> ABSENT.stream().noneMatch(run.get("args")::has))
                .map(run -> run.get("name").asText());
    }

    @ParameterizedTest
    @MethodSource("runs")
    void twentyFiveUpdatesAgreeWithPyTorch(String name) {
        JsonNode run = StreamSupport.stream(GOLDEN.get("runs").spliterator(), false)
                .filter(r -> r.get("name").asText().equals(name))
                .findFirst()
                .orElseThrow();
        UpdateRule rule = rule(run.get("class").asText(), run.get("args"));
        for (ElementType type : FLOATING) {
            JsonNode rows = run.get(type == ElementType.FLOAT32 ? "params_float32" : "params_float64");
            for (Kernels kernels : KernelsTest.all()) {
                Reals weight =
                        NativeArrays.of(type, doubles(GOLDEN.get("initial").get("data")));
                Reals gradient = Reals.zeros(type, weight.length());
                List<Reals> slots = new ArrayList<>();
                rule.slots().forEach(slot -> slots.add(Reals.zeros(type, weight.length())));
                UpdatePlan plan = UpdatePlan.of(rule, List.of(new Operands(weight, gradient, slots)));
                try (Workers workers = Workers.of(1, () -> kernels)) {
                    for (int i = 0; i < rows.size(); i++) {
                        NativeArrays.set(
                                gradient, doubles(GOLDEN.get("gradients").get(i)));
                        plan.run(workers, i + 1);
                        assertClose(kernels.name() + " " + type + " update " + (i + 1), weight, doubles(rows.get(i)));
                    }
                }
            }
        }
    }

    @Test
    void theRulesAskedForAreInTheFile() {
        assertThat(runs())
                .contains(
                        "sgd",
                        "sgd_weight_decay",
                        "momentum",
                        "momentum_dampening",
                        "nesterov",
                        "adam",
                        "adam_gan",
                        "adam_beta1_0",
                        "adam_eps_large",
                        "adam_l2",
                        "adamw",
                        "rmsprop",
                        "rmsprop_centered",
                        "rmsprop_momentum");
    }

    @ParameterizedTest
    @FieldSource("FLOATING")
    void clippingAgreesWithPyTorchsClipGradNorm(ElementType type) {
        for (JsonNode entry : GOLDEN.get("clipping")) {
            double[] first = doubles(GOLDEN.get("gradients").get(0));
            UpdateRule rule = Optimizers.sgd(1).clip(entry.get("max").asDouble());
            // in two arrays, as in the file: the norm is of both together
            Operands w = operands(type, Arrays.copyOfRange(first, 0, 6));
            Operands b = operands(type, Arrays.copyOfRange(first, 6, 9));
            UpdatePlan plan = UpdatePlan.of(rule, List.of(w, b));
            try (Workers workers = Workers.of(1)) {
                assertThat(plan.gradientNorm(workers))
                        .isCloseTo(entry.get("global_norm").asDouble(), within(1e-10));
                plan.run(workers, 1);
            }
            double[] minus = Arrays.stream(
                            doubles(entry.get("torch_clip_grad_norm_global").get("data")))
                    .map(x -> -x)
                    .toArray();
            assertClose("w", w.weight(), Arrays.copyOfRange(minus, 0, 6));
            assertClose("b", b.weight(), Arrays.copyOfRange(minus, 6, 9));
        }
    }

    @Test
    void followingAgreesWithPolyakUpdatesAndAverages() {
        JsonNode ema = GOLDEN.get("ema");
        double[] initial = doubles(ema.get("initial").get("data"));
        JsonNode cases = ema.get("cases");
        follow(cases.get("sb3_polyak_update_tau_0.005"), 1 - 0.005, initial);
        follow(cases.get("sb3_polyak_update_tau_0.1"), 1 - 0.1, initial);
        follow(cases.get("sb3_polyak_update_tau_1.0"), 0, initial);
        follow(cases.get("optax_ema_0.9_debias_false"), 0.9, new double[initial.length]);
        // PyTorch's first update copies, which is what a target that begins as its source comes to
        follow(
                cases.get("torch_averaged_model_ema_0.99"),
                0.99,
                doubles(GOLDEN.get("gradients").get(0)));
    }

    @Test
    void aLinearRateIsOptaxs() {
        for (JsonNode schedule : GOLDEN.get("schedules")) {
            if (schedule.get("name").asText().equals("optax_linear")) {
                JsonNode args = schedule.get("args");
                Rate rate = Rate.linear(
                        args.get("init_value").asDouble(),
                        args.get("end_value").asDouble(),
                        args.get("transition_begin").asLong(),
                        args.get("transition_steps").asLong());
                double[] expected = doubles(schedule.get("values"));
                for (int i = 0; i < expected.length; i++) {
                    // Optax computes schedules in float32.
                    assertThat(rate.at(i + 1)).isCloseTo(expected[i], within(1e-7));
                }
                return;
            }
        }
        throw new AssertionError("optimizers.json holds no optax_linear");
    }

    private static void follow(JsonNode expected, double decay, double[] start) {
        for (Kernels kernels : KernelsTest.all()) {
            Reals target = NativeArrays.of(ElementType.FLOAT64, start);
            Reals source = Reals.zeros(ElementType.FLOAT64, start.length);
            JsonNode rows = expected.get("rows");
            for (int i = 0; i < rows.size(); i++) {
                NativeArrays.set(source, doubles(GOLDEN.get("gradients").get(i)));
                kernels.follow(decay, target, source, 0, start.length);
                assertClose(kernels.name() + " row " + i, target, doubles(rows.get(i)));
            }
        }
    }

    private static Operands operands(ElementType type, double[] gradient) {
        return new Operands(Reals.zeros(type, gradient.length), NativeArrays.of(type, gradient), List.of());
    }

    private static UpdateRule rule(String name, JsonNode args) {
        return switch (name) {
            case "SGD" -> sgd(args);
            case "Adam" -> adam(args);
            case "AdamW" ->
                adam(args).decoupledWeightDecay(args.path("weight_decay").asDouble(0.01));
            case "RMSprop" -> rmsProp(args);
            default -> throw new IllegalArgumentException(name);
        };
    }

    private static UpdateRule sgd(JsonNode args) {
        return new Sgd(
                rate(args),
                args.path("momentum").asDouble(0),
                args.path("dampening").asDouble(0),
                args.path("nesterov").asBoolean(false),
                args.path("weight_decay").asDouble(0));
    }

    private static Adam adam(JsonNode args) {
        JsonNode betas = args.path("betas");
        return new Adam(
                rate(args),
                betas.path(0).asDouble(0.9),
                betas.path(1).asDouble(0.999),
                args.path("eps").asDouble(1e-8),
                args.path("weight_decay").asDouble(0),
                false);
    }

    private static UpdateRule rmsProp(JsonNode args) {
        return new RmsProp(
                rate(args),
                args.path("alpha").asDouble(0.99),
                args.path("eps").asDouble(1e-8),
                args.path("centered").asBoolean(false),
                args.path("momentum").asDouble(0));
    }

    private static Rate rate(JsonNode args) {
        return Rate.constant(args.get("lr").asDouble());
    }

    private static void assertClose(String what, Reals actual, double[] expected) {
        assertThat(actual.length()).isEqualTo(expected.length);
        double tolerance = actual.type() == ElementType.FLOAT32 ? 1e-5 : 1e-10;
        for (int i = 0; i < expected.length; i++) {
            assertThat(NativeArrays.get(actual, i))
                    .as("%s element %d", what, i)
                    .isCloseTo(expected[i], within(tolerance * Math.max(1, Math.abs(expected[i]))));
        }
    }

    private static double[] doubles(JsonNode numbers) {
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
