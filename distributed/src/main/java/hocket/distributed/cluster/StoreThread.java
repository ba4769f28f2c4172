package hocket.distributed.cluster;

import hocket.programs.execution.KeyValueStore;
import hocket.programs.execution.KeyValueStore.Membership;
import hocket.schedulers.exchange.PeerLostException;
import hocket.workbench.training.ProcessHalt;
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
 * A key-value store on a thread of its own, so that a waiting worker learns of a lost process: the store's calls then
 * never return.
 */
final class StoreThread {
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
     * Joins the store; workers wait until all have joined.
     *
     * @param own the address by which others reach this process
     * @param answersAtOnce whether servers answer each worker at once, as they do if they update weights
     * @throws PeerLostException if a process is lost meanwhile
     */
    void join(NodeConfig nodeConfig, int port, String own, boolean answersAtOnce) {
        ProcessHalt.need();
        Membership membership = new Membership(
                nodeConfig.part().role,
                address(nodeConfig.host()),
                port,
                nodeConfig.workers(),
                nodeConfig.servers(),
                address(own),
                answersAtOnce);
        store = call("", () -> KeyValueStore.join(membership));
    }

    private static String address(String host) {
        try {
            return InetAddress.getByName(host).getHostAddress();
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(host + ": is not a known host name", e);
        }
    }

    private KeyValueStore joined() {
        KeyValueStore joined = store;
        if (joined == null) {
            throw new IllegalStateException("join() must be called first");
        }
        return joined;
    }

    /** Creates an array that workers share; waits until the other workers create it as well. */
    KeyValueStore.Shared share(String name, int count) {
        return call(name, () -> joined().share(count));
    }

    /** Adds up an array over all workers; waits until the other workers add up theirs. */
    void sum(String name, KeyValueStore.Shared array) {
        call(name, Executors.callable(array::sum));
    }

    /** Creates an array that a server keeps; waits until the other workers create it as well. */
    KeyValueStore.Kept keep(String name, int key, ByteBuffer initial) {
        return call(name, () -> joined().keep(key, initial));
    }

    /** Sends an array to a server, which updates its own. */
    void push(String name, KeyValueStore.Kept array) {
        call(name, Executors.callable(array::push));
    }

    /** Returns the current wait and its start. Used by any thread. */
    CoordinatorClient.Waits waits() {
        String what = doing;
        return what.isEmpty()
                ? CoordinatorClient.Waits.NOT
                : new CoordinatorClient.Waits(what, (System.nanoTime() - since) * 1e-9);
    }

    boolean isLost() {
        return lost != null;
    }

    /** Serves the workers until all of them have left. */
    void serve(KeyValueStore.Updater updater) {
        call("", Executors.callable(() -> joined().serve(updater)));
    }

    /** Leaves, and waits for the others to leave. */
    void leave() {
        call("", Executors.callable(() -> joined().close()));
        thread.shutdown();
    }

    /** Marks a process as lost: all present and later waits fail. Used by any thread. */
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
            throw new IllegalStateException("interrupted while waiting for the other processes", e);
        } finally {
            doing = "";
        }
    }
}
