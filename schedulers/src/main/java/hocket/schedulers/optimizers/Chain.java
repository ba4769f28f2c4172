package hocket.schedulers.optimizers;

import hocket.schedulers.settings.Setting;
import java.util.List;

/**
 * A chain of gradient transformations; each receives the update from the one before it.
 *
 * @param links the transformations, at least one
 */
public record Chain(
        @Setting(help = "gradient transformations, in the order in which they are applied")
        List<GradientTransformation> links)
        implements UpdateRule {
    /** @throws IllegalArgumentException if there is no link */
    public Chain {
        links = List.copyOf(links);
        if (links.isEmpty()) {
            throw new IllegalArgumentException("a chain needs at least one link");
        }
    }
}
