package hocket.distributed.cluster;

import hocket.distributed.cluster.Lines.Beat;
import hocket.distributed.cluster.Lines.Hello;
import hocket.distributed.cluster.Lines.Kind;
import hocket.distributed.cluster.Lines.Word;
import hocket.workbench.json.JsonDocument;
import hocket.workbench.runs.Version;
import hocket.workbench.terminal.UserError;
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
import org.jspecify.annotations.Nullable;

/** A process's line to the scheduler's: by it, it comes in, says that it is there, and hears who is gone. */
final class Line implements AutoCloseable {
    private static final long AGAIN_MILLIS = 200;

    /** What a beat says of this process. */
    interface Pulse {
        long turns();

        double waited();

        /** What it waits for just now. */
        Waits waits();
    }

    /**
     * A wait for the other workers.
     *
     * @param what which exchange, and the how manieth; empty of a process that does not wait
     * @param seconds for which it has
     */
    record Waits(String what, double seconds) {
        static final Waits NOT = new Waits("", 0);
    }

    /** A server has nothing to say but that it is there. */
    static final Pulse SERVING = new Pulse() {
        @Override
        public long turns() {
            return 0;
        }

        @Override
        public double waited() {
            return 0;
        }

        @Override
        public Waits waits() {
            return Waits.NOT;
        }
    };

    private final Vertx vertx = Vertx.vertx();
    private final NetClient client = vertx.createNetClient(
            new NetClientOptions().setConnectTimeout(2000).setTcpKeepAlive(true).setTcpNoDelay(true));
    private final Place place;
    private final Pulse pulse;
    private final Consumer<String> lost;
    private final CompletableFuture<Integer> welcome = new CompletableFuture<>();
    private volatile @Nullable NetSocket socket;
    private final Workers workers;
    private volatile long heard = System.nanoTime();
    private volatile boolean leaving;
    private boolean told;

    /**
     * @param pulse what is said of this process whenever it is asked, about once a second
     * @param lost takes who is gone and how, once, on a thread of this line
     */
    Line(Place place, Pulse pulse, Consumer<String> lost) {
        this.place = place;
        this.pulse = pulse;
        this.lost = lost;
        this.workers = new Workers(place);
    }

    /**
     * Comes in, and waits until all are there; tries for a while to reach the scheduler, which may begin later.
     *
     * @param experiment digest of what the experiment says
     * @param programs digest of what is computed, of a worker
     * @return the port of the store's scheduler
     * @throws UserError if this process does not belong there, or the scheduler is not to be reached
     */
    int join(String experiment, String programs) {
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(place.toBegin());
        Hello hello = new Hello(
                Lines.PROTOCOL,
                place.token(),
                place.part().name(),
                place.rank(),
                place.workers(),
                place.servers(),
                Version.number(),
                experiment,
                programs,
                ProcessHandle.current().pid());
        // On the event loop, or a connection could end before anybody listens to its end.
        vertx.runOnContext(go -> connect(hello, until));
        try {
            return welcome.get(place.toBegin() + 5, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof UserError userError ? userError : new UserError(Coordinator.cause(e), e);
        } catch (TimeoutException e) {
            throw new UserError("the scheduler at " + place.scheduler() + " has not begun", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new UserError("interrupted while it waited for the scheduler", e);
        }
    }

    private void connect(Hello hello, long until) {
        client.connect(place.port(), place.host()).onComplete(connected -> {
            if (connected.succeeded()) {
                begin(connected.result(), hello, until);
            } else {
                again(hello, until, "cannot be reached: " + Coordinator.cause(connected.cause()));
            }
        });
    }

    private void again(Hello hello, long until, String why) {
        if (System.nanoTime() < until) {
            vertx.setTimer(AGAIN_MILLIS, again -> connect(hello, until));
        } else {
            welcome.completeExceptionally(new UserError(Place.SCHEDULER + ": " + place.scheduler() + " " + why));
        }
    }

    private void begin(NetSocket connected, Hello hello, long until) {
        boolean[] answered = {false};
        connected.handler(Lines.reader(
                Lines.LONGEST,
                line -> {
                    answered[0] = true;
                    heard(JsonDocument.readWhole(line, Word.class));
                },
                why -> tell("the scheduler at " + place.scheduler() + " said what cannot be understood: " + why)));
        connected.exceptionHandler(e -> {}); // its end is heard next
        connected.closeHandler(closed -> {
            if (!answered[0] && !leaving) { // it has not let this process in, and others have come since
                again(hello, until, "closes connections before it answers: too many come to it");
            } else if (!leaving) {
                tell("the scheduler at " + place.scheduler() + " is gone: its connection ended");
            }
        });
        heard = System.nanoTime();
        if (socket == null) {
            vertx.setPeriodic(place.beat(), timer -> listen());
        }
        socket = connected;
        Lines.send(connected, hello);
    }

    private void listen() {
        double silent = (System.nanoTime() - heard) / 1e9;
        int patience = welcome.isDone() ? place.patience() : place.toBegin();
        if (silent > patience) {
            tell("the scheduler at " + place.scheduler() + " has not answered for " + patience + " seconds");
        }
    }

    private void answer() {
        NetSocket to = socket;
        if (to == null || leaving) {
            return;
        }
        Waits waits = pulse.waits();
        Lines.send(to, new Beat(false, "", pulse.turns(), pulse.waited(), waits.what(), waits.seconds()));
    }

    private void heard(Word word) {
        heard = System.nanoTime();
        if (word.kind() == Kind.WELCOME) {
            welcome.complete(word.port());
        } else if (word.kind() == Kind.REFUSED) {
            leaving = true;
            welcome.completeExceptionally(new UserError("the scheduler at " + place.scheduler() + " does not let "
                    + place.called() + " in: " + word.text()));
        } else if (word.kind() == Kind.LOST) {
            tell(word.text());
        } else {
            workers.heard(word.workers(), heard);
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

    /** The address by which others reach this process: what its environment says, or that by which it reaches the scheduler. */
    String own() {
        NetSocket to = socket;
        return !place.own().isEmpty() || to == null
                ? place.own()
                : to.localAddress().hostAddress();
    }

    /** How the workers are. */
    Workers workers() {
        return workers;
    }

    /** Says that this process is done and leaves, or why it fails; waits a moment until it is said. */
    void leave(Optional<String> failed) {
        NetSocket to = socket;
        leaving = true;
        if (to == null) {
            return;
        }
        CompletableFuture<Void> said = new CompletableFuture<>();
        vertx.runOnContext(go -> {
            Lines.send(to, new Beat(true, failed.orElse(""), pulse.turns(), pulse.waited(), "", 0));
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
