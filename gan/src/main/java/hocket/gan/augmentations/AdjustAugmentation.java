package hocket.gan.augmentations;

import hocket.schedulers.Action;
import hocket.schedulers.Run;
import hocket.schedulers.settings.Setting;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.Consumer;

/**
 * An action that sets the probability of an {@link Adaptive} augmentation (Karras et al. 2020, StyleGAN2-ADA, section 3.1), as
 * its public code does: with r the mean of {@code sign D(real)} over the discriminator's turns since the last adjustment,
 *
 * <pre>
 * p ← max(p + sign(r − target) · every · batch / (1000 · kimg), 0)
 * </pre>
 *
 * p has no upper limit, so it must come down again from above 1. In a file:
 *
 * <pre>{@code
 * on: [{every: {rounds: 4}, do: [{class: AdjustAugmentation, every: 4, batch: 64}]}]
 * }</pre>
 *
 * @param metric of the discriminator's turn, the mean sign of its outputs for real rows
 * @param setting the probability
 * @param target of r, in -1..1
 * @param every turns of the discriminator between two adjustments
 * @param batch real rows of a turn
 * @param kimg thousands of real rows in which p rises from 0 to 1
 */
public record AdjustAugmentation(
        @Setting(usually = "d/real_sign", help = "metric: the mean sign of the discriminator's outputs for real rows")
        String metric,

        @Setting(usually = "augment/p", help = "the setting that is the probability")
        String setting,

        @Setting(usually = "0.6", least = -1, most = 1, help = "the mean sign above which the probability rises")
        double target,

        @Setting(usually = "4", least = 1, most = 1000, help = "turns of the discriminator between two adjustments")
        int every,

        @Setting(usually = "64", least = 1, help = "real rows of a turn of the discriminator")
        int batch,

        @Setting(usually = "500", least = 0.001, help = "thousands of real rows in which p rises from 0 to 1")
        double kimg)
        implements Consumer<Run>, Action.ChangesSettings, AdjustAugmentationCopies {
    /** Below this r equals the target: means of single-precision signs differ by less, those of other counts by more. */
    private static final double ROUNDING = 1e-6;

    private static final double ROWS_IN_KIMG = 1000;

    /** @throws IllegalArgumentException if a setting is out of its range */
    public AdjustAugmentation {
        AdjustAugmentationCopies.check(target, every, batch, kimg);
    }

    @Override
    public List<String> settings() {
        return List.of(setting);
    }

    /** Adjusts the probability; does nothing before the discriminator's first turn. */
    @Override
    public void accept(Run run) {
        OptionalDouble sign = run.average(metric, every);
        if (sign.isPresent()) {
            run.set(setting, adjusted(run.setting(setting), sign.getAsDouble()));
        }
    }

    /**
     * Returns the probability after an adjustment.
     *
     * @param p before, at least 0
     * @param realSign r, in -1..1
     */
    public double adjusted(double p, double realSign) {
        double excess = realSign - target;
        double direction = Math.abs(excess) < ROUNDING ? 0 : Math.signum(excess);
        return Math.max(p + direction * every * batch / (kimg * ROWS_IN_KIMG), 0);
    }
}
