package hocket.gan.networks;

import static hocket.programs.Layers.dense;

import hocket.gan.parts.Discriminator;
import hocket.gan.parts.RowCondition;
import hocket.gan.parts.Scored;
import hocket.programs.Value;
import hocket.schedulers.settings.Setting;
import java.util.Map;
import java.util.TreeMap;

/**
 * A discriminator with further outputs, each a dense layer over its features: {@code class} for the term {@code classes} of an
 * AC-GAN, {@code category} and {@code numbers} for the term {@code information} of an InfoGAN. It does not read labels.
 *
 * @param of a discriminator with a head {@code features}
 * @param sizes number of outputs by the name of the head
 */
public record LinearHeads(
        @Setting(help = "a discriminator, such as dcgan") Discriminator of,

        @Setting(help = "number of outputs by the name of the head, such as {class: 10}")
        Map<String, Integer> sizes)
        implements Discriminator {
    /** @throws IllegalArgumentException if there is no head, one has no output, or the discriminator is a projection */
    public LinearHeads {
        if (of instanceof Projection) {
            throw new IllegalArgumentException(
                    "of: must not be a projection, which reads the labels that heads predict; take one of the two");
        }
        sizes = Map.copyOf(new TreeMap<>(sizes));
        if (sizes.isEmpty() || sizes.values().stream().anyMatch(size -> size < 1)) {
            throw new IllegalArgumentException(
                    "sizes: must be at least 1 for each head, such as {class: 10}, were " + sizes);
        }
    }

    @Override
    public boolean isLipschitzConstrained() {
        return of.isLipschitzConstrained();
    }

    @Override
    public int fewestRows() {
        return of.fewestRows();
    }

    @Override
    public Scored score(Value rows, RowCondition condition) {
        Scored all = of.score(rows, RowCondition.none());
        Value features = all.head(Scored.FEATURES);
        for (Map.Entry<String, Integer> head : new TreeMap<>(sizes).entrySet()) {
            all = all.with(head.getKey(), dense(head.getKey(), features, head.getValue()));
        }
        return all;
    }
}
