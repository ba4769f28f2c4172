package hocket.programs;

import static hocket.programs.Layers.batchNorm;
import static hocket.programs.Layers.conv;
import static hocket.programs.Layers.convTranspose;
import static hocket.programs.Layers.kernel;
import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.relu;
import static hocket.programs.Operators.square;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import hocket.programs.execution.BoundProgram;
import hocket.programs.mxnet.Fork;
import hocket.scopes.Parameters;
import hocket.scopes.Shape;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Memory outside of the heap, which only the process as a whole can tell: that of programs on the engine. */
@Tag("engine")
class MemoryTest {
    private static final Path STATUS = Path.of("/proc/self/status");

    /** Finds programs that leave 40 kB each; the slow test finds 5 kB. */
    @Test
    void programsThatAreClosedLeaveNothing() throws IOException, InterruptedException {
        assertNothingIsLeft(250);
    }

    @Tag("slow")
    @Test
    void manyProgramsThatAreClosedLeaveNothing() throws IOException, InterruptedException {
        assertNothingIsLeft(2000);
    }

    private static void assertNothingIsLeft(int programs) throws IOException, InterruptedException {
        double growth = printed(Churn.class, Integer.toString(programs)).get(0);
        assertThat(growth)
                .as("resident size, last %d over those before", programs)
                .isLessThan(1.05);
    }

    /** Four stay bound. Some stays after closing: pages of which the allocator uses a part. */
    @Tag("slow")
    @Test
    void aProgramThatWasBoundForManyNumbersOfRowsGivesTheirMemoryBack() throws IOException, InterruptedException {
        List<Double> sizes = printed(Sizes.class);
        double largest = sizes.get(0);
        double open = sizes.get(1);
        assertThat(open).as("resident size of seventeen by that of the largest").isLessThan(6 * largest);
        assertThat(sizes.get(2)).as("what is left, of %s", open).isLessThan(0.15 * open);
    }

    /** The numbers that a program prints in a process of its own, a line each. */
    private static List<Double> printed(Class<?> main, String... arguments) throws IOException, InterruptedException {
        assumeThat(STATUS).as("the resident size of a process is read there").exists();
        List<String> options = List.of("-Xms64m", "-Xmx64m", "-XX:+AlwaysPreTouch");
        Fork.Result result = Fork.run(main, options, Map.of(), entry -> true, arguments);
        assertThat(result.status()).as(result.output()).isZero();
        return result.output()
                .lines()
                .filter(line -> line.matches("-?[0-9.]+(E-?[0-9]+)?"))
                .map(Double::valueOf)
                .toList();
    }

    private static double resident() {
        try {
            return Files.readAllLines(STATUS).stream()
                    .filter(line -> line.startsWith("VmRSS:"))
                    .mapToDouble(line -> Double.parseDouble(line.replaceAll("[^0-9]", "")))
                    .findFirst()
                    .orElseThrow();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Prints the resident size that a program takes for 136 rows, for seventeen numbers of rows, and when it is closed. */
    static final class Sizes {
        public static void main(String[] args) throws InterruptedException {
            Graph graph = new Graph();
            Value loss;
            try (var module = graph.module("m")) {
                Value x = graph.noise("x", Shape.of(3, 32, 32));
                Value h = relu(conv("down", x, 32, kernel(4).stride(2).pad(1)));
                loss = mean(square(conv("on", h, 32, kernel(3).pad(1))));
            }
            Program program = Program.compile("p", Mode.TRAIN, loss);
            try (Parameters parameters = Fixture.store(graph)) {
                seventeen(program, parameters).close(); // the engine keeps the kernels that it compiles for each
                collect(program, parameters);
                double before = resident();
                try (BoundProgram one = Fixture.bind(program, parameters)) {
                    one.run(136, 0, 0);
                    System.out.println(resident() - before);
                }
                BoundProgram bound = seventeen(program, parameters);
                System.out.println(resident() - before);
                bound.close();
                collect(program, parameters);
                System.out.println(resident() - before);
            }
        }

        /** Buffers that show the engine's memory keep it until they are collected, and 64 MB of it trigger that. */
        private static void collect(Program program, Parameters parameters) throws InterruptedException {
            for (int i = 0; i < 3; i++) {
                System.gc();
                Thread.sleep(20); // the cleaner's thread hands over what it found
                Churn.once(program, parameters);
            }
        }

        private static BoundProgram seventeen(Program program, Parameters parameters) {
            BoundProgram bound = Fixture.bind(program, parameters);
            for (int rows = 8; rows <= 136; rows += 8) {
                bound.run(rows, 0, 0);
            }
            return bound;
        }
    }

    /** Binds, runs and closes programs; prints the ratio of the resident sizes of the last programs and those before them. */
    static final class Churn {
        private static final int WARM_UP = 200;

        public static void main(String[] args) {
            Graph graph = new Graph();
            Value loss;
            try (var module = graph.module("m")) {
                Value x = graph.noise("x", Shape.of(4, 8, 8));
                Value h =
                        batchNorm("norm", conv("down", x, 8, kernel(4).stride(2).pad(1)));
                loss = mean(square(convTranspose("up", h, 1, kernel(4).stride(2).pad(1))));
            }
            Program program = Program.compile("p", Mode.TRAIN, loss);
            try (Parameters parameters = Fixture.store(graph)) {
                int programs = Integer.parseInt(args[0]);
                churn(program, parameters, WARM_UP);
                double before = churn(program, parameters, programs);
                System.out.println(churn(program, parameters, programs) / before);
            }
        }

        /** The largest resident size on the way: it goes up and down by a few blocks of working memory. */
        private static double churn(Program program, Parameters parameters, int programs) {
            double largest = 0;
            for (int i = 0; i < programs; i++) {
                once(program, parameters);
                largest = i % 20 == 0 ? Math.max(largest, resident()) : largest;
            }
            return largest;
        }

        private static void once(Program program, Parameters parameters) {
            try (BoundProgram bound = Fixture.bind(program, parameters)) {
                bound.run(8, 0, 0);
                bound.run(4, 0, 0);
            }
        }
    }
}
