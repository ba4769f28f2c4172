package hocket.schedulers.optimizers.kernels;

import hocket.schedulers.optimizers.GradientTransformation;
import java.util.List;

/**
 * The arrays of one update by a fused loop: all of one type and length.
 *
 * @param weight the array that changes
 * @param gradient the derivative of the loss with respect to the weight; only read
 * @param slots the optimizer's state for this weight, in the order of {@link GradientTransformation#slots}
 */
public record Operands(Reals weight, Reals gradient, List<Reals> slots) {
    /** @throws IllegalArgumentException if the arrays differ in type or length */
    public Operands {
        slots = List.copyOf(slots);
        weight.requireAlike("gradient", gradient);
        for (Reals slot : slots) {
            weight.requireAlike("slot", slot);
        }
    }
}
