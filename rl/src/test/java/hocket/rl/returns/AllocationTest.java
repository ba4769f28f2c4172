package hocket.rl.returns;

import static org.assertj.core.api.Assertions.assertThat;

import hocket.rl.envs.Allocation;
import org.junit.jupiter.api.Test;

/** Tests that the functions of every step of every environment allocate nothing. */
class AllocationTest {
    private static final int CALLS = 1000;

    @Test
    void nothingIsAllocatedWhileItComputes() {
        RolloutLayout layout = RolloutLayout.timeMajor(16, 4);
        float[] numbers = new float[64];
        boolean[] flags = new boolean[64];
        long[] actions = new long[64];
        float[] four = new float[4];
        Gae gae = new Gae(0.99, 0.95, Truncation.BOOTSTRAP);
        VTrace vtrace = new VTrace(1, 1, 1);
        Retrace retrace = new Retrace(1, 1e-8);
        RunningMoments moments = RunningMoments.of(4);
        Runnable all = () -> {
            for (int i = 0; i < CALLS; i++) {
                gae.advantages(layout, numbers, numbers, flags, flags, numbers, four, numbers, numbers);
                Truncation.BOOTSTRAP.fold(layout, 0.99, numbers, flags, flags, numbers, numbers, numbers);
                Returns.nStep(layout, numbers, numbers, numbers, 3, numbers);
                Returns.lambda(layout, numbers, numbers, numbers, 0.9, numbers);
                vtrace.targets(layout, numbers, numbers, numbers, numbers, numbers, numbers);
                retrace.targets(layout, 1, numbers, numbers, numbers, numbers, actions, numbers, numbers);
                moments.update(numbers);
            }
        };
        all.run();
        // The smallest object has 16 bytes; one a call would be 16,000.
        assertThat(Allocation.of(all)).isLessThan(16L * CALLS);
    }
}
