package hocket.gan.terms;

import static hocket.programs.Operators.abs;
import static hocket.programs.Operators.divide;
import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.scale;
import static hocket.programs.Operators.shift;
import static hocket.programs.Operators.subtract;

import hocket.gan.parts.Latents;
import hocket.gan.parts.Pass;
import hocket.gan.parts.Side;
import hocket.programs.Value;
import hocket.schedulers.settings.Setting;

/**
 * Mode seeking (Mao et al. 2019, equation 3), as its public code minimises it: {@code weight / (mean |G(z) − G(z')| / mean |z −
 * z'| + 1e-5)}, the means over all numbers of the batch. Noise {@code mode_seeking/latent}, z'.
 *
 * @param weight usually 1, at least 0
 */
public record ModeSeeking(
        @Setting(usually = "1", least = 0, help = "weight of the term")
        double weight) implements Term, ModeSeekingCopies {
    private static final double EPSILON = 1e-5;

    /** @throws IllegalArgumentException if the weight is not finite and at least 0 */
    public ModeSeeking {
        ModeSeekingCopies.check(weight);
    }

    /** @throws IllegalArgumentException if the rows are not made from noise */
    @Override
    public Value of(Pass pass) {
        Latents latents = pass.requireLatents("term " + key());
        Value z = latents.noise();
        Value other = z.graph().noise(key() + "/latent", z.shape());
        Value ofRows = mean(abs(subtract(pass.fake(), latents.generator().apply(other))));
        Value ratio = divide(ofRows, mean(abs(subtract(z, other))));
        return scale(divide(z.graph().constant(1), shift(ratio, EPSILON)), weight);
    }

    @Override
    public Side side() {
        return Side.GENERATOR;
    }
}
