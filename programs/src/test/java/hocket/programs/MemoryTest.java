package hocket.programs;

import static hocket.programs.Layers.batchNorm;
import static hocket.programs.Layers.conv;
import static hocket.programs.Layers.convTranspose;
import static hocket.programs.Layers.kernel;
import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.square;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import hocket.scopes.Parameters;
import hocket.scopes.Shape;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Memory outside of the heap, which only the process as a whole can tell. */
@Tag("engine")
class MemoryTest {
    private static final Path STATUS = Path.of("/proc/self/status");
    private static final int WARM_UP = 1000;
    private static final int PROGRAMS = 1000;

    @Test
    void aThousandProgramsThatAreClosedLeaveNothing(@TempDir Path folder) throws IOException, InterruptedException {
        assumeThat(STATUS).as("the resident size of a process is read there").exists();
        Path out = folder.resolve("out.txt");
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx64m",
                        "-XX:+UseSerialGC",
                        "-XX:+AlwaysPreTouch",
                        "-Xms64m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Churn.class.getName())
                .redirectErrorStream(true)
                .redirectOutput(out.toFile())
                .start();
        assertThat(process.waitFor(3, TimeUnit.MINUTES)).isTrue();
        List<String> lines = Files.readAllLines(out);
        assertThat(process.exitValue()).as("%s", lines).isZero();
        double growth = Double.parseDouble(lines.get(lines.size() - 1));
        assertThat(growth)
                .as("resident size, last thousand over the one before")
                .isLessThan(1.05);
    }

    /** Binds, runs and closes programs; prints the ratio of the resident sizes of the last thousand and the one before. */
    static final class Churn {
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
                churn(program, parameters, WARM_UP);
                double before = churn(program, parameters, PROGRAMS);
                System.out.println(churn(program, parameters, PROGRAMS) / before);
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
    }
}
