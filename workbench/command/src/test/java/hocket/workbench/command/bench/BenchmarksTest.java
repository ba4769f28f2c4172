package hocket.workbench.command.bench;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class BenchmarksTest {
    @Test
    void anUnknownNameNamesTheNearest() {
        assertThatThrownBy(() -> Benchmarks.measure("dcgan/16x", 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("did you mean dcgan/16?");
    }

    /** What {@code benchmarks/run} compares with others is measured here, or is a run of the command. */
    @Test
    @Tag("processes")
    void everyRowOfTheComparisonIsABenchmark() throws IOException, InterruptedException {
        Path script = Path.of(System.getProperty("hocket.root", "../.."), "benchmarks/run");
        Process process;
        try {
            process = new ProcessBuilder("python3", script.toString(), "--list")
                    .redirectErrorStream(true)
                    .start();
        } catch (IOException e) {
            abort("python3 is not there: " + e.getMessage());
            return;
        }
        List<String> rows = new String(process.getInputStream().readAllBytes(), UTF_8)
                .lines()
                .toList();
        assertThat(process.waitFor()).as(rows.toString()).isZero();
        assertThat(rows).hasSizeGreaterThan(30).doesNotHaveDuplicates();
        assertThat(Benchmarks.names())
                .containsAll(rows.stream()
                        .filter(row -> !row.matches("(start|memory|score|gym|serve|scale)/.*"))
                        .toList());
    }

    @Test
    @Tag("engine")
    void everyWorkloadRuns() {
        List<Work> works = List.of(
                new ScheduledLoop(Workload.dcgan(4), 1),
                new BareLoop(Workload.dcgan(4), 1),
                new ScheduledLoop(Workload.dense(List.of(4, 64, 64, 2), 64), 1),
                new BareLoop(Workload.dense(List.of(4, 64, 64, 2), 64), 1),
                new InferenceWork(Workload.inference(List.of(4, 64, 64, 2)), 8, 1),
                new InferenceWork(ImageWorkloads.minatar(), 8, 1),
                new ScheduledLoop(ImageWorkloads.minatar(16), 1),
                new ScheduledLoop(ImageWorkloads.sngan(4), 1),
                new AdamUpdates(1000, 1));
        for (Work work : works) {
            work.run(3);
            work.close();
        }
        assertThat(Benchmarks.names()).contains("dcgan/16", "dcgan/64", "adam/2000000");
    }
}
