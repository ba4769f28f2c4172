package hocket.workbench.bench;

import hocket.schedulers.optimizers.Optimizers;
import hocket.schedulers.optimizers.Reals;
import hocket.schedulers.optimizers.Target;
import hocket.schedulers.optimizers.UpdatePlan;
import hocket.schedulers.optimizers.Workers;
import hocket.scopes.ElementType;
import java.util.List;

/** Adam's update of one array of FLOAT32. */
final class AdamUpdates implements Work {
    private final Workers workers;
    private final UpdatePlan plan;

    AdamUpdates(int elements, int threads) {
        workers = Workers.of(threads);
        plan = UpdatePlan.of(Optimizers.adam(1e-3), List.of(Target.of("weight", zeros(elements), zeros(elements))));
    }

    private static Reals zeros(int elements) {
        return Reals.zeros(ElementType.FLOAT32, elements);
    }

    @Override
    public void run(int times) {
        for (int i = 0; i < times; i++) {
            plan.run(workers);
        }
    }

    @Override
    public void close() {
        workers.close();
    }
}
