package hocket.workbench.training.reports;

import static org.assertj.core.api.Assertions.assertThat;

import hocket.workbench.files.experiment.ExperimentSpec.RecordedSpec;
import org.junit.jupiter.api.Test;

class AnnouncementTest {
    @Test
    void aPlanThatNoLoweringRunsIsAnnouncedByItsKernelsAlone() {
        assertThat(Announcement.machine(new RecordedSpec("1", "mxnet 1.9.0", "vector", "train"), 2))
                .isEqualTo("mxnet 1.9.0, vector kernels, 2 threads");
        assertThat(Announcement.machine(new RecordedSpec("1", "", "vector", "train"), 1))
                .isEqualTo("vector kernels, 1 thread");
    }
}
