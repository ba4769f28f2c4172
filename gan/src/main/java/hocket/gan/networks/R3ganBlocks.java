package hocket.gan.networks;

import static hocket.programs.Layers.conv;
import static hocket.programs.Layers.kernel;
import static hocket.programs.Operators.add;
import static hocket.programs.Operators.leakyRelu;

import hocket.programs.Value;
import hocket.programs.layers.Weights;
import hocket.scopes.Initialiser;
import hocket.scopes.Scope;

/**
 * The stages of an R3GAN's networks (Huang et al. 2024, section 4): residual blocks of a 1×1 convolution, a 3×3 and a 1×1 one,
 * without any normalisation. The last begins at zero, so that each block begins as the identity (Zhang et al. 2019, Fixup). The
 * paper's largest networks have groups in the 3×3 convolution, which small ones on a CPU are slower with.
 *
 * <p>Weights begin as in the public code, normal with deviation gain/√in: the gain is 1 outside the blocks, and in them that of
 * their leaky rectifiers, √(2 / (1 + 0.2²)), times (blocks of the network)^(-1/4). Unlike there, the layers at both ends of a
 * network have a bias.
 */
final class R3ganBlocks {
    private static final double SLOPE = 0.2;
    private static final int EXPANSION = 2;
    private static final double FIXUP = -1.0 / 4;

    private R3ganBlocks() {}

    /** Returns the weights of a layer outside the blocks. */
    static Weights linear() {
        return Weights.weights(withGain(1));
    }

    /** Returns a normal distribution with deviation gain/√in. */
    private static Initialiser withGain(double gain) {
        return new Initialiser.He(gain / Math.sqrt(2));
    }

    /**
     * Applies a number of blocks of x's width.
     *
     * @param all blocks of the whole network: with more, their weights begin smaller
     */
    static Value stage(String name, Value x, int blocks, int all) {
        Value h = x;
        try (Scope<Value> stage = x.graph().scope(name)) {
            for (int i = 1; i <= blocks; i++) {
                h = block("block" + i, h, withGain(Math.sqrt(2 / (1 + SLOPE * SLOPE)) * Math.pow(all, FIXUP)));
            }
        }
        return h;
    }

    private static Value block(String name, Value x, Initialiser scaled) {
        int width = x.shape().get(0);
        int inner = width * EXPANSION;
        try (Scope<Value> block = x.graph().scope(name)) {
            Value h = leakyRelu(conv("in", x, inner, kernel(1).weights(Weights.weights(scaled))), SLOPE);
            h = leakyRelu(conv("across", h, inner, kernel(3).pad(1).weights(Weights.weights(scaled))), SLOPE);
            Weights zeros = Weights.weights(Initialiser.zeros()).withoutBias();
            return add(x, conv("out", h, width, kernel(1).weights(zeros)));
        }
    }

    /** Changes the number of channels by a 1×1 convolution. */
    static Value channels(String name, Value x, int width) {
        return x.shape().get(0) == width ? x : conv(name, x, width, kernel(1).weights(linear().withoutBias()));
    }
}
