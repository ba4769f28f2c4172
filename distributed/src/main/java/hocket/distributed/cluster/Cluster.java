package hocket.distributed.cluster;

import hocket.programs.execution.KeyValueStore;
import hocket.schedulers.Event;
import hocket.schedulers.Next;
import hocket.schedulers.Ring;
import hocket.schedulers.Run;
import hocket.schedulers.Setup;
import hocket.schedulers.exchange.Agreement;
import hocket.schedulers.exchange.Exchange;
import hocket.schedulers.turns.ParameterServerTurns;
import hocket.workbench.terminal.Terminal;
import hocket.workbench.training.Halt;
import hocket.workbench.training.Worker;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import sun.misc.Signal;

/** A worker's part in a run of several processes. */
public final class Cluster implements AutoCloseable {
    /** How long a worker that has heard of a loss may take to save and end. */
    private static final long GRACE_SECONDS = 10;

    /** What a process on another machine is told that is to save and end. */
    public static final String STOP = "stop";

    private static final int FAILED = 1;

    /** What a server does that adds up, which the store does by itself. */
    private static final KeyValueStore.Updater NOTHING = (key, pushed, kept) -> {};

    private final Line line;
    private final Store store = new Store();
    private final StoreExchange exchange;
    private final BooleanSupplier asked;
    private final boolean inStep;
    private final boolean partsForAWhile;
    private final int workers;
    private volatile long turns;
    private volatile boolean trained;
    private volatile BooleanSupplier settled = () -> true;

    private Cluster(Place place, Setup setup, Terminal terminal, BooleanSupplier asked) {
        workers = place.workers();
        inStep = !setup.division().isStale();
        partsForAWhile = setup.division().movesApart();
        exchange = new StoreExchange(store, place, asked, setup.meets());
        line = new Line(
                place,
                new Line.Pulse() {
                    @Override
                    public long turns() {
                        return turns;
                    }

                    @Override
                    public double waited() {
                        return exchange.waited();
                    }

                    @Override
                    public Line.Waits waits() {
                        return store.waits();
                    }
                },
                who -> {
                    store.lose(who);
                    if (!trained) {
                        endAfterGrace(terminal, who);
                    }
                });
        this.asked = asked;
    }

    /**
     * Comes in as a worker, and waits until all are there.
     *
     * @param experiment digest of what the experiment says
     * @param setup what is computed
     * @param asked whether this process was asked to stop
     * @throws hocket.workbench.terminal.UserError if it does not belong there
     */
    public static Cluster join(Place place, String experiment, Setup setup, Terminal terminal, BooleanSupplier asked) {
        Cluster cluster = new Cluster(place, setup, terminal, asked);
        try {
            int port = cluster.line.join(experiment, Fingerprint.of(setup));
            cluster.store.join(place, port, cluster.line.own(), !cluster.inStep);
            return cluster;
        } catch (RuntimeException | Error e) {
            cluster.fail(String.valueOf(e.getMessage()));
            throw e;
        }
    }

    /**
     * Brings workers together, or adds up what they have, until all are done.
     *
     * @param place of a server or the scheduler
     * @param experiment digest of what the experiment says
     * @param setup of an experiment whose weights servers move; without, they only add up
     * @return the exit status
     * @throws hocket.workbench.terminal.UserError if it does not belong there
     */
    public static int serve(Place place, String experiment, Optional<Setup> setup, Terminal terminal) {
        AtomicInteger asked = new AtomicInteger();
        Signal.handle(new Signal("INT"), signal -> {}); // for the workers, which end, and then this does
        Signal.handle(new Signal("HUP"), signal -> {});
        Signal.handle(
                new Signal("TERM"),
                signal -> { // which cluster tools send to all
                    if (asked.incrementAndGet() > 1) {
                        end(terminal, place.called() + " was asked to end twice");
                    }
                });
        return place.part() == Part.SCHEDULER
                ? schedule(place, experiment, terminal)
                : update(place, experiment, setup, terminal);
    }

    private static int schedule(Place place, String experiment, Terminal terminal) {
        CompletableFuture<Integer> ready = new CompletableFuture<>();
        CompletableFuture<Boolean> over = new CompletableFuture<>();
        try (Coordinator coordinator = new Coordinator(
                place, experiment, ready::complete, who -> end(terminal, who), () -> over.complete(true))) {
            Store store = new Store();
            store.join(place, ready.join(), place.listensAt(), false);
            store.serve(NOTHING);
            over.join();
            return 0;
        }
    }

    private static int update(Place place, String experiment, Optional<Setup> setup, Terminal terminal) {
        try (Line line = new Line(place, Line.SERVING, who -> end(terminal, who))) {
            int port = line.join(experiment, "");
            Store store = new Store();
            store.join(place, port, line.own(), setup.isPresent());
            if (setup.isEmpty()) {
                store.serve(NOTHING);
            } else {
                try (ParameterServerTurns server =
                        new ParameterServerTurns(setup.get(), place.workers(), place.servers())) {
                    store.serve((key, pushed, kept) -> {
                        try {
                            server.update(key, pushed, kept);
                        } catch (RuntimeException | Error e) { // nobody else hears of it
                            line.leave(Optional.of(String.valueOf(e.getMessage())));
                            end(terminal, place.called() + " failed: " + e.getMessage());
                        }
                    });
                }
            }
            line.leave(Optional.empty());
            return 0;
        }
    }

    /** What waits in the store can only be left by ending the process. */
    private static void end(Terminal terminal, String who) {
        terminal.remark("hocket: " + who);
        terminal.close();
        Halt.end(FAILED);
    }

    private static void endAfterGrace(Terminal terminal, String who) {
        Thread watch = new Thread(
                () -> {
                    try {
                        TimeUnit.SECONDS.sleep(GRACE_SECONDS);
                    } catch (InterruptedException e) {
                        return;
                    }
                    end(terminal, who);
                },
                "hocket-grace");
        watch.setDaemon(true);
        watch.start();
    }

    /**
     * Has something done when the process ends that started this one.
     *
     * @param environment which says whether and by which one it was started
     */
    public static void whenLauncherEnds(Map<String, String> environment, Runnable then) {
        String pid = environment.getOrDefault(Place.LAUNCHER, "");
        if (pid.matches("\\d{1,18}")) {
            ProcessHandle.of(Long.parseLong(pid))
                    .ifPresentOrElse(launcher -> launcher.onExit().thenRun(then), then);
        }
    }

    /**
     * Has something done when the process that started this one from another machine says {@link #STOP}, or is there no more.
     *
     * @param line what it says
     */
    public static void whenToldToStop(InputStream line, Runnable then) {
        Thread listening = new Thread(
                () -> {
                    try (BufferedReader said =
                            new BufferedReader(new InputStreamReader(line, StandardCharsets.UTF_8))) {
                        String word = said.readLine();
                        while (word != null && !word.equals(STOP)) {
                            word = said.readLine();
                        }
                    } catch (IOException e) {
                        // it is there no more
                    }
                    then.run();
                },
                "hocket-launcher");
        listening.setDaemon(true);
        listening.start();
    }

    /** By which it tells the other workers. */
    public Exchange exchange() {
        return exchange;
    }

    /** How the workers are, by their ranks. Any thread. */
    public List<Worker> workers() {
        return line.workers().now();
    }

    /**
     * Whether any worker was asked to stop, and all have the same weights: all know it behind the same turn. When all are trained
     * each is for itself; so it is where one was lost while they move weights apart, and do not meet soon.
     */
    public boolean stops() {
        boolean mayMeetLate = partsForAWhile && store.isLost(); // what there is, is saved at once
        boolean isAlone = workers == 1 && asked.getAsBoolean();
        return mayMeetLate || isAlone || exchange.stops() && settled.getAsBoolean() || trained && asked.getAsBoolean();
    }

    /** Counts turns, for those who watch; sees to it that all workers begin and end with the same parameters. */
    public Ring inStep() {
        return new Ring() {
            @Override
            public void turnTaken(Run run, Event.TurnTaken turn) {
                turns = turn.at().step() + 1;
            }

            @Override
            public void run(Run run, Next next) {
                requireSame(run, "beginnings");
                settled = run.scheduler()::isSettled;
                next.proceed();
                requireSame(run, "parameters");
                trained = true;
            }
        };
    }

    private void requireSame(Run run, String what) {
        String digest = run.scheduler().parameters().digest();
        Agreement.require(
                exchange,
                what,
                digest
                        + String.format(
                                Locale.ROOT, "%016x", inStep ? run.position().step() : 0));
    }

    /** Says why this worker ends before its time: the others end, too. */
    public void fail(String why) {
        line.leave(Optional.of(why.isBlank() ? "it does not say why" : why));
    }

    /** Leaves when all workers are done; where one was lost when all were trained, nothing is left to wait for. */
    @Override
    public void close() {
        if (!store.isLost()) {
            store.leave();
        }
        line.leave(Optional.empty());
        line.close();
    }
}
