package hocket.gan.parts;

import hocket.programs.Value;
import hocket.schedulers.settings.Keyed;
import hocket.scopes.Shape;

/** A generator of rows from noise; in a file {@code generator: {dcgan: {width: 64}}} or {@code {class: my.Generator}}. */
@Keyed
@FunctionalInterface
public interface Generator {
    /**
     * Builds the network in the open module or scope.
     *
     * @param latent noise (latent)
     * @param condition of the rows to generate
     * @param rows shape of a row
     * @return rows of that shape
     * @throws IllegalArgumentException if it cannot generate rows of that shape, or needs a condition
     */
    Value generate(Value latent, RowCondition condition, Shape rows);

    /** Builds the network and returns its rows with further outputs, which terms read; usually none. */
    default Generated make(Value latent, RowCondition condition, Shape rows) {
        return Generated.of(generate(latent, condition, rows));
    }

    /** Builds the network without a condition. */
    default Value generate(Value latent, Shape rows) {
        return generate(latent, RowCondition.none(), rows);
    }
}
