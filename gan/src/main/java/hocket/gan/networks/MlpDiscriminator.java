package hocket.gan.networks;

import static hocket.programs.Layers.dense;
import static hocket.programs.Operators.flatten;
import static hocket.programs.Operators.leakyRelu;

import hocket.gan.parts.Discriminator;
import hocket.gan.parts.RowCondition;
import hocket.gan.parts.Scored;
import hocket.programs.Value;
import hocket.programs.layers.Weights;
import hocket.schedulers.settings.Setting;
import hocket.scopes.Initialiser;

/**
 * A dense discriminator of rows of any shape, with leaky rectifiers. With labels, it reads an embedding of the label next
 * to the row.
 *
 * @param width units of each hidden layer
 * @param layers number of hidden layers
 * @param spectral whether its weights are divided by their largest singular value (Miyato et al. 2018)
 * @param weights initialiser of all weights
 */
public record MlpDiscriminator(
        @Setting(usually = "128", least = 1, most = 16384, help = "units of each hidden layer")
        int width,

        @Setting(usually = "2", least = 1, most = 100, help = "number of hidden layers")
        int layers,

        @Setting(usually = "false", help = "whether its weights have a spectral norm")
        boolean spectral,

        @Setting(
                usually = "xavier_uniform",
                help = "initialiser of all weights: orthogonal, kaiming_uniform, normal(0.02), …")
        Initialiser weights)
        implements Discriminator, MlpDiscriminatorCopies {
    private static final double SLOPE = 0.2;

    /** @throws IllegalArgumentException if a setting is out of its range */
    public MlpDiscriminator {
        MlpDiscriminatorCopies.check(width, layers);
    }

    /** Returns a discriminator of two hidden layers of 128 units. */
    public static MlpDiscriminator usual() {
        return MlpDiscriminatorCopies.usual();
    }

    @Override
    public boolean isLipschitzConstrained() {
        return spectral;
    }

    @Override
    public Scored score(Value rows, RowCondition condition) {
        Weights plain = Weights.weights(weights);
        Weights used = spectral ? plain.spectralNorm() : plain;
        Value h = LabelInputs.beside(rows.shape().rank() == 1 ? rows : flatten(rows), condition);
        for (int i = 1; i <= layers; i++) {
            h = leakyRelu(dense("hidden" + i, h, width, used), SLOPE);
        }
        return Scored.of(dense("logit", h, 1, used)).with(Scored.FEATURES, h);
    }
}
