package hocket.gan.augmentations;

import hocket.programs.Value;
import hocket.schedulers.settings.Setting;
import java.util.List;

/**
 * Differentiable augmentation of real and generated rows alike (Zhao et al. 2020): all of a policy, one after another. The
 * usual policy is the paper's for images, color, translation and cutout.
 *
 * @param policy augmentations, in their order
 */
public record DiffAugment(
        @Setting(
                usually = "[brightness, saturation, contrast, translation, cutout]",
                help = "augmentations that are applied one after another")
        List<Augmentation> policy)
        implements Augmentation {
    public DiffAugment {
        policy = List.copyOf(policy);
    }

    @Override
    public boolean isAdaptive() {
        return policy.stream().anyMatch(Augmentation::isAdaptive);
    }

    @Override
    public Value apply(Value rows) {
        return Augmentation.all(policy, rows);
    }
}
