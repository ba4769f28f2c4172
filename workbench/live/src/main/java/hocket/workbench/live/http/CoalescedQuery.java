package hocket.workbench.live.http;

import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A query shared by all callers that ask before it is answered; it is cancelled when no caller waits any longer. Used
 * by any thread.
 *
 * @param <T> the answer, shared by all callers
 */
public final class CoalescedQuery<T> {
    private final Supplier<CompletableFuture<T>> question;
    private @Nullable CompletableFuture<T> asked;
    private int waiting;

    /** @param question starts the query; cancelling its future cancels the query */
    public CoalescedQuery(Supplier<CompletableFuture<T>> question) {
        this.question = question;
    }

    /**
     * Starts the query, or joins the one in progress. A caller that completes or cancels its future no longer waits.
     */
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
