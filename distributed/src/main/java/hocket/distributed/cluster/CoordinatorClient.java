package hocket.distributed.cluster;

import hocket.distributed.cluster.LineChannel.Handshake;
import hocket.distributed.cluster.LineChannel.Heartbeat;
import hocket.distributed.cluster.LineChannel.Kind;
import hocket.distributed.cluster.LineChannel.Message;
import hocket.workbench.files.UserError;
import hocket.workbench.files.json.JsonDocument;
import hocket.workbench.runs.Version;
import io.vertx.core.Vertx;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetClientOptions;
import io.vertx.core.net.NetSocket;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A process's connection to the scheduler: it joins by it, reports its status, and receives news of lost processes. */
final class CoordinatorClient implements AutoCloseable {
    private static final long AGAIN_MILLIS = 200;

    /**
     * The status of this process in an answer.
     *
     * @param waits its current wait
     */
    record Pulse(long turns, double waited, Waits waits) {}

    /**
     * A wait for the other workers.
     *
     * @param what name and number of the exchange; empty if the process does not wait
     * @param seconds duration of the wait
     */
    record Waits(String what, double seconds) {
        static final Waits NOT = new Waits("", 0);
    }

    /** A server only reports that it lives. */
    static final Supplier<Pulse> SERVING = () -> new Pulse(0, 0, Waits.NOT);

    private final Vertx vertx = Vertx.vertx();
    private final NetClient client = vertx.createNetClient(
            new NetClientOptions().setConnectTimeout(2000).setTcpKeepAlive(true).setTcpNoDelay(true));
    private final NodeConfig nodeConfig;
    private final Supplier<Pulse> pulse;
    private final Consumer<String> lost;
    private final CompletableFuture<Integer> welcome = new CompletableFuture<>();
    private volatile @Nullable NetSocket socket;
    /** The state of the workers. */
    final WorkerStatuses workerStatuses;

    private volatile long heard = System.nanoTime();
    private volatile boolean leaving;
    private boolean told;

    /**
     * @param pulse returns the status of this process, about once a second
     * @param lost receives the lost process and the reason, once, on a thread of this line
     */
    CoordinatorClient(NodeConfig nodeConfig, Supplier<Pulse> pulse, Consumer<String> lost) {
        this.nodeConfig = nodeConfig;
        this.pulse = pulse;
        this.lost = lost;
        this.workerStatuses = new WorkerStatuses(nodeConfig);
    }

    /**
     * Joins, and waits until all have joined; retries for a while, as the scheduler may start later.
     *
     * @param experiment digest of the experiment
     * @param programs digest of a worker's programs
     * @return the port of the store's scheduler
     * @throws UserError if this process does not belong to the run, or the scheduler cannot be reached
     */
    int join(String experiment, String programs) {
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(nodeConfig.toBegin());
        Handshake hello = new Handshake(
                LineChannel.PROTOCOL,
                nodeConfig.token(),
                nodeConfig.part().name(),
                nodeConfig.rank(),
                nodeConfig.workers(),
                nodeConfig.servers(),
                Version.number(),
                experiment,
                programs,
                ProcessHandle.current().pid());
        // Runs on the event loop, or a connection could end before its handler is set.
        vertx.runOnContext(go -> connect(hello, until));
        try {
            return welcome.get(nodeConfig.toBegin() + 5, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof UserError userError ? userError : new UserError(Coordinator.cause(e), e);
        } catch (TimeoutException e) {
            throw new UserError("the scheduler at " + nodeConfig.scheduler() + " has not begun the run", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new UserError("interrupted while waiting for the scheduler", e);
        }
    }

    private void connect(Handshake hello, long until) {
        client.connect(nodeConfig.port(), nodeConfig.host()).onComplete(connected -> {
            if (connected.succeeded()) {
                begin(connected.result(), hello, until);
            } else {
                again(hello, until, "cannot be reached: " + Coordinator.cause(connected.cause()));
            }
        });
    }

    private void again(Handshake hello, long until, String why) {
        if (System.nanoTime() < until) {
            vertx.setTimer(AGAIN_MILLIS, again -> connect(hello, until));
        } else {
            welcome.completeExceptionally(
                    new UserError(NodeConfig.SCHEDULER + ": " + nodeConfig.scheduler() + " " + why));
        }
    }

    private void begin(NetSocket connected, Handshake hello, long until) {
        boolean[] answered = {false};
        connected.handler(LineChannel.reader(
                LineChannel.LONGEST,
                line -> {
                    answered[0] = true;
                    heard(JsonDocument.readWhole(line, Message.class));
                },
                why -> tell("the scheduler at " + nodeConfig.scheduler() + " sent an unreadable message: " + why)));
        connected.exceptionHandler(e -> {}); // its end is heard next
        connected.closeHandler(closed -> {
            if (!answered[0] && !leaving) { // it has not admitted this process, and others have come since
                again(hello, until, "closes connections before it answers: too many processes connect to it");
            } else if (!leaving) {
                tell("the scheduler at " + nodeConfig.scheduler() + ": connection lost");
            }
        });
        heard = System.nanoTime();
        if (socket == null) {
            vertx.setPeriodic(nodeConfig.beat(), timer -> listen());
        }
        socket = connected;
        LineChannel.send(connected, hello);
    }

    private void listen() {
        double silent = (System.nanoTime() - heard) / 1e9;
        int patience = welcome.isDone() ? nodeConfig.patience() : nodeConfig.toBegin();
        if (silent > patience) {
            tell("the scheduler at " + nodeConfig.scheduler() + " has not answered for " + patience + " seconds");
        }
    }

    private void answer() {
        NetSocket to = socket;
        if (to == null || leaving) {
            return;
        }
        Pulse now = pulse.get();
        Waits waits = now.waits();
        LineChannel.send(to, new Heartbeat(false, "", now.turns(), now.waited(), waits.what(), waits.seconds()));
    }

    private void heard(Message message) {
        heard = System.nanoTime();
        if (message.kind() == Kind.WELCOME) {
            welcome.complete(message.port());
        } else if (message.kind() == Kind.REFUSED) {
            leaving = true;
            welcome.completeExceptionally(new UserError("the scheduler at " + nodeConfig.scheduler() + " refuses "
                    + nodeConfig.called() + ": " + message.text()));
        } else if (message.kind() == Kind.LOST) {
            tell(message.text());
        } else {
            workerStatuses.heard(message.workers(), heard);
            answer();
        }
    }

    private void tell(String who) {
        if (!told && !leaving) {
            told = true;
            welcome.completeExceptionally(new UserError("the run cannot begin: " + who));
            lost.accept(who);
        }
    }

    /**
     * Returns the address by which others reach this process: the environment's, or that of its connection to the
     * scheduler.
     */
    String own() {
        NetSocket to = socket;
        return !nodeConfig.own().isEmpty() || to == null
                ? nodeConfig.own()
                : to.localAddress().hostAddress();
    }

    /** Reports that this process is done, or why it fails, and leaves; waits a moment for the message to be sent. */
    void leave(Optional<String> failed) {
        NetSocket to = socket;
        leaving = true;
        if (to == null) {
            return;
        }
        CompletableFuture<Void> said = new CompletableFuture<>();
        vertx.runOnContext(go -> {
            Pulse last = pulse.get();
            LineChannel.send(to, new Heartbeat(true, failed.orElse(""), last.turns(), last.waited(), "", 0));
            to.end().onComplete(ended -> said.complete(null));
        });
        try {
            said.get(2, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            // the scheduler is gone, too
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        leaving = true;
        vertx.close();
    }
}
