package hocket.gan.parts;

import static hocket.programs.Operators.stopGradient;

import hocket.programs.Network;
import hocket.programs.Value;
import java.util.Optional;

/**
 * A forward pass over a batch of real and one of generated rows, which the loss and all terms of a program share.
 *
 * @param side whose loss it is for
 * @param d calls the discriminator again, with the same parameters; an augmentation of its rows is drawn again
 * @param real rows
 * @param ofReal condition of the real rows
 * @param onReal the discriminator's output for the real rows
 * @param fake generated rows, of the same shape
 * @param ofFake condition of the generated rows
 * @param onFake the discriminator's output for the generated rows
 * @param latents of the generated rows, if they are known
 */
public record Pass(
        Side side,
        Discriminator d,
        Value real,
        RowCondition ofReal,
        Scored onReal,
        Value fake,
        RowCondition ofFake,
        Scored onFake,
        Optional<Latents> latents) {
    /** The discriminator's pass: no gradient flows into the rows. */
    public static Pass ofDiscriminator(
            Discriminator d, Value real, RowCondition ofReal, Value fake, RowCondition ofFake) {
        Value x = stopGradient(real);
        Scored onReal = d.score(x, ofReal);
        Value y = stopGradient(fake);
        return new Pass(Side.DISCRIMINATOR, d, x, ofReal, onReal, y, ofFake, d.score(y, ofFake), Optional.empty());
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
        return new Pass(Side.GENERATOR, d, real, ofReal, onReal, rows, ofFake, d.score(rows, ofFake), latents);
    }

    /** Returns this pass of the discriminator with other generated rows, of the same conditions. */
    public Pass withFake(Value rows) {
        Value y = stopGradient(rows);
        return new Pass(side, d, real, ofReal, onReal, y, ofFake, d.score(y, ofFake), latents);
    }

    /** Returns this pass with the noise of the generated rows and their generator. */
    public Pass with(Latents of) {
        return new Pass(side, d, real, ofReal, onReal, fake, ofFake, onFake, Optional.of(of));
    }

    /**
     * Returns the noise of the generated rows and their generator.
     *
     * @param part that needs them, for the message
     * @throws IllegalArgumentException if they are not known
     */
    public Latents requireLatents(String part) {
        return latents.orElseThrow(() -> new IllegalArgumentException(part
                + " reads the noise of the generated rows or further outputs of the generator, which are not known:"
                + " the rows are made from other rows, or some are from a pool"));
    }

    /** Returns a network that reads rows alone as a discriminator. */
    public static Discriminator over(Network<Value, Value> network) {
        return (rows, condition) -> Scored.of(network.apply(rows));
    }
}
