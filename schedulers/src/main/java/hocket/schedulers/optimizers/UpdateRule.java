package hocket.schedulers.optimizers;

import hocket.schedulers.Keyed;
import java.util.List;
import java.util.Objects;

/**
 * How weights change, given their gradients: a value, made by {@link Optimizers}. It is one {@link Link}, or several in a
 * {@link Chain}; {@link UpdatePlan} keeps its state. Files write {@code {adam: {rate: 2e-4}}}, or a list of links.
 */
@Keyed(list = Chain.class)
public sealed interface UpdateRule permits Chain, Link {
    /** What the gradient passes through, in order. */
    List<Link> links();

    /** The rates of its links, in their order. */
    default List<Rate> rates() {
        return links().stream().map(Links::rate).filter(Objects::nonNull).toList();
    }

    /**
     * Evaluates every rate at up to 1,000 positions from the first to the last.
     *
     * @param last where training ends
     * @throws IllegalArgumentException if one is negative or not finite, naming rule and update
     */
    default void check(Progress last) {
        for (Link link : links()) {
            Rate rate = Links.rate(link);
            if (rate != null) {
                Require.rates(Links.key(link), rate, last);
            }
        }
    }

    /** The same for so many updates, each of which is a round; without epochs. */
    default void check(long updates) {
        check(Progress.of(updates, updates - 1, 0));
    }
}
