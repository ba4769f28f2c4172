package hocket.gan.networks;

import static hocket.programs.Layers.dense;
import static hocket.programs.Operators.leakyRelu;
import static hocket.programs.Operators.relu;

import hocket.gan.losses.GanLoss;
import hocket.gan.losses.Penalty;
import hocket.gan.scores.EnergyScore;
import hocket.programs.Graph;
import hocket.programs.Loss;
import hocket.programs.Mode;
import hocket.programs.Network;
import hocket.programs.Program;
import hocket.programs.Value;
import hocket.programs.layers.Weights;
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
 * A small dense generator and discriminator, each of two hidden layers, on a column {@code point} (n). Programs:
 *
 * <ul>
 *   <li>{@code discriminator}, minimised by {@code discriminator/**}; metrics {@code error_rate} and, if {@code
 *       energyScore}, {@code energy_score};
 *   <li>{@code generator}, minimised by {@code generator/**};
 *   <li>{@code draw}: points (n);
 *   <li>{@code field}: from an input {@code point} (n) the discriminator's logit (1), high for real.
 * </ul>
 *
 * @param latent the numbers of standard normal noise for a point
 * @param width the units of each hidden layer
 * @param loss of the two networks
 * @param penalties added to the discriminator's loss; {@code wasserstein} needs one, or bounded weights
 * @param noise when noise is resampled; each-round shows both networks the same
 * @param energyScore whether the discriminator's turn reports the generator's energy score on each batch before
 *     training on it
 * @param weights initialiser of the layers' weights
 */
public record RingGan(
        @Setting(usually = "16", least = 1, most = 65536, help = "size of the noise that a point is made from")
        int latent,

        @Setting(usually = "128", least = 1, most = 16384, help = "units of each hidden layer")
        int width,

        @Setting(usually = "non-saturating", help = "non-saturating, least-squares, hinge or wasserstein")
        GanLoss.Standard loss,

        @Setting(usually = "[]", help = "penalties of the discriminator: [{r1: {weight: 10}}]")
        List<Penalty> penalties,

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
    /** Makes networks with Xavier's weights. */
    public RingGan(
            int latent, int width, GanLoss.Standard loss, List<Penalty> penalties, Redraw noise, boolean energyScore) {
        this(latent, width, loss, penalties, noise, energyScore, Initialiser.xavier());
    }

    /** @throws IllegalArgumentException if latent or width is below 1 */
    public RingGan {
        penalties = List.copyOf(penalties);
        RingGanCopies.check(latent, width);
    }

    @Override
    public Networks build(Columns columns) {
        Graph graph = new Graph();
        Weights used = Weights.weights(weights);
        Shape point = columns.shape("point");
        Value z = graph.noise("noise", Shape.of(latent), new Distribution.Normal(), noise);
        Value real = graph.input("point", point);
        Network<Value, Value> generator = graph.module("generator", in -> {
            Value h = relu(dense("hidden2", relu(dense("hidden1", in, width, used)), width, used));
            return graph.name("point", dense("out", h, point.size(), used));
        });
        Value fake = generator.apply(z);
        Network<Value, Value> discriminator = graph.module("discriminator", x -> {
            Value h = leakyRelu(dense("hidden1", x, width, used), 0.2);
            return dense("logit", leakyRelu(dense("hidden2", h, width, used), 0.2), 1, used);
        });
        UnaryOperator<Loss> judged = UnaryOperator.identity();
        if (energyScore) {
            Value other = generator.apply(graph.noise("noise_2", Shape.of(latent), new Distribution.Normal(), noise));
            judged = loss -> loss.metric("energy_score", EnergyScore.of(real, fake, other));
        }
        return new GanPrograms(loss, penalties, Norm.NONE)
                .build(discriminator::apply, real, fake, judged)
                .with(Program.compile("field", Mode.EVAL, discriminator.apply(real)));
    }
}
