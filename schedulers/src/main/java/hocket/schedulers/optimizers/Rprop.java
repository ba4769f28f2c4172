package hocket.schedulers.optimizers;

import hocket.schedulers.optimizers.kernels.Chunk;
import hocket.schedulers.optimizers.rates.Rate;
import hocket.schedulers.settings.Limits;
import hocket.schedulers.settings.Setting;
import java.util.List;

/**
 * Resilient backpropagation (Riedmiller and Braun 1993), as PyTorch's {@code torch.optim.Rprop}, for gradients of all data:
 * each element has a step of its own, at first the rate, which grows while the gradient keeps its sign and shrinks when it
 * turns, when the element stays where it is. A rate that changes later changes nothing.
 *
 * @param rate the steps at first
 * @param shrink factor where the sign turned, in (0, 1)
 * @param grow factor where the sign stayed, at least 1
 * @param least the smallest step, at least 0
 * @param most the largest step
 */
public record Rprop(
        @Setting(help = "initial step size") Rate rate,

        @Setting(usually = "0.5", least = 1e-9, most = 0.9999999999, help = "factor if the sign has changed")
        double shrink,

        @Setting(usually = "1.2", least = 1, help = "factor if the sign is unchanged")
        double grow,

        @Setting(usually = "1e-6", least = 0, help = "the smallest step")
        double least,

        @Setting(usually = "50", least = 0, help = "the largest step")
        double most)
        implements GradientTransformation, RpropCopies {
    /** @throws IllegalArgumentException if a setting is out of its range, naming the setting and its range */
    public Rprop {
        RpropCopies.check(shrink, grow, least, most);
        Limits.positive("most", most);
    }

    @Override
    public List<Slot> slots() {
        return List.of(Slot.of("step"), Slot.of("gradient"));
    }

    @Override
    public void update(Chunk chunk) {
        double[] u = chunk.update();
        double[] step = chunk.slot(0);
        double[] last = chunk.slot(1);
        for (int i = 0; i < chunk.length(); i++) {
            double turned = u[i] * last[i];
            double factor = turned > 0 ? grow : turned < 0 ? shrink : 1;
            double size = (chunk.count() == 1 ? chunk.rate() : step[i]) * factor;
            step[i] = Math.min(most, Math.max(least, size));
            last[i] = turned < 0 ? 0 : u[i];
            u[i] = Math.signum(last[i]) * step[i];
        }
    }
}
