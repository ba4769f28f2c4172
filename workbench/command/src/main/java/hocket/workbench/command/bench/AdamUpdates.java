package hocket.workbench.command.bench;

import hocket.schedulers.optimizers.Optimizers;
import hocket.schedulers.optimizers.Target;
import hocket.schedulers.optimizers.kernels.KernelThreads;
import hocket.schedulers.optimizers.kernels.Reals;
import hocket.schedulers.optimizers.updates.UpdatePlan;
import hocket.scopes.Device;
import hocket.scopes.ElementType;
import hocket.scopes.Shape;
import java.util.List;

/** Adam's update of one array of FLOAT32. */
final class AdamUpdates implements Work {
    private final KernelThreads kernelThreads;
    private final UpdatePlan plan;

    AdamUpdates(int elements, int threads) {
        kernelThreads = KernelThreads.of(threads);
        plan = UpdatePlan.of(Optimizers.adam(1e-3), List.of(Target.of("weight", zeros(elements), zeros(elements))));
    }

    private static Reals zeros(int elements) {
        return Reals.of(Device.jvm().allocate(Shape.of(elements), ElementType.FLOAT32));
    }

    @Override
    public void run(int times) {
        for (int i = 0; i < times; i++) {
            plan.run(kernelThreads);
        }
    }

    @Override
    public void close() {
        kernelThreads.close();
    }
}
