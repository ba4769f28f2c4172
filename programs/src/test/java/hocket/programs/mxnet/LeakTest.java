package hocket.programs.mxnet;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import hocket.programs.mxnet.SymbolJson.Ref;
import hocket.scopes.Shape;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Nothing native is left behind, and nothing is allocated where it is hot. */
@Tag("engine")
class LeakTest {
    private static String net() {
        Symbols symbols = new Symbols();
        Ref hidden =
                symbols.tanh(symbols.dense(symbols.variable("x"), symbols.variable("w1"), symbols.variable("b1"), 64));
        Ref output = symbols.dense(hidden, symbols.variable("w2"), symbols.variable("b2"), 2);
        return symbols.loss(symbols.meanSquareError(output, symbols.variable("y")))
                .observe(output)
                .observe(hidden)
                .json();
    }

    private static Map<String, MxArray> arguments() {
        return Map.of(
                "x", Arrays.normal(1, 1, Shape.of(64, 4)),
                "y", Arrays.normal(2, 1, Shape.of(64, 2)),
                "w1", Arrays.normal(3, 1, Shape.of(64, 4)),
                "b1", Arrays.zeros(Shape.of(64)),
                "w2", Arrays.normal(4, 1, Shape.of(2, 64)),
                "b2", Arrays.zeros(Shape.of(2)));
    }

    private static Map<String, GradientRequest> gradients() {
        return Map.of(
                "w1", GradientRequest.write(Arrays.zeros(Shape.of(64, 4))),
                "w2", GradientRequest.write(Arrays.zeros(Shape.of(2, 64))));
    }

    /** Runs one kind of thing many times in a JVM of small heap, and prints by how many KiB the process grew. */
    static final class Repeat {
        private static final int WINDOWS = 3;

        public static void main(String[] arguments) throws Exception {
            // More than one spin against whatever else runs on the machine.
            Engine.get().threads(1);
            Runnable action = action(arguments[0]);
            int times = Integer.parseInt(arguments[1]);
            for (int i = 0; i < times; i++) {
                action.run();
            }
            // What leaks does so every time; what grows once is the JVM's own, when it compiles.
            long least = Long.MAX_VALUE;
            for (int window = 0; window < WINDOWS; window++) {
                long before = residentKib();
                for (int i = 0; i < times; i++) {
                    action.run();
                }
                least = Math.min(least, residentKib() - before);
            }
            System.out.println("grew by " + least);
        }

        private static Runnable action(String name) {
            String json = net();
            Map<String, MxArray> arrays = arguments();
            Map<String, GradientRequest> gradients = gradients();
            // What is kept cannot be freed as lost, only by closing it.
            List<Object> kept = new ArrayList<>();
            int[] count = new int[1];
            return switch (name) {
                case "bind" ->
                    () -> {
                        try (MxExecutor executor = MxExecutor.bind(json, arrays, gradients, Map.of(), null)) {
                            executor.forward(true);
                            executor.backward();
                            executor.output(0).buffer();
                            kept.add(executor);
                            kept.add(executor.output(0));
                        }
                    };
                case "arrays" ->
                    () -> {
                        MxArray array = Arrays.zeros(Shape.of(25_000));
                        kept.add(array);
                        array.close();
                    };
                case "lost arrays" ->
                    () -> {
                        if (++count[0] % 50 == 0) {
                            System.gc();
                        }
                        Arrays.zeros(Shape.of(25_000));
                    };
                case "refusals" -> {
                    List<Runnable> refusals = List.of(
                            refusal(json.replace("FullyConnected", "PartlyConnected"), arrays),
                            refusal(json.replace("num_hidden", "num_hiden"), arrays),
                            refusal(json.replace("\"64\"", "\"63\""), arrays),
                            refusal(json, Map.of()));
                    yield () -> refusals.forEach(Runnable::run);
                }
                default -> throw new IllegalArgumentException(name);
            };
        }

        private static Runnable refusal(String json, Map<String, MxArray> arrays) {
            return () -> {
                try {
                    MxExecutor.bind(json, arrays, Map.of(), Map.of(), null).close();
                    throw new AssertionError("bound");
                } catch (EngineException | IllegalArgumentException e) {
                    // as it should be
                }
            };
        }

        private static long residentKib() throws IOException {
            System.gc();
            String pages = Files.readString(Path.of("/proc/self/statm")).split(" ")[1];
            return Long.parseLong(pages) * 4;
        }
    }

    private static long growth(String name, int times) throws Exception {
        Assumptions.assumeTrue(Files.exists(Path.of("/proc/self/statm")), "needs /proc");
        Fork.Result result = Fork.run(
                Repeat.class,
                List.of("-Xms48m", "-Xmx48m", "-XX:+AlwaysPreTouch", "-XX:+UseSerialGC"),
                Map.of(),
                entry -> true,
                name,
                Integer.toString(times));
        String line = result.output()
                .lines()
                .filter(text -> text.startsWith("grew by "))
                .findFirst()
                .orElseThrow(() -> new AssertionError(result.output()));
        return Long.parseLong(line.substring("grew by ".length()));
    }

    @Test
    void fiveHundredBindsAndClosesLeaveNothing() throws Exception {
        assertThat(growth("bind", 500)).isLessThan(2048);
    }

    @Test
    void closedArraysLeaveNothing() throws Exception {
        assertThat(growth("arrays", 2000)).isLessThan(4096);
    }

    @Test
    void lostArraysAreFreedInTheEnd() throws Exception {
        // 200 MB of them.
        assertThat(growth("lost arrays", 2000)).isLessThan(100_000);
    }

    @Tag("slow")
    @Test
    void refusedProgramsLeaveNothing() throws Exception {
        // Of an operator, an attribute, a shape and a missing array: 2 KiB of any of them.
        assertThat(growth("refusals", 1000)).isLessThan(2048);
    }

    @Test
    void aStepAllocatesNothing() {
        MxArray x = Arrays.normal(1, 1, Shape.of(64, 4));
        Map<String, MxArray> arrays = new java.util.HashMap<>(arguments());
        arrays.put("x", x);
        Engine engine = Engine.get();
        try (MxExecutor executor = MxExecutor.bind(net(), arrays, gradients(), Map.of(), null)) {
            allocated(engine, executor, x, 5000);
            // What is allocated once in a while is the JVM's own, when it links or compiles.
            long least = LongStream.range(0, 5)
                    .map(window -> allocated(engine, executor, x, 1000))
                    .min()
                    .orElseThrow();
            assertThat(least).isZero();
        }
    }

    private static long allocated(Engine engine, MxExecutor executor, MxArray x, int count) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long self = Thread.currentThread().getId();
        long before = threads.getThreadAllocatedBytes(self);
        steps(engine, executor, x, count);
        return threads.getThreadAllocatedBytes(self) - before;
    }

    private static float steps(Engine engine, MxExecutor executor, MxArray x, int count) {
        float sum = 0;
        for (int i = 0; i < count; i++) {
            engine.threads(1);
            x.buffer().putFloat(0, i);
            executor.forward(true);
            executor.backward();
            sum += executor.output(0).buffer().getFloat(0);
        }
        return sum;
    }
}
