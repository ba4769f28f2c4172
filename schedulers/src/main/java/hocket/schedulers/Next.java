package hocket.schedulers;

import java.util.List;
import java.util.function.BiConsumer;

/** What a {@link Ring} is around: the rings inside it, and in their middle the thing itself. */
@FunctionalInterface
public interface Next {
    /** Does it. What fails in there comes out here. */
    void proceed();

    /**
     * Does something with layers around it: each is given what is inside it, as in an onion.
     *
     * @param layers from the outermost on
     * @param form what a layer does around the rest
     * @param middle what they are all around
     */
    static <L> void around(List<L> layers, BiConsumer<L, Next> form, Next middle) {
        Next next = middle;
        for (int i = layers.size() - 1; i >= 0; i--) {
            L layer = layers.get(i);
            Next inner = next;
            next = () -> form.accept(layer, inner);
        }
        next.proceed();
    }
}
