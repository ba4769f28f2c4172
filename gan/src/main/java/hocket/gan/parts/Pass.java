package hocket.gan.parts;

import static hocket.programs.Operators.stopGradient;

import hocket.programs.Network;
import hocket.programs.Value;

/**
 * A forward pass over a batch of real and one of generated rows, which the loss and all terms of a program share.
 *
 * @param d calls the discriminator again, with the same parameters
 * @param real rows
 * @param ofReal condition of the real rows
 * @param onReal the discriminator's output for the real rows
 * @param fake generated rows, of the same shape
 * @param ofFake condition of the generated rows
 * @param onFake the discriminator's output for the generated rows
 */
public record Pass(
        Discriminator d,
        Value real,
        RowCondition ofReal,
        Scored onReal,
        Value fake,
        RowCondition ofFake,
        Scored onFake) {
    /** The discriminator's pass: no gradient flows into the rows. */
    public static Pass ofDiscriminator(
            Discriminator d, Value real, RowCondition ofReal, Value fake, RowCondition ofFake) {
        Value x = stopGradient(real);
        Scored onReal = d.score(x, ofReal);
        Value y = stopGradient(fake);
        return new Pass(d, x, ofReal, onReal, y, ofFake, d.score(y, ofFake));
    }

    /** The discriminator's pass of a network that reads rows alone. */
    public static Pass ofDiscriminator(Network<Value, Value> d, Value real, Value fake) {
        return ofDiscriminator(over(d), real, RowCondition.none(), fake, RowCondition.none());
    }

    /**
     * Returns the generator's pass: the gradient flows through the discriminator into the generated rows. The real rows
     * and their output are this pass's.
     *
     * @param rows the generated rows, with a gradient
     */
    public Pass ofGenerator(Value rows) {
        return new Pass(d, real, ofReal, onReal, rows, ofFake, d.score(rows, ofFake));
    }

    /** Returns a network that reads rows alone as a discriminator. */
    public static Discriminator over(Network<Value, Value> network) {
        return (rows, condition) -> Scored.of(network.apply(rows));
    }
}
