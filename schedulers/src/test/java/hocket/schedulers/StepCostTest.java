package hocket.schedulers;

import static hocket.programs.Layers.batchNorm;
import static hocket.programs.Layers.conv;
import static hocket.programs.Layers.convTranspose;
import static hocket.programs.Layers.dense;
import static hocket.programs.Layers.kernel;
import static hocket.programs.Operators.add;
import static hocket.programs.Operators.flatten;
import static hocket.programs.Operators.leakyRelu;
import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.negate;
import static hocket.programs.Operators.relu;
import static hocket.programs.Operators.reshape;
import static hocket.programs.Operators.softplus;
import static hocket.programs.Operators.square;
import static hocket.programs.Operators.stopGradient;
import static hocket.programs.Operators.subtract;
import static hocket.programs.Operators.tanh;
import static hocket.schedulers.Plan.sequence;
import static hocket.schedulers.Resample.EACH_TURN;
import static hocket.schedulers.optimizers.Optimizers.adam;
import static org.assertj.core.api.Assertions.assertThat;

import hocket.programs.Graph;
import hocket.programs.Loss;
import hocket.programs.Mode;
import hocket.programs.Network;
import hocket.programs.Program;
import hocket.programs.Value;
import hocket.programs.execution.Lowering;
import hocket.programs.layers.Window;
import hocket.scopes.Parameters;
import hocket.scopes.Scope;
import hocket.scopes.Shape;
import hocket.scopes.Tensor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** What a step costs beside the engine: heap, and memory that stays. */
@Tag("engine")
class StepCostTest {
    private static final long MOST_BYTES = 2048;

    /** Bytes that a quarter of the steps may add: 800 a step are too many of 40,000, 32 of a million. */
    private static final long MOST_GROWTH = 7_500_000;

    /** [4,64,64,2], tanh, squared error, Adam. */
    private static Turn.Descend small(Graph graph) {
        Value x = graph.input("x", Shape.of(4));
        Value wanted = graph.input("wanted", Shape.of(2));
        Value y;
        try (Scope<Value> net = graph.module("net")) {
            y = dense("out", tanh(dense("b", tanh(dense("a", x, 64)), 64)), 2);
        }
        Loss loss = Loss.of(mean(square(subtract(y, wanted))));
        return Turn.of("learn", Program.compile("learn", Mode.TRAIN, loss)).updates("net/**", adam(1e-3));
    }

    private static Source rows(int batch) {
        return Toy.rows("x", 256, 4)
                .and("wanted", Tensor.of(Shape.of(256, 2), new float[512]))
                .batches("rows", batch);
    }

    @Test
    void aStepOfASmallNetworkTakesAtMostTwoKilobytesOfHeap() throws IOException, InterruptedException {
        assertThat(FreshJvm.bytes(Steps.class, MOST_BYTES)).isLessThanOrEqualTo(MOST_BYTES);
    }

    /** Bytes a step of a small network. */
    public static final class Steps implements LongSupplier {
        private static final int STEPS = 500;
        private long sum;

        @Override
        public long getAsLong() {
            Graph graph = new Graph();
            Turn.Descend learn = small(graph);
            // Beside the engine: whether the kernels' vectors become objects is the compiler's affair.
            System.setProperty(Lowering.PROPERTY, "mxnet");
            try (Parameters parameters = Toy.store(graph, 7);
                    Scheduler scheduler = Scheduler.over(parameters, 1)) {
                Source rows = rows(64);
                scheduler.listen(event -> sum += event.at().step());
                return FreshJvm.least(STEPS * MOST_BYTES, () -> {
                            for (int i = 0; i < STEPS; i++) {
                                scheduler.step(learn, rows);
                            }
                        })
                        / STEPS;
            }
        }
    }

    @Tag("slow")
    @Test
    void aRoundOfASmallDcganTakesAtMostTwoKilobytesOfHeapATurn() throws IOException, InterruptedException {
        assertThat(FreshJvm.bytes(DcganTurns.class, MOST_BYTES)).isLessThanOrEqualTo(MOST_BYTES);
    }

    /** Bytes a turn of a small DCGAN, of three turns a round. */
    public static final class DcganTurns implements LongSupplier {
        private static final int ROUNDS = 500;

        @Override
        public long getAsLong() {
            Graph graph = new Graph();
            Window halve = kernel(4).stride(2).pad(1);
            Value noise = graph.noise("noise", Shape.of(8));
            Value real = graph.input("x", Shape.of(1, 2, 2));
            Value fake;
            try (Scope<Value> generator = graph.module("generator")) {
                Value h = relu(batchNorm("norm", reshape(dense("in", noise, 4), 4, 1, 1)));
                fake = tanh(convTranspose("out", h, 1, halve));
            }
            Network<Value, Value> discriminator = graph.module(
                    "discriminator",
                    x -> dense("out", flatten(leakyRelu(batchNorm("norm", conv("in", x, 4, halve)), 0.2)), 1));
            Value d = add(
                    mean(softplus(negate(discriminator.apply(real)))),
                    mean(softplus(discriminator.apply(stopGradient(fake)))));
            Value g = mean(softplus(negate(discriminator.apply(fake))));
            Turn.Descend forD = Turn.of(
                            "d", Program.compile("d", Mode.TRAIN, Loss.of(d).metric("again", d)))
                    .updates("discriminator/**", adam(1e-3));
            Turn.Descend forG =
                    Turn.of("g", Program.compile("g", Mode.TRAIN, g)).updates("generator/**", adam(1e-3));
            Turn ema = Turn.follow("ema", "generator/**", "ema/generator/**", 0.99);
            try (Parameters parameters = Toy.store(graph, 7).copy("generator/**", "ema/generator/**");
                    Scheduler scheduler = Scheduler.over(parameters, 1)) {
                Rows images = Rows.of("x", Tensor.of(Shape.of(64, 1, 2, 2), new float[256]));
                scheduler.plan(sequence(forD, forG, ema)).feed(images.batches("images", 16), EACH_TURN);
                return FreshJvm.least(
                                3 * ROUNDS * MOST_BYTES,
                                () -> scheduler.run(
                                        Budget.rounds(scheduler.position().round() + ROUNDS)))
                        / (3 * ROUNDS);
            }
        }
    }

    @Tag("slow")
    @Test
    @EnabledOnOs(OS.LINUX)
    void memoryIsFlatOverFortyThousandSteps() throws IOException, InterruptedException {
        assertThat(FreshJvm.bytes(FortyThousandSteps.class, MOST_GROWTH)).isLessThanOrEqualTo(MOST_GROWTH);
    }

    @Test
    @Tag("slow")
    @EnabledOnOs(OS.LINUX)
    void memoryIsFlatOverAMillionSteps() throws IOException, InterruptedException {
        assertThat(FreshJvm.bytes(MillionSteps.class, MOST_GROWTH)).isLessThanOrEqualTo(MOST_GROWTH);
    }

    /** Bytes by which the process grows in a quarter of the steps. */
    public static final class FortyThousandSteps implements LongSupplier {
        @Override
        public long getAsLong() {
            return growth(40_000);
        }
    }

    /** The same of many more. */
    public static final class MillionSteps implements LongSupplier {
        @Override
        public long getAsLong() {
            return growth(1_000_000);
        }
    }

    private static long growth(int steps) {
        Graph graph = new Graph();
        Turn.Descend learn = small(graph);
        System.setProperty(Lowering.PROPERTY, "jvm");
        try (Parameters parameters = Toy.store(graph, 7);
                Scheduler scheduler = Scheduler.over(parameters, 1)) {
            scheduler.plan(learn).feed(rows(8), EACH_TURN);
            // What leaks does so every time; what grows once is the JVM's own, when it compiles.
            long least = Long.MAX_VALUE;
            for (int quarter = 1; quarter <= 4; quarter++) {
                long before = memory();
                scheduler.run(Budget.turns(quarter * (long) steps / 4));
                least = Math.min(least, memory() - before);
            }
            return least;
        }
    }

    /** Bytes of this process in memory, and those in use of its heap, which is all there from the beginning. */
    private static long memory() {
        System.gc();
        long heap = Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
        try (Stream<String> lines = Files.lines(Path.of("/proc/self/status"))) {
            return lines.filter(line -> line.startsWith("VmRSS:"))
                    .mapToLong(line -> heap + (Long.parseLong(line.replaceAll("\\D", "")) << 10))
                    .findFirst()
                    .orElseThrow();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
