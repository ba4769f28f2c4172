package hocket.gan.vae;

import static hocket.programs.Operators.abs;
import static hocket.programs.Operators.add;
import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.meanOverBatch;
import static hocket.programs.Operators.negate;
import static hocket.programs.Operators.scale;
import static hocket.programs.Operators.slice;
import static hocket.programs.Operators.softplus;
import static hocket.programs.Operators.square;
import static hocket.programs.Operators.subtract;
import static hocket.programs.Operators.sum;

import hocket.gan.networks.Gan;
import hocket.gan.parts.Discriminator;
import hocket.gan.parts.Generator;
import hocket.gan.parts.RowCondition;
import hocket.gan.parts.Scored;
import hocket.programs.Graph;
import hocket.programs.Loss;
import hocket.programs.Mode;
import hocket.programs.Network;
import hocket.programs.Program;
import hocket.programs.Value;
import hocket.programs.layers.Distributions.DiagonalGaussian;
import hocket.schedulers.Columns;
import hocket.schedulers.settings.NetworkDefinition;
import hocket.schedulers.settings.Networks;
import hocket.schedulers.settings.Setting;
import hocket.scopes.Shape;

/**
 * A VAE/GAN (Larsen et al. 2016, algorithm 1): an autoencoder whose reconstructions are compared by the features of a
 * discriminator, and whose decoder is the generator. It learns the only column of real numbers. In the paper's symbols, with
 * {@code x̃ = Dec(z)} for {@code z ~ Enc(x)} and {@code x_p = Dec(z_p)} for {@code z_p ~ N(0, I)}, as means over the batch:
 *
 * <pre>
 * L_prior         = KL(Enc(x) ‖ N(0, I))
 * L_llike^{Dis_l} = ½ ‖Dis_l(x) − Dis_l(x̃)‖²
 * L_GAN           = −log Dis(x) − log(1 − Dis(x̃)) − log(1 − Dis(x_p))
 * </pre>
 *
 * Programs:
 * <ul>
 *   <li>{@code encoder}, minimised by {@code encoder/**}: {@code L_prior + L_llike}; metrics {@code prior}, {@code pixel_error};
 *   <li>{@code generator}, minimised by {@code generator/**}: {@code γ · L_llike − L_GAN}; metric {@code likelihood};
 *   <li>{@code discriminator}, minimised by {@code discriminator/**}: {@code L_GAN};
 *   <li>{@code draw}: x_p; {@code reconstruct}: {@code Dec} of the mean of {@code Enc(x)}.
 * </ul>
 *
 * @param latent numbers of z
 * @param encoder Enc: its input is a row, its output the mean of z and the logarithm of its deviation, (2 · latent)
 * @param generator Dec, and Gen of the GAN
 * @param discriminator Dis, whose head {@code features} is Dis_l
 * @param gamma γ, what the decoder's reconstructions weigh against fooling the discriminator
 */
public record VaeGan(
        @Setting(usually = "64", least = 1, most = 65536, help = "size of the code of a row")
        int latent,

        @Setting(help = "gives mean and log deviation of a row's code, 2 · latent numbers: mlp, or a class of your own")
        Generator encoder,

        @Setting(help = "makes rows from codes: dcgan, mlp, or a class of your own")
        Generator generator,

        @Setting(help = "scores rows, with a head features: dcgan, mlp, sngan, … or a class of your own")
        Discriminator discriminator,

        @Setting(usually = "0.01", least = 0, help = "weight of the reconstructions in the generator's loss")
        double gamma)
        implements NetworkDefinition, VaeGanCopies {
    private static final RowCondition NONE = RowCondition.none();

    /** @throws IllegalArgumentException if a setting is out of its range */
    public VaeGan {
        VaeGanCopies.check(latent, gamma);
    }

    @Override
    public Networks build(Columns columns) {
        return build(new Graph(), Gan.column("", columns), columns);
    }

    Networks build(Graph graph, String column, Columns columns) {
        Shape shape = columns.shape(column);
        Network<Value, Value> enc =
                graph.module("encoder", (Value x) -> encoder.generate(x, NONE, Shape.of(2 * latent)));
        Network<Value, Value> dec =
                graph.module("generator", (Value z) -> graph.name(column, generator.generate(z, NONE, shape)));
        Network<Value, Scored> dis = graph.module("discriminator", (Value x) -> discriminator.score(x, NONE));
        Value x = graph.input(column, shape);
        Value code = enc.apply(x);
        DiagonalGaussian q = new DiagonalGaussian(slice(code, 0, 0, latent), slice(code, 0, latent, 2 * latent));
        Value zero = scale(q.mean(), 0);
        Value reconstructed = dec.apply(q.sample(graph.noise("posterior", Shape.of(latent)))); // x̃
        Value drawn = dec.apply(graph.noise("noise", Shape.of(latent))); // x_p
        Scored onX = dis.apply(x);
        Scored onReconstructed = dis.apply(reconstructed);
        Value lPrior = mean(q.kullbackLeibler(new DiagonalGaussian(zero, zero)));
        Value apart = square(subtract(onX.head(Scored.FEATURES), onReconstructed.head(Scored.FEATURES)));
        Value lLlike = scale(sum(meanOverBatch(apart)), 0.5);
        Value fakes = add(
                mean(softplus(onReconstructed.logit())),
                mean(softplus(dis.apply(drawn).logit())));
        Value lGan = add(mean(softplus(negate(onX.logit()))), fakes);
        Loss ofEncoder = Loss.of(add(lPrior, lLlike)).metric("prior", lPrior);
        Value pixelError = mean(abs(subtract(x, reconstructed)));
        Loss ofGenerator = Loss.of(subtract(scale(lLlike, gamma), lGan)).metric("likelihood", lLlike);
        return Networks.of(
                graph,
                Program.compile("encoder", Mode.TRAIN, ofEncoder.metric("pixel_error", pixelError)),
                Program.compile("generator", Mode.TRAIN, ofGenerator),
                Program.compile("discriminator", Mode.TRAIN, Loss.of(lGan)),
                Program.compile("draw", Mode.EVAL, drawn),
                Program.compile("reconstruct", Mode.EVAL, dec.apply(q.mean())));
    }
}
