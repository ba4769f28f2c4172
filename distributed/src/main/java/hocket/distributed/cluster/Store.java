package hocket.distributed.cluster;

import hocket.programs.execution.KeyValueStore;
import hocket.programs.execution.KeyValueStore.Membership;
import hocket.schedulers.exchange.PeerLostException;
import hocket.workbench.training.Halt;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/**
 * A key-value store on a thread of its own, so that who waits for others hears of it when one of them is gone: the store's
 * calls then wait for ever, and that thread with them.
 */
final class Store {
    private final ExecutorService thread = Executors.newSingleThreadExecutor(task -> {
        Thread made = new Thread(task, "hocket-exchange");
        made.setDaemon(true);
        return made;
    });

    private @Nullable KeyValueStore store;
    private volatile @Nullable CompletableFuture<?> pending;
    private volatile @Nullable String lost;
    private volatile String doing = "";
    private volatile long since;
    private long calls;

    /**
     * Joins; workers wait until all are there.
     *
     * @param own the address by which others reach this process
     * @param answersAtOnce whether servers answer each worker at once, as where they move weights
     * @throws PeerLostException if one is gone meanwhile
     */
    void join(Place place, int port, String own, boolean answersAtOnce) {
        Halt.need();
        Membership membership = new Membership(
                place.part().role(),
                address(place.host()),
                port,
                place.workers(),
                place.servers(),
                address(own),
                answersAtOnce);
        store = call("", () -> KeyValueStore.join(membership));
    }

    private static String address(String host) {
        try {
            return InetAddress.getByName(host).getHostAddress();
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(host + ": is no host that this machine knows", e);
        }
    }

    private KeyValueStore joined() {
        KeyValueStore joined = store;
        if (joined == null) {
            throw new IllegalStateException("the store has not been joined");
        }
        return joined;
    }

    /** An array; waits until the other workers want one, too. */
    KeyValueStore.Shared share(String name, int count) {
        return call(name, () -> joined().share(count));
    }

    /** Adds up an array, likewise. */
    void sum(String name, KeyValueStore.Shared array) {
        call(name, () -> {
            array.sum();
            return true;
        });
    }

    /** An array that a server keeps; waits likewise. */
    KeyValueStore.Kept keep(String name, int key, ByteBuffer initial) {
        return call(name, () -> joined().keep(key, initial));
    }

    /** Has a server change an array. */
    void push(String name, KeyValueStore.Kept array) {
        call(name, () -> {
            array.push();
            return true;
        });
    }

    /** For what it waits just now, and since when. Any thread. */
    Line.Waits waits() {
        String what = doing;
        return what.isEmpty() ? Line.Waits.NOT : new Line.Waits(what, (System.nanoTime() - since) * 1e-9);
    }

    boolean isLost() {
        return lost != null;
    }

    /** Serves the workers until all of them have left. */
    void serve(KeyValueStore.Updater updater) {
        call("", () -> {
            joined().serve(updater);
            return true;
        });
    }

    /** Leaves, and waits for the others to do so. */
    void leave() {
        call("", () -> {
            joined().close();
            return true;
        });
        thread.shutdown();
    }

    /** Says that a process is gone: who waits, and will wait, hears of it. Any thread. */
    void lose(String who) {
        lost = who;
        CompletableFuture<?> waiting = pending;
        if (waiting != null) {
            waiting.completeExceptionally(new PeerLostException(who));
        }
    }

    private <T> T call(String name, Callable<T> what) {
        CompletableFuture<T> result = new CompletableFuture<>();
        pending = result;
        String gone = lost;
        if (gone != null) {
            throw new PeerLostException(gone);
        }
        since = System.nanoTime();
        doing = name.isEmpty() ? "" : name + " " + ++calls;
        thread.execute(() -> {
            try {
                result.complete(what.call());
            } catch (Throwable e) {
                result.completeExceptionally(e);
            }
        });
        try {
            return result.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            throw new IllegalStateException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while it waited for the other processes", e);
        } finally {
            doing = "";
        }
    }
}
