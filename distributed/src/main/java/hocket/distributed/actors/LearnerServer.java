package hocket.distributed.actors;

import hocket.rl.actors.TrainingEnvironments;
import hocket.rl.replay.PolicyFeed;
import hocket.rl.replay.PolicyPublisher;
import hocket.rl.replay.PolicySnapshot;
import hocket.rl.replay.Trajectory;
import hocket.rl.replay.TrajectoryActor;
import hocket.rl.replay.TrajectoryBatch;
import hocket.workbench.terminal.UserError;
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
 * The learner's end: takes trajectories of actors that know its token and are made as it is, one of each rank, and gives them
 * its policy when they ask. Whoever says something else is refused with a line, and nobody else notices. All but what the
 * learner's thread calls happens on the server's own.
 */
final class LearnerServer implements PolicyPublisher, AutoCloseable {
    /** One is being sent or waits while the next is made. */
    static final int CREDITS = 2;

    /** Connections that have not said who they are; beyond that the one that has waited longest is closed. */
    static final int MOST_UNKNOWN = 64;

    private static final int MOST_LINES = 100;
    private static final int CLOSING_SECONDS = 2;

    /** How much patience there is, in milliseconds. */
    record Patience(long hello, long beat, long silence) {
        static final Patience USUAL = new Patience(5000, 2500, 10_000);
    }

    /** Who hears of actors. On the server's thread. */
    interface Listener {
        /** A trajectory has come. */
        void delivered(int rank);

        /** The connection of an actor is gone, and why. */
        void lost(int rank, String why);

        /** Something that a person should know of. */
        void says(String line);
    }

    /**
     * Who may come.
     *
     * @param own ranks of the learner's own processes: 0 to this, exclusive
     * @param ownToken which these know
     * @param most ranks in all
     * @param token which others know
     */
    record Admission(int own, String ownToken, int most, String token) {}

    /**
     * What it takes trajectories for.
     *
     * @param made what actors must be made of, too
     * @param batch who learns from them
     * @param seed of the run, 0 to 2^62 - 1
     * @param queue where they go
     */
    record Learner(
            Admission admission,
            Made made,
            TrajectoryBatch batch,
            long seed,
            TrajectoryQueue queue,
            Listener listener) {
        private int longest() {
            TrainingEnvironments worlds = batch.environments();
            return TrajectoryBytes.longest(
                    batch.actorSettings().steps(),
                    worlds.count(),
                    worlds.observationSpace().width(),
                    worlds.actionSpace().width());
        }

        private void require(Trajectory trajectory) {
            TrainingEnvironments worlds = batch.environments();
            trajectory.require(
                    batch.actorSettings().steps(), worlds.count(), worlds.observationSpace(), worlds.actionSpace());
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
     * Listens; nobody is let in before there is a learner.
     *
     * @throws UserError if the address is taken
     */
    LearnerServer(Address at, Patience patience) {
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
        if (unknown.size() == MOST_UNKNOWN) { // an actor says at once who it is
            unknown.iterator().next().end();
        }
        new Session(socket, to);
    }

    /** Lets actors in. */
    void open(Learner who) {
        learner = who;
    }

    /** One thread, and no files. */
    static Vertx small() {
        return Vertx.vertx(new VertxOptions()
                .setEventLoopPoolSize(1)
                .setWorkerPoolSize(1)
                .setInternalBlockingPoolSize(1)
                .setFileSystemOptions(
                        new FileSystemOptions().setFileCachingEnabled(false).setClassPathResolvingEnabled(false)));
    }

    private void listen(Address at) {
        try {
            server.listen().toCompletionStage().toCompletableFuture().get();
        } catch (ExecutionException e) {
            vertx.close();
            throw new UserError("--actors-at: " + at + " cannot be listened at: "
                    + String.valueOf(e.getMessage()).replaceFirst("^.*Exception: ", ""));
        } catch (InterruptedException e) {
            vertx.close();
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while a server was opened", e);
        }
    }

    int port() {
        return server.actualPort();
    }

    /** How many actors there are. Any thread. */
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

    /** The bytes of the newest policy, made once for all who ask. */
    private Buffer newestBytes(PolicySnapshot policy) {
        Buffer bytes = newestBytes;
        if (bytes == null) {
            bytes = Buffer.buffer(PolicyBytes.frame(policy).bytes());
            newestBytes = bytes;
        }
        return bytes;
    }

    /** Lets the actor of a rank go, whose process has ended. Any thread. */
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
            to.listener.says(line + (lines == MOST_LINES ? "; what else is refused is not said any more" : ""));
        }
    }

    /** Says goodbye, and listens no more; the second time it does nothing. */
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
            // the process ends all the same
        }
    }

    /** One connection. */
    private final class Session {
        private final NetSocket socket;
        private final Learner learner;
        private final String from;
        private final Frames frames;
        private final long timer;
        private @Nullable Hello hello;
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
            frames = new Frames(this::longest, this::heard);
            timer = vertx.setTimer(
                    patience.hello(), late -> refuse("it did not say who it is within " + patience.hello() + " ms"));
            unknown.add(this);
            socket.handler(bytes -> take(bytes.getBytes()));
            socket.exceptionHandler(broken -> lost("its connection broke"));
            socket.closeHandler(gone -> lost(frames.isAmidst() ? "it went amid a frame" : "it went"));
        }

        /** What is silent is gone, though its connection may stand for hours. */
        private void beat() {
            if ((System.nanoTime() - heard) / 1_000_000 > patience.silence()) {
                lost("it has been silent for " + patience.silence() / 1000 + " s");
            } else if (!socket.writeQueueFull()) {
                write(Frame.of(Frame.Kind.BEAT));
            }
        }

        private int longest(Frame.Kind kind) {
            if (hello == null) {
                return kind == Frame.Kind.HELLO ? Hello.LONGEST : -1;
            }
            return switch (kind) {
                case TRAJECTORY -> learner.longest();
                case ASK -> Long.BYTES;
                case BEAT -> 0;
                case FAILED -> Hello.LONGEST;
                default -> -1;
            };
        }

        private void take(byte[] bytes) {
            try {
                if (!isOver) {
                    frames.take(bytes);
                }
            } catch (RuntimeException e) {
                refuse(String.valueOf(e.getMessage()));
            }
        }

        private void heard(Frame frame) {
            if (isOver) {
                return;
            }
            heard = System.nanoTime();
            switch (frame.kind()) {
                case HELLO -> admit(Hello.of(frame));
                case TRAJECTORY -> deliver(TrajectoryBytes.of(frame));
                case ASK -> {
                    asksFor = Letters.read(frame, java.nio.ByteBuffer::getLong);
                    answer();
                }
                case FAILED -> lost("it failed: " + Letters.shown(frame.payload()));
                default -> {}
            }
        }

        private void admit(Hello said) {
            Admission admission = learner.admission;
            Made made = learner.made;
            Session other = actors.get(said.rank());
            isOwn = isSame(said.token(), admission.ownToken());
            if (!isOwn && !isSame(said.token(), admission.token())) {
                refuse("its token is not that of this learner");
            } else if (!said.made().digest().equals(made.digest())) {
                refuse("it is made of " + said.made().title() + ", this learner of " + made.title() + ": "
                        + made.difference(said.made()));
            } else if (said.rank() < (isOwn ? 0 : admission.own())
                    || said.rank() >= (isOwn ? admission.own() : admission.most())) {
                refuse("its rank must be " + admission.own() + " to " + (admission.most() - 1) + ", was "
                        + said.rank());
            } else if (other != null) {
                refuse("there is an actor " + said.rank() + " already, process " + other.process() + " at "
                        + other.from);
            } else {
                hello = said;
                vertx.cancelTimer(timer);
                unknown.remove(this);
                actors.put(said.rank(), this);
                alive = actors.size();
                int generation = generations.merge(said.rank(), 1, Integer::sum) - 1;
                long version = newest == null ? 0 : newest.version();
                write(new Welcome(TrajectoryActor.seed(learner.seed, said.rank(), generation, version), CREDITS)
                        .frame());
                if (!isOwn) {
                    learner.listener.says(
                            "actor " + said.rank() + " has come, process " + said.process() + " at " + from);
                }
            }
        }

        private long process() {
            return hello == null ? 0 : hello.process();
        }

        private static boolean isSame(String one, String other) {
            return MessageDigest.isEqual(Letters.bytes(one), Letters.bytes(other));
        }

        private void deliver(Trajectory trajectory) {
            if (credits == 0) {
                throw new MalformedFrameException("a trajectory for which it had no credit");
            }
            learner.require(trajectory);
            if (trajectory.version() < 0 || trajectory.version() > given) {
                throw new MalformedFrameException(
                        "a trajectory of policy " + trajectory.version() + ", which was never given away");
            }
            credits--;
            learner.listener.delivered(rank());
            learner.queue.add(
                    trajectory,
                    () -> context.runOnContext(go -> {
                        if (!isOver) {
                            credits++;
                            write(Frame.of(Frame.Kind.CREDIT));
                        }
                    }));
        }

        private int rank() {
            return hello == null ? -1 : hello.rank();
        }

        /** Answers who asked for a policy: at once, or when there is the first. */
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
            return socket.write(Buffer.buffer(Frame.of(Frame.Kind.GOODBYE).bytes()));
        }

        private void write(Frame frame) {
            socket.write(Buffer.buffer(frame.bytes()));
        }

        private void refuse(String why) {
            if (isOver) {
                return;
            }
            isOver = true;
            Hello said = hello;
            String who = said == null ? "who came from " + from : "actor " + said.rank() + " at " + from;
            if (!isOwn) { // whose last words are said
                say(learner, who + " was refused: " + why);
            }
            socket.write(Buffer.buffer(Letters.text(Frame.Kind.REFUSED, why).bytes()))
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
            Hello said = hello;
            end();
            if (isClosing) {
                return;
            } else if (said != null) {
                learner.listener.lost(said.rank(), why);
            } else {
                say(learner, "who came from " + from + " said nothing that could be understood: " + why);
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
            if (hello != null && actors.get(hello.rank()) == this) {
                actors.remove(hello.rank());
                alive = actors.size();
            }
        }
    }
}
