package hocket.gan.losses;

import static hocket.programs.Operators.add;
import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.negate;
import static hocket.programs.Operators.relu;
import static hocket.programs.Operators.shift;

import hocket.programs.Value;

/**
 * The hinge loss (Lim and Ye 2017): D: {@code mean max(0, 1 - r) + mean max(0, 1 + f)}, G: {@code -mean f}.
 */
public record Hinge() implements GanLoss {
    @Override
    public Value discriminator(Value real, Value fake) {
        return add(mean(relu(shift(negate(real), 1))), mean(relu(shift(fake, 1))));
    }

    @Override
    public Value generator(Value real, Value fake) {
        return negate(mean(fake));
    }
}
