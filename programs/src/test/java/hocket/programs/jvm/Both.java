package hocket.programs.jvm;

import java.util.ArrayList;
import java.util.List;

/** The kernels that this JVM can run. */
final class Both {
    private Both() {}

    static List<DenseKernels> kernels() {
        List<DenseKernels> kernels = new ArrayList<>();
        kernels.add(DenseKernels.plain());
        DenseKernels.vector().ifPresent(kernels::add);
        return kernels;
    }
}
