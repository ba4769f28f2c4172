package hocket.distributed.cluster;

import hocket.distributed.cluster.LineChannel.Handshake;
import hocket.distributed.cluster.LineChannel.Heartbeat;
import hocket.distributed.cluster.LineChannel.Kind;
import hocket.distributed.cluster.LineChannel.Member;
import hocket.distributed.cluster.LineChannel.Word;
import hocket.workbench.files.UserError;
import hocket.workbench.files.json.JsonDocument;
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
    static final int MOST_STRANGERS = 64;

    private static final long HELLO_MILLIS = 5000;
    private static final String TAKEN = " already";

    /** A process that has come. */
    private static final class Guest {
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

        Guest(NetSocket socket, Role role, Handshake hello, long now) {
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
    private final Map<String, Guest> guests = new TreeMap<>();
    private final NetServer server;
    private final long began = System.nanoTime();
    private final Set<Caller> strangers = new LinkedHashSet<>();
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
        server.connectHandler(this::came);
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
        return cause.getMessage() == null ? cause.toString() : cause.getMessage();
    }

    private void came(NetSocket socket) {
        if (strangers.size() == MOST_STRANGERS) { // a process of the run introduces itself at once
            strangers.iterator().next().leave();
        }
        strangers.add(new Caller(socket));
    }

    /** A connection, first of a stranger and then of a process of the run. */
    private final class Caller {
        private final NetSocket socket;
        private final RecordParser lines;
        private final long timer;
        private @Nullable Guest guest;

        Caller(NetSocket socket) {
            this.socket = socket;
            timer = vertx.setTimer(HELLO_MILLIS, late -> leave());
            lines = LineChannel.reader(LineChannel.LONGEST_HELLO, this::said, this::wrong);
            socket.handler(lines);
            socket.exceptionHandler(e -> {}); // its end is heard below
            socket.closeHandler(closed -> {
                forget();
                if (guest != null && !guest.left) {
                    gone(guest, "is gone: connection lost");
                }
            });
        }

        private void said(String line) {
            if (guest != null) {
                heard(guest, JsonDocument.readWhole(line, Heartbeat.class));
            } else if (strangers.contains(this)) {
                guest = admit(this, JsonDocument.readWhole(line, Handshake.class));
                if (guest != null) {
                    forget();
                    lines.maxRecordSize(LineChannel.LONGEST);
                }
            }
        }

        private void wrong(String why) {
            if (guest != null) {
                gone(guest, "sent an unreadable message: " + why);
            } else if (strangers.contains(this)) {
                refuse("the connection is not from a process of a run: " + why);
            }
        }

        private void refuse(String why) {
            LineChannel.send(socket, new Word(Kind.REFUSED, why, 0, List.of()));
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
            strangers.remove(this);
        }
    }

    private @Nullable Guest admit(Caller caller, Handshake hello) {
        String why = refusal(hello);
        if (!why.isEmpty()) {
            caller.refuse(why);
            if (!complete && isToken(hello.token()) && !why.endsWith(TAKEN)) {
                end("a process that should be " + hello.part() + " " + hello.rank() + " was refused: " + why);
            }
            return null;
        }
        Guest guest = new Guest(caller.socket, Role.valueOf(hello.part()), hello, System.nanoTime());
        guests.put(guest.called(), guest);
        if (guests.size() == nodeConfig.workers() + nodeConfig.servers()) {
            complete = true;
            int storePort = NodeConfig.freePort(); // which is taken at once
            ready.accept(storePort);
            guests.values()
                    .forEach(each -> LineChannel.send(each.socket, new Word(Kind.WELCOME, "", storePort, List.of())));
        }
        return guest;
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
        if (guests.containsKey(called)) {
            return NodeConfig.RANK + ": another process is " + called + TAKEN;
        }
        if (!hello.experiment().equals(experiment)) {
            return "its experiment differs: digest " + shortly(hello.experiment()) + ", the scheduler's "
                    + shortly(experiment);
        }
        for (Guest guest : guests.values()) {
            if (isWorker && guest.part == Role.TRAINER && !guest.programs.equals(hello.programs())) {
                return "its programs differ: digest " + shortly(hello.programs()) + ", those of " + guest.called() + " "
                        + shortly(guest.programs);
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

    private void heard(Guest guest, Heartbeat beat) {
        guest.heard = System.nanoTime();
        guest.turns = beat.turns();
        guest.waited = beat.waited();
        guest.waits = beat.waits();
        guest.since = beat.since();
        if (!beat.failed().isEmpty()) {
            gone(guest, "failed: " + beat.failed());
        } else if (beat.leaves() && !guest.left) {
            guest.left = true;
            if (complete && guests.values().stream().allMatch(each -> each.left)) {
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
        for (Guest guest : guests.values()) {
            double silent = (now - guest.heard) / 1e9;
            int patience = complete ? nodeConfig.patience() : nodeConfig.toBegin();
            if (!guest.left && silent > patience) {
                gone(guest, "has not answered for " + patience + " seconds");
                return;
            }
            if (guest.part == Role.TRAINER) {
                workers.add(guest.member(silent));
            }
        }
        List<Guest> stuck = guests.values().stream()
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
        Word here = new Word(Kind.HERE, "", 0, workers);
        guests.values().stream().filter(each -> !each.left).forEach(each -> LineChannel.send(each.socket, here));
    }

    private List<String> missing() {
        List<String> all = new ArrayList<>();
        IntStream.range(0, nodeConfig.servers()).forEach(i -> all.add(Role.PSERVER.called(i)));
        IntStream.range(0, nodeConfig.workers()).forEach(i -> all.add(Role.TRAINER.called(i)));
        all.removeAll(guests.keySet());
        return all;
    }

    private void gone(Guest guest, String how) {
        end(guest.called() + " " + how);
    }

    /** Tells all, once. */
    private void end(String why) {
        if (!ended) {
            ended = true;
            Word word = new Word(Kind.LOST, why, 0, List.of());
            guests.values().stream().filter(each -> !each.left).forEach(each -> LineChannel.send(each.socket, word));
            vertx.setTimer(200, told -> lost.accept(why)); // when it is sent
        }
    }

    @Override
    public void close() {
        vertx.close();
    }
}
