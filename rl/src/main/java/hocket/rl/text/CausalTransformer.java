package hocket.rl.text;

import static hocket.programs.Layers.dense;
import static hocket.programs.Layers.embedding;
import static hocket.programs.Layers.layerNorm;

import hocket.programs.Value;
import hocket.programs.layers.Positions;
import hocket.programs.layers.TransformerBlock;
import hocket.schedulers.settings.Setting;
import hocket.scopes.Initialiser;

/** The size of a causal transformer over characters: embeddings, learned positions, blocks with norms first, a head. */
public record CausalTransformer(
        @Setting(usually = "64", least = 1, most = 1e4, help = "width of embeddings and blocks")
        int width,

        @Setting(usually = "2", least = 1, most = 100, help = "number of blocks")
        int blocks,

        @Setting(usually = "4", least = 1, most = 100, help = "heads of a block; divide the width")
        int heads,

        @Setting(usually = "256", least = 1, most = 1e5, help = "units of a block's hidden layer")
        int feedForward)
        implements CausalTransformerCopies {
    private static final double DEVIATION = 0.02; // as in GPT-2

    /** @throws IllegalArgumentException if a setting is outside its range */
    public CausalTransformer {
        CausalTransformerCopies.check(width, blocks, heads, feedForward);
    }

    /** Returns the default size. */
    public static CausalTransformer usual() {
        return CausalTransformerCopies.usual();
    }

    /**
     * Characters (T) give (T, outputs), each from the characters up to it.
     *
     * @param characters number of different characters
     * @param window the longest sequence
     * @param head name of the last layer
     */
    Value apply(Value text, int characters, int window, String head, int outputs) {
        Value x = embedding("characters", text, characters, width, Initialiser.normal(DEVIATION));
        x = Positions.learned("places", x, window);
        TransformerBlock block = TransformerBlock.of(heads, feedForward).causal();
        for (int i = 1; i <= blocks; i++) {
            x = block.apply("block" + i, x);
        }
        return dense(head, layerNorm("norm", x), outputs);
    }
}
