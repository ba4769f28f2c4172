package hocket.workbench.live.http;

import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One question for all who ask before it is answered; it is withdrawn when nobody waits for the answer any longer. Any thread.
 *
 * @param <T> the answer, which all of them get
 */
public final class CoalescedQuery<T> {
    private final Supplier<CompletableFuture<T>> question;
    private @Nullable CompletableFuture<T> asked;
    private int waiting;

    /** @param question asks; to cancel what it gives withdraws it */
    public CoalescedQuery(Supplier<CompletableFuture<T>> question) {
        this.question = question;
    }

    /** Asks, or waits with the others. A caller that completes or cancels its future no longer waits. */
    public synchronized CompletableFuture<T> ask() {
        CompletableFuture<T> open = asked;
        if (open == null || open.isDone()) {
            open = question.get();
            asked = open;
            waiting = 0;
        }
        CompletableFuture<T> all = open;
        waiting++;
        CompletableFuture<T> own = all.copy();
        own.whenComplete((answer, failure) -> left(all));
        return own;
    }

    private void left(CompletableFuture<T> all) {
        synchronized (this) {
            if (all != asked || all.isDone() || --waiting > 0) {
                return;
            }
            asked = null;
        }
        all.cancel(false);
    }
}
