package hocket.gan.losses;

import static hocket.programs.Operators.add;
import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.scale;
import static hocket.programs.Operators.shift;
import static hocket.programs.Operators.square;

import hocket.programs.Value;
import java.util.OptionalDouble;

/**
 * The least-squares loss (Mao et al. 2017, equation 9 with a = 0, b = c = 1): D: {@code mean (r - 1)²/2 + mean f²/2}, G:
 * {@code mean (f - 1)²/2}.
 */
public record LeastSquares() implements GanLoss {
    @Override
    public Value discriminator(Value real, Value fake) {
        return add(scale(mean(square(shift(real, -1))), 0.5), scale(mean(square(fake)), 0.5));
    }

    @Override
    public Value generator(Value real, Value fake) {
        return scale(mean(square(shift(fake, -1))), 0.5);
    }

    @Override
    public OptionalDouble decisionThreshold() {
        return OptionalDouble.of(0.5);
    }

    @Override
    public boolean hasTargets() {
        return true;
    }
}
