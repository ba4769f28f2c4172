package hocket.distributed.actors;

import hocket.rl.replay.PolicyFeed;
import hocket.rl.replay.PolicySnapshot;
import hocket.rl.replay.Trajectory;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetClientOptions;
import io.vertx.core.net.NetSocket;
import java.net.ConnectException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The actor's side: sends trajectories as far as it has credit, and requests policies. Used by one thread, which waits;
 * after the end of the learner that thread does not return, and {@link #end} has the reason.
 */
final class LearnerConnection implements PolicyFeed, AutoCloseable {
    private static final int CONNECT_MILLIS = 5000;
    private static final int MOST_TRIES = 20;
    private static final long BETWEEN_TRIES_MILLIS = 500;
    private static final int MOST_REFUSAL = 64 << 10;

    /**
     * The end of the connection.
     *
     * @param isGood whether the learner said that the run is over
     * @param why in words
     */
    record End(boolean isGood, String why) {}

    /** The connection has ended; {@link #end} has the reason. */
    static final class EndedException extends RuntimeException {
        private static final long serialVersionUID = 1;

        EndedException(End end) {
            super(end.why());
        }
    }

    private final Vertx vertx;
    private final String learner;
    private final int longest;
    private final LearnerServer.Patience patience;
    /** A future that completes when the learner is gone. */
    final CompletableFuture<End> end = new CompletableFuture<>();

    private final NetClient client; // an instance that is garbage-collected closes its connections
    private final NetSocket socket;
    private @Nullable LearnerHandshake learnerHandshake;
    private boolean isDropped;
    private @Nullable PolicySnapshot answer;
    private int credits;
    private volatile long heard = System.nanoTime();

    /**
     * Connects, and waits until it is admitted.
     *
     * @param longest largest size of a policy in bytes
     * @throws EndedException if the learner is absent, does not answer, or rejects it
     */
    LearnerConnection(
            String host, int port, ActorHandshake actorHandshake, int longest, LearnerServer.Patience patience) {
        this.learner = "the learner at " + host + ":" + port;
        this.longest = longest;
        this.patience = patience;
        vertx = LearnerServer.small();
        client = vertx.createNetClient(
                new NetClientOptions().setConnectTimeout(CONNECT_MILLIS).setTcpNoDelay(true));
        try {
            socket = introduced(host, port, actorHandshake);
        } catch (EndedException e) {
            vertx.close();
            throw e;
        }
        vertx.setPeriodic(patience.beat(), tick -> beat());
    }

    /** Returns a connection on which this actor is admitted. One that is closed before the answer is opened again. */
    private NetSocket introduced(String host, int port, ActorHandshake actorHandshake) {
        for (int tries = 1; tries <= MOST_TRIES; tries++) {
            NetSocket opened = connected(host, port, actorHandshake);
            long late = vertx.setTimer(
                    patience.silence(),
                    tick -> ends(
                            false,
                            "does not answer: it accepted the connection, but has not admitted this actor within "
                                    + patience.silence() / 1000 + " s"));
            synchronized (this) {
                awaitUntil(() -> learnerHandshake != null || isDropped);
                vertx.cancelTimer(late);
                if (learnerHandshake != null) {
                    return opened;
                }
                isDropped = false;
            }
            pause();
        }
        throw new EndedException(new End(
                false,
                learner + " has closed " + MOST_TRIES
                        + " connections before it answered: too many actors connect to it, or it is ending"));
    }

    private synchronized void closed() {
        if (learnerHandshake != null) {
            ends(false, "is lost: the connection was closed");
        } else if (!end.isDone()) {
            isDropped = true;
            notifyAll();
        }
    }

    /** A learner that starts at the same time may not listen yet. */
    private NetSocket connected(String host, int port, ActorHandshake actorHandshake) {
        for (int tries = 1; ; tries++) {
            try {
                Promise<NetSocket> connected = Promise.promise();
                // Runs on the event loop, or an answer could come before the handlers are set.
                vertx.runOnContext(go -> Future.succeededFuture()
                        .compose(ready -> client.connect(port, host))
                        .onSuccess(opened -> begin(opened, actorHandshake))
                        .onComplete(connected));
                return connected
                        .future()
                        .toCompletionStage()
                        .toCompletableFuture()
                        .get();
            } catch (ExecutionException e) {
                if (tries == MOST_TRIES || !(e.getCause() instanceof ConnectException)) {
                    throw new EndedException(new End(
                            false,
                            learner + " cannot be reached: "
                                    + String.valueOf(e.getMessage()).replaceFirst("^.*Exception: ", "")));
                }
                pause();
            } catch (InterruptedException e) {
                throw interrupted();
            }
        }
    }

    private void begin(NetSocket opened, ActorHandshake actorHandshake) {
        Framing framing = new Framing(this::longest, this::heard);
        opened.handler(bytes -> take(framing, bytes.getBytes()));
        opened.exceptionHandler(broken -> {}); // its end is heard next
        opened.closeHandler(gone -> closed());
        opened.write(Buffer.buffer(actorHandshake.frame().bytes()));
    }

    private void pause() {
        try {
            Thread.sleep(BETWEEN_TRIES_MILLIS);
        } catch (InterruptedException e) {
            throw interrupted();
        }
    }

    private EndedException interrupted() {
        Thread.currentThread().interrupt();
        return new EndedException(new End(false, "interrupted while it connected to " + learner));
    }

    private int longest(ProtocolFrame.Kind kind) {
        return switch (kind) {
            case WELCOME -> Long.BYTES + Integer.BYTES;
            case REFUSED -> MOST_REFUSAL;
            case POLICY -> longest;
            case CREDIT, BEAT, GOODBYE -> 0;
            default -> -1;
        };
    }

    private void take(Framing framing, byte[] bytes) {
        try {
            if (!end.isDone()) {
                framing.take(bytes);
            }
        } catch (RuntimeException e) {
            ends(false, "sent an unreadable message: " + e.getMessage());
        }
    }

    private synchronized void heard(ProtocolFrame protocolFrame) {
        heard = System.nanoTime();
        switch (protocolFrame.kind()) {
            case WELCOME -> {
                learnerHandshake = LearnerHandshake.of(protocolFrame);
                credits = learnerHandshake.credits();
            }
            case REFUSED -> ends(false, "refuses this actor: " + Codec.shown(protocolFrame.payload()));
            case POLICY -> answer = PolicyBytes.of(protocolFrame);
            case CREDIT -> credits++;
            case GOODBYE -> ends(true, "has ended");
            default -> {}
        }
        notifyAll();
    }

    private void beat() {
        if ((System.nanoTime() - heard) / 1_000_000 > patience.silence()) {
            ends(false, "is lost: it has been silent for " + patience.silence() / 1000 + " s");
        } else if (!socket.writeQueueFull()) {
            write(ProtocolFrame.of(ProtocolFrame.Kind.BEAT));
        }
    }

    private void ends(boolean isGood, String why) {
        end.complete(new End(isGood, learner + " " + why));
        synchronized (this) {
            notifyAll();
        }
    }

    synchronized LearnerHandshake welcome() {
        if (learnerHandshake == null) {
            throw new IllegalStateException("this actor was not admitted");
        }
        return learnerHandshake;
    }

    @Override
    public synchronized Optional<PolicySnapshot> newerThan(long version) {
        answer = null;
        write(Codec.whole(ProtocolFrame.Kind.ASK, version));
        awaitUntil(() -> answer != null);
        PolicySnapshot got = answer;
        return got == null || got.version() < 0 ? Optional.empty() : Optional.of(got);
    }

    /** Sends a trajectory; waits for a credit. */
    synchronized void send(Trajectory trajectory) {
        awaitUntil(() -> credits > 0);
        credits--;
        write(TrajectoryBytes.frame(trajectory));
    }

    /** Says why it ends. */
    void fail(String why) {
        try {
            socket.write(Buffer.buffer(
                            Codec.text(ProtocolFrame.Kind.FAILED, why).bytes()))
                    .toCompletionStage()
                    .toCompletableFuture()
                    .get();
        } catch (ExecutionException e) {
            // nobody hears it
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void write(ProtocolFrame protocolFrame) {
        socket.write(Buffer.buffer(protocolFrame.bytes()));
    }

    /** Waits for a condition that another thread fulfils. */
    private void awaitUntil(BooleanSupplier isThere) {
        while (!isThere.getAsBoolean()) {
            if (end.isDone()) {
                throw new EndedException(end.join());
            }
            try {
                wait();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new EndedException(new End(false, "interrupted"));
            }
        }
    }

    @Override
    public void close() {
        vertx.close();
    }
}
