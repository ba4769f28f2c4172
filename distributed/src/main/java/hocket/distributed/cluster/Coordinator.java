package hocket.distributed.cluster;

import hocket.distributed.cluster.LineChannel.Handshake;
import hocket.distributed.cluster.LineChannel.Heartbeat;
import hocket.distributed.cluster.LineChannel.Kind;
import hocket.distributed.cluster.LineChannel.Member;
import hocket.distributed.cluster.LineChannel.Message;
import hocket.workbench.files.UserError;
import hocket.workbench.files.json.JsonDocument;
import hocket.workbench.runs.CommandFailure;
import hocket.workbench.runs.Version;
import hocket.workbench.terminal.NumberFormats;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetServerOptions;
import io.vertx.core.net.NetSocket;
import io.vertx.core.parsetools.RecordParser;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The scheduler's process as the others see it: admits processes of the run, starts it when all have joined, and tells
 * all when one is lost. It runs on one thread of Vert.x.
 */
final class Coordinator implements AutoCloseable {
    /** The largest number of connections that have not introduced themselves; beyond it the oldest is closed. */
    static final int MOST_UNIDENTIFIED = 64;

    private static final long HELLO_MILLIS = 5000;
    private static final String TAKEN = " already";

    /** A process of the run that has joined. */
    private static final class JoinedProcess {
        final NetSocket socket;
        final Role part;
        final int rank;
        final String programs;
        long heard;
        long turns;
        double waited;
        String waits = "";
        double since;
        boolean left;

        JoinedProcess(NetSocket socket, Role role, Handshake hello, long now) {
            this.socket = socket;
            this.part = role;
            this.rank = hello.rank();
            this.programs = hello.programs();
            this.heard = now;
        }

        String called() {
            return part.called(rank);
        }

        Member member(double silent) {
            return new Member(rank, turns, waited, waits, since, silent, left);
        }
    }

    /** Its one thread runs connections and timers, so they share their state without locks. */
    private final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));

    private final NodeConfig nodeConfig;
    private final String experiment;
    private final Consumer<Integer> ready;
    private final Consumer<String> lost;
    private final Runnable over;
    private final Map<String, JoinedProcess> joined = new TreeMap<>();
    private final NetServer server;
    private final long began = System.nanoTime();
    private final Set<Caller> unidentified = new LinkedHashSet<>();
    private boolean complete;
    private boolean ended;

    /**
     * Listens.
     *
     * @param experiment digest of the experiment
     * @param ready is called when all have joined
     * @param lost receives the lost process and the reason, once, after all are informed
     * @param over is called when all have left
     * @throws UserError if the port is in use, or the host is not of this machine
     */
    Coordinator(
            NodeConfig nodeConfig, String experiment, Consumer<Integer> ready, Consumer<String> lost, Runnable over) {
        this.nodeConfig = nodeConfig;
        this.experiment = experiment;
        this.lost = lost;
        this.over = over;
        this.ready = ready;
        server = vertx.createNetServer(new NetServerOptions().setTcpKeepAlive(true));
        server.connectHandler(this::connected);
        try {
            server.listen(nodeConfig.port(), nodeConfig.listensAt())
                    .toCompletionStage()
                    .toCompletableFuture()
                    .join();
        } catch (CompletionException e) {
            vertx.close();
            throw new UserError(
                    NodeConfig.SCHEDULER + " " + nodeConfig.scheduler() + ": is not available: " + cause(e), e);
        }
        vertx.setPeriodic(nodeConfig.beat(), timer -> beat());
    }

    static String cause(Throwable e) {
        Throwable cause = e;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        return CommandFailure.words(cause);
    }

    private void connected(NetSocket socket) {
        if (unidentified.size() == MOST_UNIDENTIFIED) { // a process of the run introduces itself at once
            unidentified.iterator().next().leave();
        }
        unidentified.add(new Caller(socket));
    }

    /** A connection, first unidentified and then of a process of the run. */
    private final class Caller {
        private final NetSocket socket;
        private final RecordParser lines;
        private final long timer;
        private @Nullable JoinedProcess process;

        Caller(NetSocket socket) {
            this.socket = socket;
            timer = vertx.setTimer(HELLO_MILLIS, late -> leave());
            lines = LineChannel.reader(LineChannel.LONGEST_HELLO, this::said, this::wrong);
            socket.handler(lines);
            socket.exceptionHandler(e -> {}); // its end is heard below
            socket.closeHandler(closed -> {
                forget();
                if (process != null && !process.left) {
                    gone(process, "is gone: connection lost");
                }
            });
        }

        private void said(String line) {
            if (process != null) {
                heard(process, JsonDocument.readWhole(line, Heartbeat.class));
            } else if (unidentified.contains(this)) {
                process = admit(this, JsonDocument.readWhole(line, Handshake.class));
                if (process != null) {
                    forget();
                    lines.maxRecordSize(LineChannel.LONGEST);
                }
            }
        }

        private void wrong(String why) {
            if (process != null) {
                gone(process, "sent an unreadable message: " + why);
            } else if (unidentified.contains(this)) {
                refuse("the connection is not from a process of a run: " + why);
            }
        }

        private void refuse(String why) {
            LineChannel.send(socket, new Message(Kind.REFUSED, why, 0, List.of()));
            leave();
        }

        /** Ends it; later data is discarded. */
        private void leave() {
            forget();
            socket.handler(ignored -> {});
            socket.close();
        }

        private void forget() {
            vertx.cancelTimer(timer);
            unidentified.remove(this);
        }
    }

    private @Nullable JoinedProcess admit(Caller caller, Handshake hello) {
        String why = refusal(hello);
        if (!why.isEmpty()) {
            caller.refuse(why);
            if (!complete && isToken(hello.token()) && !why.endsWith(TAKEN)) {
                end("a process that should be " + hello.part() + " " + hello.rank() + " was refused: " + why);
            }
            return null;
        }
        JoinedProcess process = new JoinedProcess(caller.socket, Role.valueOf(hello.part()), hello, System.nanoTime());
        joined.put(process.called(), process);
        if (joined.size() == nodeConfig.workers() + nodeConfig.servers()) {
            complete = true;
            int storePort = NodeConfig.freePort(); // which is taken at once
            ready.accept(storePort);
            joined.values()
                    .forEach(
                            each -> LineChannel.send(each.socket, new Message(Kind.WELCOME, "", storePort, List.of())));
        }
        return process;
    }

    /** Returns why a process is not admitted; empty if it is. */
    private String refusal(Handshake hello) {
        if (hello.protocol() != LineChannel.PROTOCOL || !hello.hocket().equals(Version.number())) {
            return "it runs Hocket " + hello.hocket() + ", the scheduler " + Version.number()
                    + ": all processes of a run need the same";
        }
        if (!isToken(hello.token())) {
            return NodeConfig.TOKEN + ": is not that of this run";
        }
        if (hello.workers() != nodeConfig.workers() || hello.servers() != nodeConfig.servers()) {
            return "it was started for " + counts(hello.workers(), hello.servers()) + ", the scheduler for "
                    + counts(nodeConfig.workers(), nodeConfig.servers());
        }
        boolean isWorker = hello.part().equals(Role.TRAINER.name());
        if (!isWorker && !hello.part().equals(Role.PSERVER.name())) {
            return "it is " + hello.part() + ", but this run has a scheduler: must be TRAINER or PSERVER";
        }
        int most = (isWorker ? nodeConfig.workers() : nodeConfig.servers()) - 1;
        if (hello.rank() < 0 || hello.rank() > most) {
            return NodeConfig.RANK + ": must be from 0 to " + most + ", was " + hello.rank();
        }
        String called = Role.valueOf(hello.part()).called(hello.rank());
        if (joined.containsKey(called)) {
            return NodeConfig.RANK + ": another process is " + called + TAKEN;
        }
        if (!hello.experiment().equals(experiment)) {
            return "its experiment differs: digest " + shortly(hello.experiment()) + ", the scheduler's "
                    + shortly(experiment);
        }
        for (JoinedProcess process : joined.values()) {
            if (isWorker && process.part == Role.TRAINER && !process.programs.equals(hello.programs())) {
                return "its programs differ: digest " + shortly(hello.programs()) + ", those of " + process.called()
                        + " " + shortly(process.programs);
            }
        }
        return "";
    }

    private boolean isToken(String token) {
        return MessageDigest.isEqual(
                String.valueOf(token).getBytes(StandardCharsets.UTF_8),
                nodeConfig.token().getBytes(StandardCharsets.UTF_8));
    }

    private static String counts(int workers, int servers) {
        return NumberFormats.counted(workers, "worker") + " and " + NumberFormats.counted(servers, "server");
    }

    private static String shortly(String digest) {
        return digest.substring(0, Math.min(12, digest.length()));
    }

    private void heard(JoinedProcess process, Heartbeat beat) {
        process.heard = System.nanoTime();
        process.turns = beat.turns();
        process.waited = beat.waited();
        process.waits = beat.waits();
        process.since = beat.since();
        if (!beat.failed().isEmpty()) {
            gone(process, "failed: " + beat.failed());
        } else if (beat.leaves() && !process.left) {
            process.left = true;
            if (complete && joined.values().stream().allMatch(each -> each.left)) {
                ended = true;
                over.run();
            }
        }
    }

    private void beat() {
        if (ended) {
            return;
        }
        long now = System.nanoTime();
        List<Member> workers = new ArrayList<>();
        for (JoinedProcess process : joined.values()) {
            double silent = (now - process.heard) / 1e9;
            int patience = complete ? nodeConfig.patience() : nodeConfig.toBegin();
            if (!process.left && silent > patience) {
                gone(process, "has not answered for " + patience + " seconds");
                return;
            }
            if (process.part == Role.TRAINER) {
                workers.add(process.member(silent));
            }
        }
        List<JoinedProcess> stuck = joined.values().stream()
                .filter(each -> each.part == Role.TRAINER && !each.left)
                .filter(each -> !each.waits.isEmpty() && each.since > nodeConfig.patience())
                .toList();
        if (complete && stuck.size() == nodeConfig.workers()) {
            if (stuck.stream().map(each -> each.waits).distinct().count() > 1) {
                end("the workers are deadlocked, as they take different turns: "
                        + stuck.stream()
                                .map(each -> each.called() + " is in exchange " + each.waits)
                                .collect(Collectors.joining(", ")));
                return;
            } else if (stuck.stream().allMatch(each -> each.since > nodeConfig.toBegin())) {
                end("exchange " + stuck.get(0).waits + " has not been answered for " + nodeConfig.toBegin()
                        + " seconds: a server or its network is too slow; --patience allows more time");
                return;
            }
        }
        if (!complete && (now - began) / 1e9 > nodeConfig.toBegin()) {
            end("waited " + nodeConfig.toBegin() + " seconds for " + String.join(", ", missing()));
            return;
        }
        Message here = new Message(Kind.HERE, "", 0, workers);
        joined.values().stream().filter(each -> !each.left).forEach(each -> LineChannel.send(each.socket, here));
    }

    private List<String> missing() {
        List<String> all = new ArrayList<>();
        IntStream.range(0, nodeConfig.servers()).forEach(i -> all.add(Role.PSERVER.called(i)));
        IntStream.range(0, nodeConfig.workers()).forEach(i -> all.add(Role.TRAINER.called(i)));
        all.removeAll(joined.keySet());
        return all;
    }

    private void gone(JoinedProcess process, String how) {
        end(process.called() + " " + how);
    }

    /** Tells all, once. */
    private void end(String why) {
        if (!ended) {
            ended = true;
            Message message = new Message(Kind.LOST, why, 0, List.of());
            joined.values().stream().filter(each -> !each.left).forEach(each -> LineChannel.send(each.socket, message));
            vertx.setTimer(200, told -> lost.accept(why)); // when it is sent
        }
    }

    @Override
    public void close() {
        vertx.close();
    }
}
