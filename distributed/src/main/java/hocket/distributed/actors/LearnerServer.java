package hocket.distributed.actors;

import hocket.rl.actors.TrainingEnvironments;
import hocket.rl.replay.PolicyFeed;
import hocket.rl.replay.PolicyPublisher;
import hocket.rl.replay.PolicySnapshot;
import hocket.rl.replay.Trajectory;
import hocket.rl.replay.TrajectoryActor;
import hocket.rl.replay.TrajectoryBatch;
import hocket.workbench.files.UserError;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.file.FileSystemOptions;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetServerOptions;
import io.vertx.core.net.NetSocket;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The learner's side: accepts trajectories of actors with its token and its experiment, one of each rank, and sends
 * them its policy on request. A client that sends anything else is rejected with a line; the others are not affected.
 * Methods of the learner's thread excepted, all runs on the server's own thread.
 */
final class LearnerServer implements PolicyPublisher, AutoCloseable {
    /** Two trajectories: one is sent or waits while the next is collected. */
    static final int CREDITS = 2;

    /** The largest number of connections that have not introduced themselves; beyond it the oldest is closed. */
    static final int MOST_UNKNOWN = 64;

    private static final int MOST_LINES = 100;
    private static final int CLOSING_SECONDS = 2;

    /** Time limits in milliseconds. */
    record Patience(long hello, long beat, long silence) {
        static final Patience USUAL = new Patience(5000, 2500, 10_000);
    }

    /** A listener for actors. Called on the server's thread. */
    interface Listener {
        /** A trajectory has come. */
        void delivered(int rank);

        /** Called when the connection of an actor is lost, with the reason. */
        void lost(int rank, String why);

        /** Called with a remark for a person. */
        void says(String line);
    }

    /**
     * The actors that may connect.
     *
     * @param own ranks of the learner's own processes: 0 to this, exclusive
     * @param ownToken their token
     * @param most ranks in all
     * @param token the other actors' token
     */
    record Admission(int own, String ownToken, int most, String token) {}

    /**
     * The requirements on the actors of a learner.
     *
     * @param made experiment and programs that actors must share
     * @param batch the batch that learns from them
     * @param seed seed of the run, 0 to 2^62 - 1
     * @param queue receives their trajectories
     */
    record Learner(
            Admission admission,
            BuildInfo made,
            TrajectoryBatch batch,
            long seed,
            TrajectoryQueue queue,
            Listener listener) {
        private int longest() {
            TrainingEnvironments all = batch.environments();
            return TrajectoryBytes.longest(
                    batch.actorSettings().steps(),
                    all.count(),
                    all.observationSpace().width(),
                    all.actionSpace().width(),
                    batch.maskWidth());
        }
    }

    private final Vertx vertx;
    private final Context context;
    private final NetServer server;
    private final Patience patience;
    private final Map<Integer, Session> actors = new HashMap<>();
    private final Map<Integer, Integer> generations = new HashMap<>();
    private final Set<Session> unknown = new LinkedHashSet<>();
    private @Nullable PolicySnapshot newest;
    private @Nullable Buffer newestBytes;
    private volatile @Nullable Learner learner;
    private volatile int alive;
    private volatile long given = PolicyFeed.NONE;
    private int lines;
    private boolean isClosing;
    private boolean isClosed;

    /**
     * Starts to listen; no actor is admitted before there is a learner.
     *
     * @throws UserError if the address is in use
     */
    LearnerServer(LearnerAddress at, Patience patience) {
        this.patience = patience;
        vertx = small();
        context = vertx.getOrCreateContext();
        server = vertx.createNetServer(
                new NetServerOptions().setHost(at.host()).setPort(at.port()).setTcpNoDelay(true));
        server.connectHandler(this::connected);
        listen(at);
        context.runOnContext(go ->
                vertx.setPeriodic(patience.beat(), tick -> new ArrayList<>(actors.values()).forEach(Session::beat)));
    }

    private void connected(NetSocket socket) {
        Learner to = learner;
        if (to == null || isClosing) {
            socket.close();
            return;
        }
        if (unknown.size() == MOST_UNKNOWN) { // an actor introduces itself at once
            unknown.iterator().next().end();
        }
        new Session(socket, to);
    }

    /** Lets actors in. */
    void open(Learner who) {
        learner = who;
    }

    /** Uses one thread, and no files. */
    static Vertx small() {
        return Vertx.vertx(new VertxOptions()
                .setEventLoopPoolSize(1)
                .setWorkerPoolSize(1)
                .setInternalBlockingPoolSize(1)
                .setFileSystemOptions(
                        new FileSystemOptions().setFileCachingEnabled(false).setClassPathResolvingEnabled(false)));
    }

    private void listen(LearnerAddress at) {
        try {
            server.listen().toCompletionStage().toCompletableFuture().get();
        } catch (ExecutionException e) {
            vertx.close();
            throw new UserError("--actors-at: " + at + " is not available: "
                    + String.valueOf(e.getMessage()).replaceFirst("^.*Exception: ", ""));
        } catch (InterruptedException e) {
            vertx.close();
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while opening the server", e);
        }
    }

    int port() {
        return server.actualPort();
    }

    /** Returns the number of actors. Used by any thread. */
    int alive() {
        return alive;
    }

    @Override
    public void publish(PolicySnapshot policy) {
        given = policy.version();
        context.runOnContext(go -> {
            newest = policy;
            newestBytes = null;
            actors.values().forEach(Session::answer);
        });
    }

    /** Returns the bytes of the newest policy, encoded once for all requests. */
    private Buffer newestBytes(PolicySnapshot policy) {
        Buffer bytes = newestBytes;
        if (bytes == null) {
            bytes = Buffer.buffer(PolicyBytes.frame(policy).bytes());
            newestBytes = bytes;
        }
        return bytes;
    }

    /** Releases the actor of a rank whose process has ended. Used by any thread. */
    void drop(int rank, Runnable then) {
        context.runOnContext(go -> {
            Session session = actors.get(rank);
            if (session != null) {
                session.end();
            }
            then.run();
        });
    }

    /** Too many lines would hide the others. */
    private void say(Learner to, String line) {
        lines++;
        if (lines <= MOST_LINES) {
            to.listener.says(line + (lines == MOST_LINES ? "; further refusals are not reported" : ""));
        }
    }

    /** Sends the end of the run and stops to listen; a second call does nothing. */
    @Override
    public synchronized void close() {
        if (isClosed) {
            return;
        }
        isClosed = true;
        Promise<Void> said = Promise.promise();
        context.runOnContext(go -> {
            isClosing = true;
            List<Session> all = new ArrayList<>(actors.values());
            all.addAll(unknown);
            Future.join(all.stream().map(Session::goodbye).toList()).onComplete(sent -> said.complete());
        });
        await(said.future());
        await(vertx.close());
    }

    private static void await(Future<?> future) {
        try {
            future.toCompletionStage().toCompletableFuture().get(CLOSING_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            // the process exits all the same
        }
    }

    /** A connection. */
    private final class Session {
        private final NetSocket socket;
        private final Learner learner;
        private final String from;
        private final Framing framing;
        private final long timer;
        private @Nullable ActorHandshake actorHandshake;
        private int credits = CREDITS;
        private long asksFor = Long.MAX_VALUE;
        private long heard = System.nanoTime();
        private boolean isOwn;
        private boolean isOver;

        Session(NetSocket socket, Learner learner) {
            this.socket = socket;
            this.learner = learner;
            from = socket.remoteAddress() == null
                    ? "somebody"
                    : socket.remoteAddress().toString();
            framing = new Framing(this::longest, this::heard);
            timer = vertx.setTimer(
                    patience.hello(), late -> refuse("it sent no handshake within " + patience.hello() + " ms"));
            unknown.add(this);
            socket.handler(bytes -> take(bytes.getBytes()));
            socket.exceptionHandler(broken -> lost("its connection failed"));
            socket.closeHandler(gone -> lost(framing.isAmidst() ? Framing.CUT : Framing.CLOSED));
        }

        /** A silent connection is closed, as it may stay open for hours otherwise. */
        private void beat() {
            if ((System.nanoTime() - heard) / 1_000_000 > patience.silence()) {
                lost("it has been silent for " + patience.silence() / 1000 + " s");
            } else if (!socket.writeQueueFull()) {
                write(ProtocolFrame.of(ProtocolFrame.Kind.BEAT));
            }
        }

        private int longest(ProtocolFrame.Kind kind) {
            if (actorHandshake == null) {
                return kind == ProtocolFrame.Kind.HELLO ? ActorHandshake.LONGEST : -1;
            }
            return switch (kind) {
                case TRAJECTORY -> learner.longest();
                case ASK -> Long.BYTES;
                case BEAT -> 0;
                case FAILED -> ActorHandshake.LONGEST;
                default -> -1;
            };
        }

        private void take(byte[] bytes) {
            try {
                if (!isOver) {
                    framing.take(bytes);
                }
            } catch (RuntimeException e) {
                refuse(String.valueOf(e.getMessage()));
            }
        }

        private void heard(ProtocolFrame protocolFrame) {
            if (isOver) {
                return;
            }
            heard = System.nanoTime();
            switch (protocolFrame.kind()) {
                case HELLO -> admit(ActorHandshake.of(protocolFrame));
                case TRAJECTORY -> deliver(TrajectoryBytes.of(protocolFrame));
                case ASK -> {
                    asksFor = Codec.read(protocolFrame, java.nio.ByteBuffer::getLong);
                    answer();
                }
                case FAILED -> lost("it failed: " + Codec.shown(protocolFrame.payload()));
                default -> {}
            }
        }

        private void admit(ActorHandshake said) {
            Admission admission = learner.admission;
            BuildInfo buildInfo = learner.made;
            Session other = actors.get(said.rank());
            isOwn = isSame(said.token(), admission.ownToken());
            if (!isOwn && !isSame(said.token(), admission.token())) {
                refuse("its token is not that of this learner");
            } else if (!said.made().digest().equals(buildInfo.digest())) {
                refuse("it runs " + said.made().title() + ", this learner runs " + buildInfo.title() + ": "
                        + buildInfo.difference(said.made()));
            } else if (said.rank() < (isOwn ? 0 : admission.own())
                    || said.rank() >= (isOwn ? admission.own() : admission.most())) {
                refuse("its rank must be " + admission.own() + " to " + (admission.most() - 1) + ", was "
                        + said.rank());
            } else if (other != null) {
                refuse("actor " + said.rank() + " is already connected: process " + other.process() + " at "
                        + other.from);
            } else {
                actorHandshake = said;
                vertx.cancelTimer(timer);
                unknown.remove(this);
                actors.put(said.rank(), this);
                alive = actors.size();
                int generation = generations.merge(said.rank(), 1, Integer::sum) - 1;
                long version = newest == null ? 0 : newest.version();
                write(new LearnerHandshake(
                                TrajectoryActor.seed(learner.seed, said.rank(), generation, version), CREDITS)
                        .frame());
                if (!isOwn) {
                    learner.listener.says(
                            "actor " + said.rank() + " connected, process " + said.process() + " at " + from);
                }
            }
        }

        private long process() {
            return actorHandshake == null ? 0 : actorHandshake.process();
        }

        private static boolean isSame(String one, String other) {
            return MessageDigest.isEqual(Codec.bytes(one), Codec.bytes(other));
        }

        private void deliver(Trajectory trajectory) {
            if (credits == 0) {
                throw new MalformedFrameException("a trajectory for which it had no credit");
            }
            learner.batch().require(trajectory);
            if (trajectory.version() < 0 || trajectory.version() > given) {
                throw new MalformedFrameException(
                        "a trajectory of policy " + trajectory.version() + ", which this learner never sent");
            }
            credits--;
            learner.listener.delivered(rank());
            learner.queue.add(
                    trajectory,
                    () -> context.runOnContext(go -> {
                        if (!isOver) {
                            credits++;
                            write(ProtocolFrame.of(ProtocolFrame.Kind.CREDIT));
                        }
                    }));
        }

        private int rank() {
            return actorHandshake == null ? -1 : actorHandshake.rank();
        }

        /** Answers requests for a policy: at once, or after the first one exists. */
        private void answer() {
            PolicySnapshot policy = newest;
            if (policy == null || asksFor == Long.MAX_VALUE) {
                return;
            }
            if (policy.version() > asksFor) {
                socket.write(newestBytes(policy));
            } else {
                write(PolicyBytes.none());
            }
            asksFor = Long.MAX_VALUE;
        }

        private Future<Void> goodbye() {
            return socket.write(
                    Buffer.buffer(ProtocolFrame.of(ProtocolFrame.Kind.GOODBYE).bytes()));
        }

        private void write(ProtocolFrame protocolFrame) {
            socket.write(Buffer.buffer(protocolFrame.bytes()));
        }

        private void refuse(String why) {
            if (isOver) {
                return;
            }
            isOver = true;
            ActorHandshake said = actorHandshake;
            String who = said == null ? "a process at " + from : "actor " + said.rank() + " at " + from;
            if (!isOwn) { // whose last message is sent
                say(learner, who + " was refused: " + why);
            }
            socket.write(Buffer.buffer(
                            Codec.text(ProtocolFrame.Kind.REFUSED, why).bytes()))
                    .onComplete(sent -> socket.close());
            leave();
            if (said != null) {
                learner.listener.lost(said.rank(), "it was refused: " + why);
            }
        }

        private void lost(String why) {
            if (isOver) {
                return;
            }
            ActorHandshake said = actorHandshake;
            end();
            if (isClosing) {
                return;
            } else if (said != null) {
                learner.listener.lost(said.rank(), why);
            } else {
                say(learner, "a process at " + from + " sent no handshake: " + why);
            }
        }

        private void end() {
            isOver = true;
            socket.close();
            leave();
        }

        private void leave() {
            vertx.cancelTimer(timer);
            unknown.remove(this);
            if (actorHandshake != null && actors.get(actorHandshake.rank()) == this) {
                actors.remove(actorHandshake.rank());
                alive = actors.size();
            }
        }
    }
}
