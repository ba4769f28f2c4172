package hocket.workbench.live.http;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;

/** Work on worker threads that knows whether some of it is unfinished. Used by any thread. */
public final class BlockingWork {
    private final Vertx vertx;
    private final AtomicInteger underWay = new AtomicInteger();

    public BlockingWork(Vertx vertx) {
        this.vertx = vertx;
    }

    public Vertx vertx() {
        return vertx;
    }

    /**
     * Runs work in parallel with other work. It is unfinished until the handlers of its result have run on the server's
     * thread.
     */
    public <T> Future<T> run(Callable<T> work) {
        underWay.incrementAndGet();
        Future<T> done = vertx.executeBlocking(work, false);
        done.onComplete(outcome -> vertx.runOnContext(after -> underWay.decrementAndGet()));
        return done;
    }

    public boolean isUnderWay() {
        return underWay.get() > 0;
    }
}
