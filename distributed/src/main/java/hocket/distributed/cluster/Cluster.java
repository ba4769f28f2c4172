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
import hocket.workbench.training.ProcessHalt;
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

/** A worker's connection to a multi-process run. */
public final class Cluster implements AutoCloseable {
    /** The time in which a worker must save and end after a loss. */
    private static final long GRACE_SECONDS = 10;

    /** The message that tells a process on another machine to save and end. */
    public static final String STOP = "stop";

    private static final int FAILED = 1;

    /** A no-op: the store itself adds up on servers. */
    private static final KeyValueStore.Updater NOTHING = (key, pushed, kept) -> {};

    private final CoordinatorClient coordinatorClient;
    private final StoreThread storeThread = new StoreThread();
    private final StoreExchange exchange;
    private final BooleanSupplier asked;
    private final boolean inStep;
    private final boolean partsForAWhile;
    private final int workers;
    private volatile long turns;
    private volatile boolean trained;
    private volatile BooleanSupplier settled = () -> true;

    private Cluster(NodeConfig nodeConfig, Setup setup, Terminal terminal, BooleanSupplier asked) {
        workers = nodeConfig.workers();
        inStep = !setup.division().isStale();
        partsForAWhile = setup.division().movesApart();
        exchange = new StoreExchange(storeThread, nodeConfig, asked, setup.meets());
        coordinatorClient = new CoordinatorClient(
                nodeConfig, () -> new CoordinatorClient.Pulse(turns, exchange.waited(), storeThread.waits()), who -> {
                    storeThread.lose(who);
                    if (!trained) {
                        endAfterGrace(terminal, who);
                    }
                });
        this.asked = asked;
    }

    /**
     * Joins as a worker, and waits until all have joined.
     *
     * @param experiment digest of the experiment
     * @param setup programs and turns
     * @param asked whether this process was asked to stop
     * @throws hocket.workbench.files.UserError if it does not belong to the run
     */
    public static Cluster join(
            NodeConfig nodeConfig, String experiment, Setup setup, Terminal terminal, BooleanSupplier asked) {
        Cluster cluster = new Cluster(nodeConfig, setup, terminal, asked);
        try {
            int port = cluster.coordinatorClient.join(experiment, RunFingerprint.of(setup));
            cluster.storeThread.join(nodeConfig, port, cluster.coordinatorClient.own(), !cluster.inStep);
            return cluster;
        } catch (RuntimeException | Error e) {
            cluster.fail(String.valueOf(e.getMessage()));
            throw e;
        }
    }

    /**
     * Runs the scheduler, or a server that adds up gradients, until all workers are done.
     *
     * @param nodeConfig role of a server or the scheduler
     * @param experiment digest of the experiment
     * @param setup of an experiment whose weights servers update; without it, they only add up
     * @return the exit status
     * @throws hocket.workbench.files.UserError if it does not belong to the run
     */
    public static int serve(NodeConfig nodeConfig, String experiment, Optional<Setup> setup, Terminal terminal) {
        AtomicInteger asked = new AtomicInteger();
        Signal.handle(new Signal("INT"), signal -> {}); // for the workers, which end, and then this does
        Signal.handle(new Signal("HUP"), signal -> {});
        Signal.handle(
                new Signal("TERM"),
                signal -> { // which cluster tools send to all
                    if (asked.incrementAndGet() > 1) {
                        end(terminal, nodeConfig.called() + " was asked to end twice");
                    }
                });
        return nodeConfig.part() == Role.SCHEDULER
                ? schedule(nodeConfig, experiment, terminal)
                : update(nodeConfig, experiment, setup, terminal);
    }

    private static int schedule(NodeConfig nodeConfig, String experiment, Terminal terminal) {
        CompletableFuture<Integer> ready = new CompletableFuture<>();
        CompletableFuture<Boolean> over = new CompletableFuture<>();
        try (Coordinator coordinator = new Coordinator(
                nodeConfig, experiment, ready::complete, who -> end(terminal, who), () -> over.complete(true))) {
            StoreThread storeThread = new StoreThread();
            storeThread.join(nodeConfig, ready.join(), nodeConfig.listensAt(), false);
            storeThread.serve(NOTHING);
            over.join();
            return 0;
        }
    }

    private static int update(NodeConfig nodeConfig, String experiment, Optional<Setup> setup, Terminal terminal) {
        try (CoordinatorClient coordinatorClient =
                new CoordinatorClient(nodeConfig, CoordinatorClient.SERVING, who -> end(terminal, who))) {
            int port = coordinatorClient.join(experiment, "");
            StoreThread storeThread = new StoreThread();
            storeThread.join(nodeConfig, port, coordinatorClient.own(), setup.isPresent());
            if (setup.isEmpty()) {
                storeThread.serve(NOTHING);
            } else {
                try (ParameterServerTurns server =
                        new ParameterServerTurns(setup.get(), nodeConfig.workers(), nodeConfig.servers())) {
                    storeThread.serve((key, pushed, kept) -> {
                        try {
                            server.update(key, pushed, kept);
                        } catch (RuntimeException | Error e) { // nobody else hears of it
                            coordinatorClient.leave(Optional.of(String.valueOf(e.getMessage())));
                            end(terminal, nodeConfig.called() + " failed: " + e.getMessage());
                        }
                    });
                }
            }
            coordinatorClient.leave(Optional.empty());
            return 0;
        }
    }

    /** A call that waits in the store can only be left by ending the process. */
    private static void end(Terminal terminal, String who) {
        terminal.remark("hocket: " + who);
        terminal.close();
        ProcessHalt.end(FAILED);
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
     * Runs an action when the process that started this one ends.
     *
     * @param environment variables that say whether and by which process it was started
     */
    public static void whenLauncherEnds(Map<String, String> environment, Runnable then) {
        String pid = environment.getOrDefault(NodeConfig.LAUNCHER, "");
        if (pid.matches("\\d{1,18}")) {
            ProcessHandle.of(Long.parseLong(pid))
                    .ifPresentOrElse(launcher -> launcher.onExit().thenRun(then), then);
        }
    }

    /**
     * Runs an action when the process that started this one from another machine sends {@link #STOP}, or is gone.
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

    /** The exchange with the other workers. */
    public Exchange exchange() {
        return exchange;
    }

    /** Returns the status of the workers, by rank. Used by any thread. */
    public List<Worker> workers() {
        return coordinatorClient.workerStatuses.now();
    }

    /**
     * Returns whether any worker was asked to stop, when all have the same weights: all know it after the same turn.
     * After training each worker decides for itself; so it does after a loss while workers update weights separately
     * and do not synchronise soon.
     */
    public boolean stops() {
        boolean mayMeetLate = partsForAWhile && storeThread.isLost(); // the present state is saved at once
        boolean isAlone = workers == 1 && asked.getAsBoolean();
        return mayMeetLate || isAlone || exchange.stops() && settled.getAsBoolean() || trained && asked.getAsBoolean();
    }

    /** Counts turns for watchers, and ensures that all workers begin and end with the same parameters. */
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

    /** Reports why this worker ends early: the others end, too. */
    public void fail(String why) {
        coordinatorClient.leave(Optional.of(why.isBlank() ? "it does not say why" : why));
    }

    /** Leaves when all workers are done; after a loss at the end of training there is nothing to wait for. */
    @Override
    public void close() {
        if (!storeThread.isLost()) {
            storeThread.leave();
        }
        coordinatorClient.leave(Optional.empty());
        coordinatorClient.close();
    }
}
