package hocket.schedulers;

import java.util.List;
import java.util.function.BiConsumer;

/**
 * The continuation that a {@link Ring} wraps: the rings inside it and, innermost, the wrapped step itself.
 *
 * <p>For example:
 *
 * <pre>{@code
 * Ring timer = new Ring() {
 *     @Override
 *     public void round(Run run, Next next) {
 *         long begin = System.nanoTime();
 *         next.proceed();
 *         System.out.println(run.position().round() + ": " + (System.nanoTime() - begin) / 1e9 + " s");
 *     }
 * };
 * }</pre>
 */
@FunctionalInterface
public interface Next {
    /** Runs the continuation; its exceptions propagate to the caller. */
    void proceed();

    /** Runs a last step after a failure; a failure of its own is suppressed in that one. */
    static void after(Throwable failure, Next last) {
        try {
            last.proceed();
        } catch (Throwable second) {
            failure.addSuppressed(second);
        }
    }

    /**
     * Runs a step inside layers; each layer receives the continuation inside it.
     *
     * @param layers from the outermost on
     * @param form runs a layer around the rest
     * @param middle the innermost step
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
