package hocket.programs;

import static hocket.programs.Layers.batchNorm;
import static hocket.programs.Layers.conv;
import static hocket.programs.Layers.dense;
import static hocket.programs.Layers.kernel;
import static hocket.programs.Operators.flatten;
import static hocket.programs.Operators.leakyRelu;
import static hocket.programs.Operators.logSoftmax;
import static hocket.programs.Operators.maxPool;
import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.multiply;
import static hocket.programs.Operators.relu;
import static hocket.programs.Operators.square;
import static org.assertj.core.api.Assertions.assertThat;

import hocket.programs.execution.BoundProgram;
import hocket.programs.execution.Lowering;
import hocket.programs.execution.ProgramException;
import hocket.programs.jvm.JvmLowering;
import hocket.programs.mxnet.Fork;
import hocket.scopes.Parameters;
import hocket.scopes.Shape;
import hocket.scopes.Tensor;
import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Programs that are run with one number of rows after the other. */
class RowCountsTest {
    private static Program program() {
        Graph graph = new Graph();
        try (var module = graph.module("m")) {
            Value x = graph.noise("x", Shape.of(3, 8, 8));
            Value h = leakyRelu(batchNorm("norm", conv("first", x, 16, kernel(3).pad(1))), 0.2);
            h = maxPool(relu(conv("second", h, 24, kernel(3).pad(1))), kernel(2).stride(2));
            h = flatten(conv("down", h, 20, kernel(4).stride(2).pad(1)));
            Value y = logSoftmax(dense("out", h, 7));
            return Program.compile("p", Mode.TRAIN, mean(square(multiply(y, y))), y);
        }
    }

    /** A run reads nothing that a run with more rows or fewer has left in their common memory. */
    @Test
    void runsWithOtherNumbersOfRowsChangeNoBit() {
        Program program = program();
        try (Parameters parameters = Fixture.store(program.graph());
                BoundProgram bound = bind(new JvmLowering(), program, parameters)) {
            for (int rows : new int[] {5, 64, 3, 70, 1, 64, 5, 130, 70, 3}) {
                try (BoundProgram fresh = bind(new JvmLowering(), program, parameters)) {
                    assertThat(run(bound, parameters, rows))
                            .as("%s rows", rows)
                            .isEqualTo(run(fresh, parameters, rows));
                }
            }
        }
    }

    private static BoundProgram bind(Lowering lowering, Program program, Parameters parameters) {
        return Fixture.bind(lowering, program, parameters, 2, program.reached());
    }

    private static Map<String, Tensor> run(BoundProgram bound, Parameters parameters, int rows) {
        bound.run(rows, rows, 0);
        Map<String, Tensor> numbers = new LinkedHashMap<>();
        numbers.put("loss", bound.target(0));
        numbers.put("y", bound.target(1));
        Fixture.gradients(bound, parameters).forEach((path, gradient) -> numbers.put(path.text(), gradient));
        return numbers;
    }

    /** Each has a plan of its own; the arrays are those of the largest. */
    @Tag("slow")
    @Test
    void seventeenNumbersOfRowsShareTheirArrays() throws IOException, InterruptedException {
        Fork.Result result = Fork.run(Heap.class, List.of("-Xmx1g"), Map.of(), entry -> true);
        assertThat(result.status()).as(result.output()).isZero();
        List<Double> shares =
                result.output().lines().map(Double::valueOf).skip(4).toList();
        assertThat(shares.get(0)).as("the largest, closed").isLessThan(0.01);
        assertThat(shares.get(1)).as("all seventeen").isLessThan(2);
        assertThat(shares.get(2)).as("all seventeen, after more rows than fit").isLessThan(2);
        assertThat(shares.get(3)).as("all seventeen, closed").isLessThan(0.01);
    }

    /** Prints bytes by those that one number of rows needs: when it is closed, and of seventeen, open and closed. */
    static final class Heap {
        private static final int LARGEST = 136;

        public static void main(String[] args) throws InterruptedException {
            Program program = program();
            try (Parameters parameters = Fixture.store(program.graph())) {
                measure(program, parameters); // loads classes
                measure(program, parameters);
            }
        }

        private static void measure(Program program, Parameters parameters) throws InterruptedException {
            long before = used();
            BoundProgram one = bind(new JvmLowering(), program, parameters);
            one.run(LARGEST, 0, 0);
            double largest = used() - before;
            one.close();
            System.out.println((used() - before) / largest);
            BoundProgram many = bind(new JvmLowering(), program, parameters);
            for (int times = 0; times < 2; times++) {
                for (int rows = LARGEST / 17; rows <= LARGEST; rows += LARGEST / 17) {
                    many.run(rows, 0, 0);
                }
            }
            System.out.println((used() - before) / largest);
            try {
                many.run(1 << 17, 0, 0);
                throw new AssertionError("fits");
            } catch (ProgramException e) {
                System.out.println((used() - before) / largest);
            }
            many.close();
            System.out.println((used() - before) / largest);
        }

        /** Collects twice: buffers outside of the heap are freed after the first. */
        private static long used() throws InterruptedException {
            for (int times = 0; times < 2; times++) {
                System.gc();
                Thread.sleep(100);
            }
            long direct = ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                    .mapToLong(BufferPoolMXBean::getMemoryUsed)
                    .sum();
            return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() + direct;
        }
    }
}
