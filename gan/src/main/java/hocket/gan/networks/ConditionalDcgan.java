package hocket.gan.networks;

import hocket.gan.parts.ConditionDefinition;
import hocket.gan.parts.Labels;
import hocket.schedulers.Columns;
import hocket.schedulers.settings.NetworkDefinition;
import hocket.schedulers.settings.Networks;
import hocket.schedulers.settings.Setting;
import hocket.schedulers.settings.SettingGroup;

/**
 * A short form of {@link Gan}: a {@link Dcgan} that is conditioned on {@link Labels} (Mirza and Osindero 2014).
 *
 * @param images the networks without the condition; a label's embedding has the size of the noise
 * @param classes the number of classes: labels are 0..classes-1
 */
public record ConditionalDcgan(
        @SettingGroup Dcgan images,

        @Setting(usually = "10", least = 2, help = "number of classes, with labels from 0")
        int classes)
        implements NetworkDefinition, ConditionalDcganCopies {
    /** @throws IllegalArgumentException if there are fewer than two classes */
    public ConditionalDcgan {
        ConditionalDcganCopies.check(classes);
    }

    /** Returns a conditional DCGAN of ten classes with the usual settings. */
    public static ConditionalDcgan usual() {
        return ConditionalDcganCopies.usual();
    }

    @Override
    public Networks build(Columns columns) {
        return images.build(ConditionDefinition.labels(classes), columns);
    }
}
