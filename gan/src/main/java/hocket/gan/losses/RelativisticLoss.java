package hocket.gan.losses;

import hocket.programs.Value;
import java.util.OptionalDouble;

/** A loss of differences between outputs for real and for generated rows; the generator's swaps the two. */
interface RelativisticLoss extends GanLoss {
    @Override
    default Value generator(Value real, Value fake) {
        return discriminator(fake, real);
    }

    @Override
    default OptionalDouble decisionThreshold() {
        return OptionalDouble.empty();
    }
}
