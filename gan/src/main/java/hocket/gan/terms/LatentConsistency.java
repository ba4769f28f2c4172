package hocket.gan.terms;

import static hocket.programs.Operators.add;
import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.scale;
import static hocket.programs.Operators.square;
import static hocket.programs.Operators.stopGradient;
import static hocket.programs.Operators.subtract;

import hocket.gan.parts.Latents;
import hocket.gan.parts.Pass;
import hocket.gan.parts.Side;
import hocket.programs.Value;
import hocket.schedulers.settings.Setting;

/**
 * Latent consistency, zCR (Zhao et al. 2021, "Improved Consistency Regularization for GANs"): with {@code z' = z + σ·ε}, ε
 * standard normal, the discriminator's loss gets {@code λ_dis · mean (D(G(z)) − D(G(z')))²} and the generator's {@code −λ_gen ·
 * mean (G(z) − G(z'))²}, both means over all numbers. Noise {@code latent_consistency/noise}.
 *
 * @param lambdaDis usually 5, at least 0
 * @param lambdaGen usually 0.5, at least 0
 * @param sigma deviation of the change of the noise
 */
public record LatentConsistency(
        @Setting(usually = "5", least = 0, help = "weight of the discriminator's part")
        double lambdaDis,

        @Setting(usually = "0.5", least = 0, help = "weight of the generator's part")
        double lambdaGen,

        @Setting(usually = "0.05", least = 0, help = "deviation of the change of the noise")
        double sigma)
        implements Term, LatentConsistencyCopies {
    /** @throws IllegalArgumentException if a number is not finite and at least 0 */
    public LatentConsistency {
        LatentConsistencyCopies.check(lambdaDis, lambdaGen, sigma);
    }

    /** @throws IllegalArgumentException if the rows are not made from noise */
    @Override
    public Value of(Pass pass) {
        Latents latents = pass.requireLatents("term " + key());
        Value z = latents.noise();
        Value changed = add(z, scale(z.graph().noise(key() + "/noise", z.shape()), sigma));
        Value near = latents.generator().apply(changed);
        return pass.side() == Side.GENERATOR
                ? scale(mean(square(subtract(pass.fake(), near))), -lambdaGen)
                : scale(
                        mean(square(subtract(
                                pass.onFake().logit(),
                                pass.d()
                                        .score(stopGradient(near), pass.ofFake())
                                        .logit()))),
                        lambdaDis);
    }

    @Override
    public Side side() {
        return Side.BOTH;
    }
}
