package hocket.schedulers.optimizers;

import hocket.schedulers.optimizers.rates.Rate;
import hocket.schedulers.optimizers.rates.TrainingProgress;
import hocket.schedulers.optimizers.updates.GradientTransformations;
import hocket.schedulers.optimizers.updates.UpdatePlan;
import hocket.schedulers.settings.Keyed;
import java.util.List;
import java.util.Objects;

/**
 * An optimizer, which changes weights by their gradients: a value, made by {@link Optimizers}. It is one {@link
 * GradientTransformation}, or several in a {@link Chain}, and may be {@link Lazy}; {@link UpdatePlan} keeps its state. Files write {@code {adam:
 * {rate: 2e-4}}}, or a list of links.
 */
@Keyed(list = Chain.class)
public sealed interface UpdateRule permits Chain, GradientTransformation, Lazy {
    /** Returns the transformations that the gradient passes, in order. */
    List<GradientTransformation> links();

    /** Returns the rates of its transformations, in their order. */
    default List<Rate> rates() {
        return links().stream()
                .map(GradientTransformations::rate)
                .filter(Objects::nonNull)
                .toList();
    }

    /**
     * Evaluates every rate at up to 1,000 positions from the first to the last.
     *
     * @param last where training ends
     * @throws IllegalArgumentException if one is negative or not finite, naming rule and update
     */
    default void check(TrainingProgress last) {
        for (GradientTransformation gradientTransformation : links()) {
            Rate rate = GradientTransformations.rate(gradientTransformation);
            if (rate != null) {
                Require.rates(GradientTransformations.key(gradientTransformation), rate, last);
            }
        }
    }

    /** Checks the rates for a number of updates, each of which is a round, without epochs. */
    default void check(long updates) {
        check(TrainingProgress.of(updates, updates - 1, 0));
    }
}
