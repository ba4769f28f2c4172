package hocket.workbench.files.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import hocket.workbench.files.experiment.ExperimentSpec.RecordedSpec;
import org.junit.jupiter.api.Test;

class RecordedSpecTest {
    private static String computedBy(String lowering, String kernels) {
        return new RecordedSpec("1", lowering, kernels, "train").computedBy();
    }

    @Test
    void theKernelsAreSaidOnce() {
        assertThat(computedBy("jvm vector", "vector")).isEqualTo("jvm, vector kernels");
        assertThat(computedBy("jvm vector and mxnet 1.9.0", "vector")).isEqualTo("jvm and mxnet 1.9.0, vector kernels");
        assertThat(computedBy("jvm plain", "vector")).isEqualTo("jvm plain, vector kernels");
        assertThat(computedBy("mxnet 1.9.0", "vector")).isEqualTo("mxnet 1.9.0, vector kernels");
    }

    @Test
    void aPlanThatNoLoweringRunsIsDescribedByItsKernelsAlone() {
        assertThat(computedBy("", "vector")).isEqualTo("vector kernels");
    }
}
