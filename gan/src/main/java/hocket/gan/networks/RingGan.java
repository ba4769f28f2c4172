package hocket.gan.networks;

import static hocket.programs.Layers.dense;
import static hocket.programs.Operators.leakyRelu;
import static hocket.programs.Operators.relu;

import hocket.gan.losses.GanLoss;
import hocket.programs.Graph;
import hocket.programs.Leaf.Distribution;
import hocket.programs.Leaf.Redraw;
import hocket.programs.Mode;
import hocket.programs.Network;
import hocket.programs.Program;
import hocket.programs.Value;
import hocket.schedulers.Columns;
import hocket.schedulers.Limits;
import hocket.schedulers.NetworkDefinition;
import hocket.schedulers.Networks;
import hocket.schedulers.Setting;
import hocket.scopes.Scope;
import hocket.scopes.Shape;

/**
 * A dense generator and a dense discriminator, each of two hidden layers, on a column {@code point} (n): small enough to
 * look at whole. Programs:
 *
 * <ul>
 *   <li>{@code discriminator}, to be descended by {@code discriminator/**}; metric {@code error_rate};
 *   <li>{@code generator}, to be descended by {@code generator/**};
 *   <li>{@code draw}: points (n);
 *   <li>{@code field}: from an input {@code point} (n) the discriminator's logit (1), high for real.
 * </ul>
 *
 * @param latent numbers of standard normal noise that a point is made from
 * @param width units of each hidden layer
 * @param loss what the two descend
 * @param noise when noise is drawn anew; each-round shows both networks the same
 */
public record RingGan(
        @Setting(usually = "16", least = 1, most = 65536, help = "numbers of noise that a point is made from")
        int latent,

        @Setting(usually = "128", least = 1, most = 16384, help = "units of each hidden layer")
        int width,

        @Setting(usually = "non-saturating", help = "non-saturating or least-squares")
        GanLoss.Usual loss,

        @Setting(usually = "each-turn", help = "each-turn, or each-round: both networks see the same noise")
        Redraw noise)
        implements NetworkDefinition {
    /** @throws IllegalArgumentException if latent or width is below 1 */
    public RingGan {
        Limits.atLeast(1, "latent", latent);
        Limits.atLeast(1, "width", width);
    }

    @Override
    public Networks build(Columns columns) {
        Graph graph = new Graph();
        Shape point = columns.shape("point");
        Value z = graph.noise("noise", Shape.of(latent), new Distribution.Normal(), noise);
        Value real = graph.input("point", point);
        Value fake;
        try (Scope<Value> generator = graph.module("generator")) {
            Value h = relu(dense("hidden2", relu(dense("hidden1", z, width)), width));
            fake = graph.name("point", dense("out", h, point.size()));
        }
        Network<Value, Value> discriminator = graph.module("discriminator", x -> {
            Value h = leakyRelu(dense("hidden1", x, width), 0.2);
            return dense("logit", leakyRelu(dense("hidden2", h, width), 0.2), 1);
        });
        return Networks.of(
                graph,
                Program.compile("discriminator", Mode.TRAIN, loss.discriminator(discriminator, real, fake)),
                Program.compile("generator", Mode.TRAIN, loss.generator(discriminator, fake)),
                Program.compile("draw", Mode.EVAL, fake),
                Program.compile("field", Mode.EVAL, discriminator.apply(real)));
    }
}
