package hocket.workbench.command.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
