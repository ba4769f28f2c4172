package hocket.gan.networks;

import static hocket.programs.Layers.dense;
import static hocket.programs.Operators.flatten;
import static hocket.programs.Operators.leakyRelu;
import static hocket.programs.Operators.max;
import static hocket.programs.Operators.reshape;

import hocket.gan.parts.Discriminator;
import hocket.gan.parts.RowCondition;
import hocket.gan.parts.Scored;
import hocket.programs.Operators;
import hocket.programs.Value;
import hocket.programs.layers.Weights;
import hocket.schedulers.settings.Setting;
import hocket.scopes.Initialiser;

/**
 * A dense discriminator of rows of any shape, with leaky rectifiers or maxout units: the largest of some linear functions
 * (Goodfellow et al., "Maxout networks", 2013). With labels, it reads an embedding of the label next to the row.
 *
 * @param width units of each hidden layer
 * @param layers number of hidden layers
 * @param pieces linear functions of each maxout unit; 1 for leaky rectifiers
 * @param spectral whether its weights are divided by their largest singular value (Miyato et al. 2018)
 * @param dropout share of each hidden layer's units that are set to 0 in training
 * @param weights initialiser of all weights
 */
public record MlpDiscriminator(
        @Setting(usually = "128", least = 1, most = 16384, help = "units of each hidden layer")
        int width,

        @Setting(usually = "2", least = 1, most = 100, help = "number of hidden layers")
        int layers,

        @Setting(usually = "1", least = 1, most = 100, help = "linear pieces of a maxout unit; 1: leaky rectifiers")
        int pieces,

        @Setting(usually = "false", help = "whether its weights have a spectral norm")
        boolean spectral,

        @Setting(
                usually = "0",
                least = 0,
                most = 0.99,
                help = "share of each hidden layer's units that are set to 0 in training")
        double dropout,

        @Setting(
                usually = "xavier_uniform",
                help = "initialiser of all weights: orthogonal, kaiming_uniform, normal(0.02), …")
        Initialiser weights)
        implements Discriminator, MlpDiscriminatorCopies {
    private static final double SLOPE = 0.2;

    /** @throws IllegalArgumentException if a setting is out of its range */
    public MlpDiscriminator {
        MlpDiscriminatorCopies.check(width, layers, pieces, dropout);
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
            Value linear = dense("hidden" + i, h, pieces * width, used);
            h = pieces == 1 ? leakyRelu(linear, SLOPE) : max(reshape(linear, pieces, width), 0);
            h = dropout > 0 ? Operators.dropout("dropout" + i, h, dropout) : h;
        }
        return Scored.of(dense("logit", h, 1, used)).with(Scored.FEATURES, h);
    }
}
