package hocket.gan.terms;

import static hocket.programs.Operators.add;
import static hocket.programs.Operators.concat;
import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.scale;
import static hocket.programs.Operators.slice;
import static hocket.programs.Operators.square;
import static hocket.programs.Operators.stopGradient;
import static hocket.programs.Operators.subtract;

import hocket.gan.parts.Discriminator;
import hocket.gan.parts.RowCondition;
import hocket.gan.parts.Scored;
import hocket.programs.Value;
import hocket.schedulers.settings.Keyed;
import hocket.schedulers.settings.Setting;
import hocket.scopes.Scope;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/** A transformation of rows that keeps their shape and meaning, for consistency penalties. */
@Keyed
@FunctionalInterface
public interface Augmentation extends UnaryOperator<Value> {
    /** Flips each row along its last axis: images from left to right. */
    record Flip() implements Augmentation {
        /** @throws IllegalArgumentException if rows are scalars */
        @Override
        public Value apply(Value rows) {
            int last = rows.shape().rank() - 1;
            if (last < 0) {
                throw new IllegalArgumentException("flip: rows need an axis to be mirrored along, got " + rows);
            }
            int extent = rows.shape().get(last);
            return concat(
                    last,
                    IntStream.range(0, extent)
                            .mapToObj(i -> slice(rows, last, extent - 1 - i, extent - i))
                            .toArray(Value[]::new));
        }
    }

    /**
     * Adds normal noise to every number: {@code augmentation#1/noise}, {@code augmentation#2/noise}, …
     *
     * @param deviation of the noise, at least 0
     */
    record Jitter(
            @Setting(usually = "0.1", least = 0, help = "standard deviation of the noise that is added")
            double deviation)
            implements Augmentation, JitterCopies {
        /** @throws IllegalArgumentException if the deviation is not finite and at least 0 */
        public Jitter {
            JitterCopies.check(deviation);
        }

        @Override
        public Value apply(Value rows) {
            try (Scope<Value> each = rows.graph().derived("augmentation")) {
                return add(rows, scale(rows.graph().noise("noise", rows.shape()), deviation));
            }
        }
    }

    /** The mean squared change of a discriminator's output by this augmentation. */
    default Value inconsistency(Discriminator d, Value rows, RowCondition condition, Scored on) {
        Scored changed = d.score(stopGradient(apply(rows)), condition);
        return mean(square(subtract(changed.logit(), on.logit())));
    }
}
