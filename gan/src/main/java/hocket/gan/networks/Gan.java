package hocket.gan.networks;

import hocket.gan.augmentations.Augmentation;
import hocket.gan.losses.GanLoss;
import hocket.gan.parts.ConditionDefinition;
import hocket.gan.parts.Discriminator;
import hocket.gan.parts.Generator;
import hocket.gan.parts.SamplePool;
import hocket.gan.parts.Unconditional;
import hocket.gan.terms.Term;
import hocket.programs.operators.Leaf.Redraw;
import hocket.schedulers.Columns;
import hocket.schedulers.Source;
import hocket.schedulers.settings.NetworkDefinition;
import hocket.schedulers.settings.Networks;
import hocket.schedulers.settings.Setting;
import hocket.scopes.ElementType;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * A GAN that is composed of parts, each a class of its own: a generator, a discriminator, a loss, terms and a condition. It
 * learns the rows of one column, of any shape. Modules {@code generator} and {@code discriminator}; programs:
 *
 * <ul>
 *   <li>{@code discriminator}, minimised by {@code discriminator/**}; metric {@code error_rate}, and each term's;
 *   <li>{@code generator}, minimised by {@code generator/**};
 *   <li>{@code draw}: generated rows, from noise and the condition;
 *   <li>{@code field}: from rows, and their condition, the discriminator's logit, high for real;
 *   <li>one for each term that is computed in some rounds only, under the term's key.
 * </ul>
 *
 * @param latent numbers of standard normal noise for a row
 * @param generator makes rows from noise
 * @param discriminator scores rows
 * @param loss of the two networks; {@code wasserstein} needs a Lipschitz-constrained discriminator
 * @param terms added to the losses
 * @param augmentation of the real and generated rows that the discriminator sees in training; an adaptive one has the
 *     setting {@code augment/p}, the discriminator's metric {@code augment_p}, and {@code real_sign}, by which it is
 *     adjusted
 * @param condition of both networks
 * @param rows column of the real rows; empty for the only column of real numbers
 * @param noise when noise is resampled; each-round shows both networks the same
 * @param pack the rows that the discriminator scores at once, as in a PacGAN (Lin et al. 2018): the feed joins as many real rows
 *     along the first axis, the generator is called for each, and {@code draw} gives single rows
 * @param pool past generated rows, or packs, that are kept for each row of a batch and shown to the discriminator half the time
 *     ({@link SamplePool}); the discriminator's turn has {@code carries: {pool: pool_next}}
 */
public record Gan(
        @Setting(usually = "64", least = 1, most = 65536, help = "size of the noise that a row is made from")
        int latent,

        @Setting(help = "makes rows from noise: dcgan, sngan, r3gan, stylegan2, mlp, … or a class of your own")
        Generator generator,

        @Setting(help = "scores rows: dcgan, sngan, r3gan, stylegan2, mlp, … or a class of your own")
        Discriminator discriminator,

        @Setting(
                usually = "non_saturating",
                help =
                        "non_saturating, least_squares, hinge, wasserstein, relativistic_paired, … or a class of your own")
        GanLoss loss,

        @Setting(usually = "[]", help = Term.HELP) List<Term> terms,

        @Setting(
                usually = "none",
                help =
                        "of the rows that the discriminator sees: none, diff_augment, adaptive, … or a class of your own")
        Augmentation augmentation,

        @Setting(
                usually = "none",
                help = "none, labels for a class-conditional GAN, codes for an InfoGAN, or categories of a table")
        ConditionDefinition condition,

        @Setting(usually = "", help = "column of the real rows; by default the only column of real numbers")
        String rows,

        @Setting(usually = "each-turn", help = "each-turn, or each-round: both networks see the same noise")
        Redraw noise,

        @Setting(
                usually = "1",
                least = 1,
                help = "rows that the discriminator scores at once (PacGAN); the feed has the same setting")
        int pack,

        @Setting(usually = "0", least = 0, most = 10000, help = SamplePool.HELP)
        int pool)
        implements NetworkDefinition, GanCopies {
    /** @throws IllegalArgumentException if a setting is out of its range, or rows with a condition are packed or kept that cannot be */
    public Gan {
        terms = List.copyOf(terms);
        GanCopies.check(latent, pack, pool);
        if (pool > 0 && !condition.equals(new Unconditional())) {
            throw new IllegalArgumentException("pool: must be 0 with a condition, as it keeps rows without theirs, was "
                    + pool + " with condition " + condition);
        }
        if (pack > 1 && !condition.allowsPacks()) {
            throw new IllegalArgumentException("pack: must be 1 with a condition other than categories, was " + pack
                    + " with condition " + condition);
        }
    }

    /** Returns an unconditional GAN with the usual settings and the non-saturating loss. */
    public static Gan of(Generator generator, Discriminator discriminator) {
        return GanCopies.usual(generator, discriminator);
    }

    @Override
    public Networks build(Columns columns) {
        return GanPasses.of(this, columns).networks(loss.with(terms), UnaryOperator.identity());
    }

    /**
     * Returns the name of the column of the real rows.
     *
     * @param rows the setting that names it; empty for the only column of real numbers
     * @throws IllegalArgumentException if it is empty, and there are more such columns or none
     */
    public static String column(String rows, Columns columns) {
        if (!rows.isEmpty()) {
            return rows;
        }
        List<String> real = columns.all().stream()
                .filter(column -> column.type() != ElementType.INT64)
                .map(Source.Column::name)
                .toList();
        if (real.size() != 1) {
            throw new IllegalArgumentException("rows: must name the column of the real rows, one of "
                    + columns.all().stream().map(Source.Column::name).toList());
        }
        return real.get(0);
    }
}
