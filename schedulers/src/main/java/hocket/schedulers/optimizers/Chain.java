package hocket.schedulers.optimizers;

import hocket.schedulers.settings.Setting;
import java.util.List;

/**
 * Links, one behind the other: what one makes of the update is given to the next.
 *
 * @param links at least one
 */
public record Chain(
        @Setting(help = "links, in the order in which the gradient passes them")
        List<GradientTransformation> links) implements UpdateRule {
    /** @throws IllegalArgumentException if there is no link */
    public Chain {
        links = List.copyOf(links);
        if (links.isEmpty()) {
            throw new IllegalArgumentException("a chain needs at least one link");
        }
    }
}
