package hocket.gan.networks;

import hocket.gan.losses.GanLoss;
import hocket.gan.scores.EnergyScore;
import hocket.gan.terms.Term;
import hocket.programs.Loss;
import hocket.programs.Value;
import hocket.programs.operators.Leaf.Distribution;
import hocket.programs.operators.Leaf.Redraw;
import hocket.schedulers.Columns;
import hocket.schedulers.settings.NetworkDefinition;
import hocket.schedulers.settings.Networks;
import hocket.schedulers.settings.Setting;
import hocket.scopes.Initialiser;
import hocket.scopes.Shape;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * A short form of {@link Gan}: an {@link MlpGenerator} and an {@link MlpDiscriminator} of one width and two hidden layers, on
 * a column {@code point} (n).
 *
 * @param latent the numbers of standard normal noise for a point
 * @param width the units of each hidden layer
 * @param loss of the two networks; {@code wasserstein} needs a Lipschitz-constrained discriminator
 * @param terms that are added to the losses
 * @param noise when noise is resampled; each-round shows both networks the same
 * @param energyScore whether the discriminator's turn reports the generator's energy score on each batch, metric {@code
 *     energy_score}, before training on it
 * @param weights initialiser of the layers' weights
 */
public record RingGan(
        @Setting(usually = "16", least = 1, most = 65536, help = "size of the noise that a point is made from")
        int latent,

        @Setting(usually = "128", least = 1, most = 16384, help = "units of each hidden layer")
        int width,

        @Setting(
                usually = "non_saturating",
                help =
                        "non_saturating, least_squares, hinge, wasserstein, relativistic_paired, … or a class of your own")
        GanLoss loss,

        @Setting(usually = "[]", former = "penalties", help = Term.HELP)
        List<Term> terms,

        @Setting(usually = "each-turn", help = "each-turn, or each-round: both networks see the same noise")
        Redraw noise,

        @Setting(
                usually = "false",
                help = "whether each turn of the discriminator reports the generator's energy score on its batch"
                        + " before training on it; lower is better")
        boolean energyScore,

        @Setting(
                usually = "xavier_uniform",
                help = "initialiser of all weights: orthogonal, kaiming_uniform, normal(0.02), …")
        Initialiser weights)
        implements NetworkDefinition, RingGanCopies {
    /** @throws IllegalArgumentException if a setting is out of its range */
    public RingGan {
        terms = List.copyOf(terms);
        RingGanCopies.check(latent, width);
    }

    /** Returns a GAN of points with the usual settings. */
    public static RingGan usual() {
        return RingGanCopies.usual();
    }

    @Override
    public Networks build(Columns columns) {
        Gan gan = Gan.of(
                        MlpGenerator.usual().width(width).weights(weights),
                        MlpDiscriminator.usual().width(width).weights(weights))
                .latent(latent)
                .rows("point")
                .noise(noise);
        GanPasses passes = GanPasses.of(gan, columns);
        return passes.networks(loss.with(terms), energyScore ? scored(passes) : UnaryOperator.identity());
    }

    private UnaryOperator<Loss> scored(GanPasses passes) {
        Value z = passes.fake().graph().noise("noise_2", Shape.of(latent), new Distribution.Normal(), noise);
        Value again = passes.generator().apply(z);
        Value score = EnergyScore.of(passes.real(), passes.fake(), again);
        return loss -> loss.metric("energy_score", score);
    }
}
