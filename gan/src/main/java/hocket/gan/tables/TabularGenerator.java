package hocket.gan.tables;

import static hocket.programs.Layers.batchNorm;
import static hocket.programs.Layers.dense;
import static hocket.programs.Operators.add;
import static hocket.programs.Operators.concat;
import static hocket.programs.Operators.log;
import static hocket.programs.Operators.negate;
import static hocket.programs.Operators.relu;
import static hocket.programs.Operators.scale;
import static hocket.programs.Operators.slice;
import static hocket.programs.Operators.softmax;
import static hocket.programs.Operators.tanh;

import hocket.gan.networks.LabelInputs;
import hocket.gan.parts.Generated;
import hocket.gan.parts.Generator;
import hocket.gan.parts.Latents;
import hocket.gan.parts.RowCondition;
import hocket.gan.parts.RowLayout;
import hocket.programs.Value;
import hocket.programs.layers.Weights;
import hocket.programs.operators.Leaf.Distribution;
import hocket.schedulers.settings.Keyed;
import hocket.schedulers.settings.Setting;
import hocket.scopes.Initialiser;
import hocket.scopes.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The generator of CTGAN (Xu et al. 2019, section 4.4): {@code h ← h ⊕ relu(bn(dense(h)))} for each hidden layer, where ⊕ joins; then a dense layer
 * whose outputs are a tanh for numbers, and {@code softmax((l + g)/τ)} for one-hot spans with Gumbel noise g. It reads the asked category
 * one-hot beside its noise. The outputs l are its head {@code logits}. Noise {@code gumbel}.
 *
 * @param width units of each hidden layer
 * @param layers number of hidden layers
 * @param temperature τ
 * @param weights initialiser of all weights
 */
@Keyed.Name("tabular")
public record TabularGenerator(
        @Setting(usually = "256", least = 1, most = 16384, help = "units of each hidden layer")
        int width,

        @Setting(usually = "2", least = 1, most = 100, help = "number of hidden layers")
        int layers,

        @Setting(usually = "0.2", least = 0.01, help = "temperature of the draws of modes and categories")
        double temperature,

        @Setting(
                usually = "xavier_uniform",
                help = "initialiser of all weights: orthogonal, kaiming_uniform, normal(0.02), …")
        Initialiser weights)
        implements Generator, TabularGeneratorCopies {
    /** Keeps the logarithms of Gumbel noise finite. */
    private static final double LEAST = 1e-6;

    /** @throws IllegalArgumentException if a setting is out of its range */
    public TabularGenerator {
        TabularGeneratorCopies.check(width, layers, temperature);
    }

    @Override
    public Value generate(Value latent, RowCondition condition, Shape rows) {
        return make(latent, condition, rows).rows();
    }

    /** @throws IllegalArgumentException if the rows are not of a table */
    @Override
    public Generated make(Value latent, RowCondition condition, Shape rows) {
        Value u = latent.graph()
                .noise("gumbel", rows, new Distribution.Uniform(LEAST, 1 - LEAST), Latents.redraw(latent));
        return make(latent, condition, rows, u);
    }

    /** @param u uniform numbers that Gumbel noise is made from, {@code g = −log(−log u)} */
    Generated make(Value latent, RowCondition condition, Shape rows, Value u) {
        RowCondition.Table table = condition.requireTable("generator tabular");
        Weights used = Weights.weights(weights);
        Value h = LabelInputs.ofGenerator(latent, condition);
        for (int i = 1; i <= layers; i++) {
            Value next = dense("hidden" + i, h, width, used);
            h = concat(0, relu(batchNorm("bn" + i, next)), h);
        }
        Value logits = dense("out", h, rows.size(), used);
        return new Generated(activated(logits, u, table.layout()), Map.of(Generated.LOGITS, logits));
    }

    private Value activated(Value logits, Value u, RowLayout layout) {
        Value noisy = scale(add(logits, negate(log(negate(log(u))))), 1 / temperature);
        List<Value> spans = new ArrayList<>();
        for (int i = 0; i < layout.spans().size(); i++) {
            int begin = layout.begin(i);
            int end = begin + layout.spans().get(i).size();
            spans.add(
                    layout.spans().get(i).kind() == RowLayout.Kind.NUMBER
                            ? tanh(slice(logits, 0, begin, end))
                            : softmax(slice(noisy, 0, begin, end)));
        }
        return concat(0, spans.toArray(Value[]::new));
    }
}
