package hocket.programs.jvm;

import hocket.programs.jvm.kernels.DenseKernels;
import java.util.ArrayList;
import java.util.List;

/** The kernels that this JVM can run. */
public final class Both {
    private Both() {}

    public static List<DenseKernels> kernels() {
        List<DenseKernels> kernels = new ArrayList<>();
        kernels.add(DenseKernels.plain());
        DenseKernels.vector().ifPresent(kernels::add);
        return kernels;
    }
}
