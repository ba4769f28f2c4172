package hocket.gan.networks;

import static hocket.programs.Layers.embedding;
import static hocket.programs.Operators.add;
import static hocket.programs.Operators.multiply;
import static hocket.programs.Operators.reshape;
import static hocket.programs.Operators.sum;

import hocket.gan.parts.Discriminator;
import hocket.gan.parts.RowCondition;
import hocket.gan.parts.Scored;
import hocket.programs.Value;
import hocket.programs.layers.Weights;
import hocket.schedulers.settings.Setting;
import hocket.scopes.Initialiser;

/**
 * A conditional discriminator by projection (Miyato and Koyama 2018, equation 3): {@code D(x, y) = ⟨V[y], φ(x)⟩ + ψ(φ(x))}, where
 * φ are the features and ψ(φ(x)) is the logit of another discriminator, which reads no label, and V is an embedding of labels, with a spectral
 * norm if the other discriminator is Lipschitz-constrained.
 *
 * @param of a discriminator with a head {@code features}
 */
public record Projection(
        @Setting(help = "a discriminator, such as dcgan") Discriminator of) implements Discriminator {
    @Override
    public boolean isLipschitzConstrained() {
        return of.isLipschitzConstrained();
    }

    @Override
    public int fewestRows() {
        return of.fewestRows();
    }

    /** @throws IllegalArgumentException if there are no labels, or the other discriminator has no features */
    @Override
    public Scored score(Value rows, RowCondition condition) {
        Value label = condition.requireLabel("discriminator projection");
        Scored plain = of.score(rows, RowCondition.none());
        Value features = plain.head(Scored.FEATURES);
        Weights glorot = Weights.weights(Initialiser.xavier());
        Weights used = of.isLipschitzConstrained() ? glorot.spectralNorm() : glorot;
        Value v = embedding(
                "projection", label, condition.classes(), features.shape().get(0), used);
        Value projected = reshape(sum(multiply(v, features), 0), 1);
        return new Scored(rows.graph().name("projected", add(plain.logit(), projected)), plain.heads());
    }
}
