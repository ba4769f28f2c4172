package hocket.programs;

import hocket.scopes.Initialiser;

/**
 * How a layer's weights begin.
 *
 * @param weight initialiser of the weight
 * @param bias initialiser of the bias
 * @param biased whether there is a bias
 */
public record Weights(Initialiser weight, Initialiser bias, boolean biased) {
    /** Xavier's weights and a bias of zeros. */
    public static Weights standard() {
        return weights(Initialiser.xavier());
    }

    /** Weights of this initialiser and a bias of zeros. */
    public static Weights weights(Initialiser weight) {
        return new Weights(weight, Initialiser.zeros(), true);
    }

    /** The same without a bias, for a layer before a batch norm. */
    public Weights withoutBias() {
        return new Weights(weight, bias, false);
    }

    /** The same with another initialiser of the bias. */
    public Weights bias(Initialiser other) {
        return new Weights(weight, other, true);
    }
}
