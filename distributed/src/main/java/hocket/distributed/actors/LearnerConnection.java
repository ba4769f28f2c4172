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
import org.jspecify.annotations.Nullable;

/**
 * The actor's end: gives away trajectories as far as it has credit, and asks for policies. Used by one thread, which waits;
 * when the learner is gone, or says that all is over, it never goes on, and {@link #end} says which.
 */
final class LearnerConnection implements PolicyFeed, AutoCloseable {
    private static final int CONNECT_MILLIS = 5000;
    private static final int MOST_TRIES = 20;
    private static final long BETWEEN_TRIES_MILLIS = 500;
    private static final int MOST_REFUSAL = 64 << 10;

    /**
     * How it ended.
     *
     * @param isGood whether the learner said that all is over
     * @param why in words
     */
    record End(boolean isGood, String why) {}

    /** The connection has ended; {@link #end} says how. */
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
    private final CompletableFuture<End> end = new CompletableFuture<>();
    private final NetClient client; // who is not held closes its connections when it is collected
    private final NetSocket socket;
    private @Nullable Welcome welcome;
    private boolean isDropped;
    private @Nullable PolicySnapshot answer;
    private int credits;
    private volatile long heard = System.nanoTime();

    /**
     * Connects, and waits until it is welcome.
     *
     * @param longest the most bytes of a policy
     * @throws EndedException if nobody is there or answers, or it is refused
     */
    LearnerConnection(String host, int port, Hello hello, int longest, LearnerServer.Patience patience) {
        this.learner = "the learner at " + host + ":" + port;
        this.longest = longest;
        this.patience = patience;
        vertx = LearnerServer.small();
        client = vertx.createNetClient(
                new NetClientOptions().setConnectTimeout(CONNECT_MILLIS).setTcpNoDelay(true));
        try {
            socket = introduced(host, port, hello);
        } catch (EndedException e) {
            vertx.close();
            throw e;
        }
        vertx.setPeriodic(patience.beat(), tick -> beat());
    }

    /** A connection on which this actor is welcome. One that is closed before there is an answer is opened again. */
    private NetSocket introduced(String host, int port, Hello hello) {
        for (int tries = 1; tries <= MOST_TRIES; tries++) {
            NetSocket opened = connected(host, port, hello);
            long late = vertx.setTimer(
                    patience.silence(),
                    tick -> ends(
                            false,
                            "does not answer: it accepted the connection and has not said that this actor is welcome in "
                                    + patience.silence() / 1000 + " s"));
            synchronized (this) {
                awaitUntil(() -> welcome != null || isDropped);
                vertx.cancelTimer(late);
                if (welcome != null) {
                    return opened;
                }
                isDropped = false;
            }
            pause();
        }
        throw new EndedException(new End(
                false,
                learner + " has closed " + MOST_TRIES
                        + " connections before it answered: too many come to it, or it is ending"));
    }

    private synchronized void closed() {
        if (welcome != null) {
            ends(false, "is lost: the connection was closed");
        } else if (!end.isDone()) {
            isDropped = true;
            notifyAll();
        }
    }

    /** A learner that is being started, too, is not there at once. */
    private NetSocket connected(String host, int port, Hello hello) {
        for (int tries = 1; ; tries++) {
            try {
                Promise<NetSocket> connected = Promise.promise();
                // On the event loop, or it could answer or end before anybody listens.
                vertx.runOnContext(go -> Future.succeededFuture()
                        .compose(ready -> client.connect(port, host))
                        .onSuccess(opened -> begin(opened, hello))
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

    private void begin(NetSocket opened, Hello hello) {
        Frames frames = new Frames(this::longest, this::heard);
        opened.handler(bytes -> take(frames, bytes.getBytes()));
        opened.exceptionHandler(broken -> {}); // its end is heard next
        opened.closeHandler(gone -> closed());
        opened.write(Buffer.buffer(hello.frame().bytes()));
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

    private int longest(Frame.Kind kind) {
        return switch (kind) {
            case WELCOME -> Long.BYTES + Integer.BYTES;
            case REFUSED -> MOST_REFUSAL;
            case POLICY -> longest;
            case CREDIT, BEAT, GOODBYE -> 0;
            default -> -1;
        };
    }

    private void take(Frames frames, byte[] bytes) {
        try {
            if (!end.isDone()) {
                frames.take(bytes);
            }
        } catch (RuntimeException e) {
            ends(false, "says what cannot be understood: " + e.getMessage());
        }
    }

    private synchronized void heard(Frame frame) {
        heard = System.nanoTime();
        switch (frame.kind()) {
            case WELCOME -> {
                welcome = Welcome.of(frame);
                credits = welcome.credits();
            }
            case REFUSED -> ends(false, "refuses this actor: " + Letters.shown(frame.payload()));
            case POLICY -> answer = PolicyBytes.of(frame);
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
            write(Frame.of(Frame.Kind.BEAT));
        }
    }

    private void ends(boolean isGood, String why) {
        end.complete(new End(isGood, learner + " " + why));
        synchronized (this) {
            notifyAll();
        }
    }

    /** Done when the learner is gone. */
    CompletableFuture<End> end() {
        return end;
    }

    synchronized Welcome welcome() {
        if (welcome == null) {
            throw new IllegalStateException("an actor that is not welcome");
        }
        return welcome;
    }

    @Override
    public synchronized Optional<PolicySnapshot> newerThan(long version) {
        answer = null;
        write(Letters.whole(Frame.Kind.ASK, version));
        awaitUntil(() -> answer != null);
        PolicySnapshot got = answer;
        return got == null || got.version() < 0 ? Optional.empty() : Optional.of(got);
    }

    /** Sends a trajectory; waits until it has credit for it. */
    synchronized void send(Trajectory trajectory) {
        awaitUntil(() -> credits > 0);
        credits--;
        write(TrajectoryBytes.frame(trajectory));
    }

    /** Says why it ends. */
    void fail(String why) {
        try {
            socket.write(Buffer.buffer(Letters.text(Frame.Kind.FAILED, why).bytes()))
                    .toCompletionStage()
                    .toCompletableFuture()
                    .get();
        } catch (ExecutionException e) {
            // nobody hears it
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void write(Frame frame) {
        socket.write(Buffer.buffer(frame.bytes()));
    }

    /** Something that another thread brings about. */
    private interface Come {
        boolean isThere();
    }

    private void awaitUntil(Come come) {
        while (!come.isThere()) {
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
