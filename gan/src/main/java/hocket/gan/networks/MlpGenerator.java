package hocket.gan.networks;

import static hocket.programs.Layers.batchNorm;
import static hocket.programs.Layers.dense;
import static hocket.programs.Operators.flatten;
import static hocket.programs.Operators.relu;
import static hocket.programs.Operators.reshape;
import static hocket.programs.Operators.tanh;

import hocket.gan.parts.Generator;
import hocket.gan.parts.RowCondition;
import hocket.programs.Value;
import hocket.programs.layers.Weights;
import hocket.schedulers.settings.Setting;
import hocket.scopes.Initialiser;
import hocket.scopes.Shape;

/**
 * A dense generator of rows of any shape, with rectifiers. With labels, it reads an embedding of the label next to its
 * noise.
 *
 * @param width units of each hidden layer
 * @param layers number of hidden layers
 * @param normed whether each hidden layer has a batch norm
 * @param bounded whether its output is a tanh, for rows in -1..1
 * @param weights initialiser of all weights
 */
public record MlpGenerator(
        @Setting(usually = "128", least = 1, most = 16384, help = "units of each hidden layer")
        int width,

        @Setting(usually = "2", least = 1, most = 100, help = "number of hidden layers")
        int layers,

        @Setting(usually = "false", help = "whether each hidden layer has a batch norm")
        boolean normed,

        @Setting(usually = "false", help = "whether its output is a tanh, for rows in -1..1 such as images")
        boolean bounded,

        @Setting(
                usually = "xavier_uniform",
                help = "initialiser of all weights: orthogonal, kaiming_uniform, normal(0.02), …")
        Initialiser weights)
        implements Generator, MlpGeneratorCopies {
    /** @throws IllegalArgumentException if a setting is out of its range */
    public MlpGenerator {
        MlpGeneratorCopies.check(width, layers);
    }

    /** Returns a generator of two hidden layers of 128 units. */
    public static MlpGenerator usual() {
        return MlpGeneratorCopies.usual();
    }

    @Override
    public Value generate(Value latent, RowCondition condition, Shape rows) {
        Weights used = Weights.weights(weights);
        Value h = LabelInputs.ofGenerator(latent.shape().rank() == 1 ? latent : flatten(latent), condition);
        for (int i = 1; i <= layers; i++) {
            h = relu(
                    normed
                            ? batchNorm("bn" + i, dense("hidden" + i, h, width, used.withoutBias()))
                            : dense("hidden" + i, h, width, used));
        }
        h = dense("out", h, rows.size(), used);
        h = rows.rank() == 1 ? h : reshape(h, rows.extents());
        return bounded ? tanh(h) : h;
    }
}
