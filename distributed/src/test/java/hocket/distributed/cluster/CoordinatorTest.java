package hocket.distributed.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hocket.workbench.files.UserError;
import hocket.workbench.files.json.JsonDocument;
import hocket.workbench.runs.Version;
import hocket.workbench.training.Worker;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who is let in, and who hears of what; nothing is trained. */
@Timeout(120)
class CoordinatorTest {
    private static final String EXPERIMENT = "0123456789abcdef";

    private final NodeConfig scheduler =
            new NodeConfig(Role.SCHEDULER, 0, 2, 1, "127.0.0.1", freePort(), "", "secret", 1);
    private CompletableFuture<String> lost = new CompletableFuture<>();
    private final CompletableFuture<Boolean> over = new CompletableFuture<>();
    private Coordinator coordinator;

    @BeforeEach
    void open() {
        coordinator = new Coordinator(scheduler, EXPERIMENT, port -> {}, lost::complete, () -> over.complete(true));
    }

    @AfterEach
    void close() {
        coordinator.close();
    }

    private static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private LineChannel.Handshake worker(int rank) {
        return new LineChannel.Handshake(
                LineChannel.PROTOCOL, "secret", "TRAINER", rank, 2, 1, Version.number(), EXPERIMENT, "programs", 1);
    }

    private static String json(LineChannel.Handshake hello, UnaryOperator<String> change) {
        return change.apply(JsonDocument.line(hello));
    }

    /** The first answer to a line. */
    private LineChannel.Message said(String line) throws IOException {
        try (Socket socket = new Socket("127.0.0.1", scheduler.port())) {
            return said(socket, line);
        }
    }

    private static LineChannel.Message said(Socket socket, String line) throws IOException {
        socket.setSoTimeout(10_000);
        socket.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
        String answer =
                new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8)).readLine();
        return JsonDocument.read(String.valueOf(answer), LineChannel.Message.class);
    }

    private void assertRefused(String line, String why) throws IOException {
        LineChannel.Message message = said(line);
        assertThat(message.kind()).isEqualTo(LineChannel.Kind.REFUSED);
        assertThat(message.text()).isEqualTo(why);
    }

    @Test
    void whoDoesNotBelongThereIsRefusedWithTheReason() throws IOException {
        assertRefused(json(worker(2), line -> line), "HOCKET_RANK: must be from 0 to 1, was 2");
        assertRefused(
                json(worker(0), line -> line.replace(Version.number(), "0.0.1")),
                "it runs Hocket 0.0.1, the scheduler " + Version.number() + ": all processes of a run need the same");
        assertRefused(
                json(worker(0), line -> line.replace("secret", "other")), "HOCKET_TOKEN: is not that of this run");
        assertRefused(
                json(worker(0), line -> line.replace("\"workers\":2", "\"workers\":3")),
                "it was started for 3 workers and 1 server, the scheduler for 2 workers and 1 server");
        assertRefused(
                json(worker(0), line -> line.replace("TRAINER", "SCHEDULER")),
                "it is SCHEDULER, but this run has a scheduler: must be TRAINER or PSERVER");
        assertRefused(
                json(worker(0), line -> line.replace(EXPERIMENT, "ffff")),
                "its experiment differs: digest ffff, the scheduler's 0123456789ab");
        for (String nothing :
                List.of("GET / HTTP/1.1", "null", json(worker(0), line -> line.replace("\"secret\"", "null")))) {
            assertThat(said(nothing).text()).as(nothing).startsWith("the connection is not from a process of a run: ");
        }
    }

    @Test
    void twoOfOneRankAndOtherProgramsAreRefused() throws IOException {
        try (Socket first = new Socket("127.0.0.1", scheduler.port())) {
            first.getOutputStream().write((json(worker(0), line -> line) + "\n").getBytes(StandardCharsets.UTF_8));
            first.setSoTimeout(20_000);
            first.getInputStream().read(); // it is let in: a message comes
            assertRefused(json(worker(0), line -> line), "HOCKET_RANK: another process is worker 0 already");
            assertRefused(
                    json(worker(1), line -> line.replace("programs\":\"programs", "programs\":\"others")),
                    "its programs differ: digest others, those of worker 0 programs");
        }
    }

    @Test
    void aStrangerHasASmallLimit() throws Exception {
        try (Socket other = new Socket("127.0.0.1", scheduler.port())) {
            String endless = "x".repeat(LineChannel.LONGEST_HELLO + 1); // and no end of the line
            other.getOutputStream().write(endless.getBytes(StandardCharsets.UTF_8));
            other.setSoTimeout(10_000);
            String answer = new String(other.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(answer).contains("REFUSED", "the connection is not from a process of a run: ");
        }
    }

    /** Those that have come wait with them; those that come say at once who they are. */
    @Test
    void howeverManyStrangersComeTheProcessesOfTheRunAreLetIn() throws Exception {
        List<Socket> unidentified = new ArrayList<>();
        CompletableFuture<String> hears = new CompletableFuture<>();
        try (CoordinatorClient server = line(Role.PSERVER, 0, hears);
                CoordinatorClient first = line(Role.TRAINER, 0, hears);
                CoordinatorClient second = line(Role.TRAINER, 1, hears)) {
            CompletableFuture<Integer> port = joining(server);
            for (int i = 0; i < 5 * Coordinator.MOST_UNIDENTIFIED; i++) {
                Socket other = new Socket("127.0.0.1", scheduler.port());
                other.getOutputStream().write("{".getBytes(StandardCharsets.UTF_8));
                unidentified.add(other);
            }
            CompletableFuture<Integer> other = joining(first);
            assertThat(joining(second).get(1, TimeUnit.MINUTES))
                    .isEqualTo(port.get(1, TimeUnit.MINUTES))
                    .isEqualTo(other.get(1, TimeUnit.MINUTES));
            unidentified.get(0).setSoTimeout(10_000);
            assertThat(unidentified.get(0).getInputStream().read())
                    .as("who has waited longest has left")
                    .isEqualTo(-1);
            for (CoordinatorClient each : List.of(server, first, second)) {
                each.leave(Optional.empty());
            }
            assertThat(over.get(1, TimeUnit.MINUTES)).isTrue();
            assertThat(hears).isNotDone();
        } finally {
            for (Socket other : unidentified) {
                other.close();
            }
        }
    }

    /** It is closed without a word where too many others came meanwhile. */
    @Test
    void aProcessThatWasNotAnsweredComesAgain() throws Exception {
        try (ServerSocket busy = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                CoordinatorClient first = new CoordinatorClient(
                        new NodeConfig(Role.TRAINER, 0, 2, 1, "127.0.0.1", busy.getLocalPort(), "", "secret", 1),
                        CoordinatorClient.SERVING,
                        lost::complete)) {
            CompletableFuture<Integer> joined = joining(first);
            busy.setSoTimeout(20_000);
            for (int i = 0; i < 3; i++) {
                busy.accept().close();
            }
            try (Socket there = busy.accept()) {
                LineChannel.Message welcome = new LineChannel.Message(LineChannel.Kind.WELCOME, "", 77, List.of());
                there.getOutputStream().write((JsonDocument.line(welcome) + "\n").getBytes(StandardCharsets.UTF_8));
                assertThat(joined.get(1, TimeUnit.MINUTES)).isEqualTo(77);
            }
            assertThat(lost.get(1, TimeUnit.MINUTES))
                    .isEqualTo("the scheduler at 127.0.0.1:" + busy.getLocalPort() + ": connection lost");
        }
    }

    @Test
    void aTakenPortIsOneError() {
        assertThatThrownBy(() -> new Coordinator(scheduler, EXPERIMENT, port -> {}, who -> {}, () -> {}))
                .isInstanceOf(UserError.class)
                .hasMessageStartingWith("HOCKET_SCHEDULER 127.0.0.1:" + scheduler.port() + ": is not available: ");
    }

    private CoordinatorClient line(Role role, int rank, CompletableFuture<String> hears) {
        return new CoordinatorClient(scheduler.as(role, rank), CoordinatorClient.SERVING, hears::complete);
    }

    private static CompletableFuture<Integer> joining(CoordinatorClient coordinatorClient) {
        return CompletableFuture.supplyAsync(() -> coordinatorClient.join(EXPERIMENT, "programs"));
    }

    @Test
    void allAreLetInTogetherAndTheEndComesWhenAllHaveLeft() throws Exception {
        CompletableFuture<String> hears = new CompletableFuture<>();
        try (CoordinatorClient server = line(Role.PSERVER, 0, hears);
                CoordinatorClient first = line(Role.TRAINER, 0, hears);
                CoordinatorClient second = line(Role.TRAINER, 1, hears)) {
            CompletableFuture<Integer> port = joining(server);
            CompletableFuture<Integer> other = joining(first);
            assertThat(joining(second).get(1, TimeUnit.MINUTES))
                    .isEqualTo(port.get(1, TimeUnit.MINUTES))
                    .isEqualTo(other.get(1, TimeUnit.MINUTES));
            for (CoordinatorClient each : List.of(server, first, second)) {
                each.leave(Optional.empty());
            }
            assertThat(over.get(1, TimeUnit.MINUTES)).isTrue();
            assertThat(hears).isNotDone();
            assertThat(lost).isNotDone();
        }
    }

    private static void join(CoordinatorClient server, CoordinatorClient first, CoordinatorClient second)
            throws Exception {
        CompletableFuture<Integer> joined = joining(server);
        joining(first);
        joining(second);
        joined.get(1, TimeUnit.MINUTES);
    }

    @Test
    void whenOneIsGoneAllHearWhoItWas() throws Exception {
        CompletableFuture<String> hears = new CompletableFuture<>();
        try (CoordinatorClient server = line(Role.PSERVER, 0, hears);
                CoordinatorClient first = line(Role.TRAINER, 0, new CompletableFuture<>());
                CoordinatorClient second = line(Role.TRAINER, 1, new CompletableFuture<>())) {
            join(server, first, second);
            second.close();
            assertThat(hears.get(1, TimeUnit.MINUTES)).isEqualTo("worker 1 is gone: connection lost");
            assertThat(lost.get(1, TimeUnit.MINUTES)).isEqualTo("worker 1 is gone: connection lost");
        }
    }

    @Test
    void oneThatFailsSaysWhy() throws Exception {
        CompletableFuture<String> hears = new CompletableFuture<>();
        try (CoordinatorClient server = line(Role.PSERVER, 0, hears);
                CoordinatorClient first = line(Role.TRAINER, 0, new CompletableFuture<>());
                CoordinatorClient second = line(Role.TRAINER, 1, new CompletableFuture<>())) {
            join(server, first, second);
            first.leave(Optional.of("the loss is NaN"));
            assertThat(hears.get(1, TimeUnit.MINUTES)).isEqualTo("worker 0 failed: the loss is NaN");
        }
    }

    /** Each waits in another exchange: they took other turns, and would wait for ever. */
    @Test
    void workersThatWaitForEachOtherAreToldSo() throws Exception {
        try (CoordinatorClient server = line(Role.PSERVER, 0, new CompletableFuture<>());
                CoordinatorClient first =
                        new CoordinatorClient(scheduler.as(Role.TRAINER, 0), waiting("d_step 7"), who -> {});
                CoordinatorClient second =
                        new CoordinatorClient(scheduler.as(Role.TRAINER, 1), waiting("g_step 7"), who -> {})) {
            joining(server);
            joining(first);
            joining(second);
            assertThat(lost.get(1, TimeUnit.MINUTES))
                    .isEqualTo("the workers are deadlocked, as they take different turns: worker 0 is in exchange"
                            + " d_step 7, worker 1 is in exchange g_step 7");
        }
    }

    /** A large model over a slow link: nobody has taken another turn. */
    @Test
    void anExchangeThatTakesLongIsNotTakenForDifferentTurns() throws Exception {
        Supplier<CoordinatorClient.Pulse> waits = waiting("d_step 7", 6.5 * scheduler.patience());
        try (CoordinatorClient server = line(Role.PSERVER, 0, new CompletableFuture<>());
                CoordinatorClient first = new CoordinatorClient(scheduler.as(Role.TRAINER, 0), waits, who -> {});
                CoordinatorClient second = new CoordinatorClient(scheduler.as(Role.TRAINER, 1), waits, who -> {})) {
            joining(server);
            joining(first);
            joining(second);
            assertThat(lost.get(1, TimeUnit.MINUTES))
                    .isEqualTo("exchange d_step 7 has not been answered for " + scheduler.toBegin()
                            + " seconds: a server or its network is too slow; --patience allows more time");
        }
    }

    /** All are asked, and each hears what all have answered. */
    @Test
    void howTheWorkersAreIsHeardByEach() throws Exception {
        try (CoordinatorClient server = line(Role.PSERVER, 0, new CompletableFuture<>());
                CoordinatorClient first =
                        new CoordinatorClient(scheduler.as(Role.TRAINER, 0), waiting("d_step 7"), who -> {});
                CoordinatorClient second =
                        new CoordinatorClient(scheduler.as(Role.TRAINER, 1), waiting(""), who -> {})) {
            joining(server);
            joining(first);
            joining(second);
            for (CoordinatorClient each : List.of(first, second)) {
                untilWorker(each, 0, worker -> "waits for 1 s, in exchange d_step 7".equals(worker.trouble()));
                untilWorker(each, 1, worker -> "the others wait for it".equals(worker.trouble()));
                assertThat(each.workerStatuses.now()).extracting(Worker::turns).containsExactly(3L, 3L);
            }
            second.leave(Optional.empty());
            untilWorker(first, 1, Worker::isDone);
        }
    }

    private static void untilWorker(CoordinatorClient hears, int rank, Predicate<Worker> wanted)
            throws InterruptedException {
        while (!wanted.test(hears.workerStatuses.now().get(rank))) {
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }

    private static Supplier<CoordinatorClient.Pulse> waiting(String exchange) {
        return waiting(exchange, 1.5);
    }

    private static Supplier<CoordinatorClient.Pulse> waiting(String exchange, double seconds) {
        return () -> new CoordinatorClient.Pulse(3, 0, new CoordinatorClient.Waits(exchange, seconds));
    }

    @Test
    void whenOneIsRefusedTheOthersNeedNotWaitForIt() throws Exception {
        assertRefused(
                json(worker(0), line -> line.replace(EXPERIMENT, "ffff")),
                "its experiment differs: digest ffff, the scheduler's 0123456789ab");
        assertThat(lost.get(1, TimeUnit.MINUTES))
                .isEqualTo("a process that should be TRAINER 0 was refused: its experiment differs: digest ffff, the"
                        + " scheduler's 0123456789ab");
    }

    /** A scheduler that is busy finds several lines at once. */
    @Test
    void whatComesTogetherIsReadOneAfterTheOther() throws Exception {
        String beat = JsonDocument.line(new LineChannel.Heartbeat(false, "the loss is NaN", 0, 0, "", 0));
        try (Socket worker = new Socket("127.0.0.1", scheduler.port())) {
            worker.getOutputStream()
                    .write((json(worker(1), line -> line) + "\n" + beat + "\n").getBytes(StandardCharsets.UTF_8));
            assertThat(lost.get(1, TimeUnit.MINUTES)).isEqualTo("worker 1 failed: the loss is NaN");
        }
    }

    @Test
    void oneThatStaysSilentIsLost() throws Exception {
        try (CoordinatorClient server = line(Role.PSERVER, 0, new CompletableFuture<>());
                CoordinatorClient first = line(Role.TRAINER, 0, new CompletableFuture<>());
                Socket silent = new Socket("127.0.0.1", scheduler.port())) {
            silent.getOutputStream().write((json(worker(1), line -> line) + "\n").getBytes(StandardCharsets.UTF_8));
            joining(server);
            joining(first);
            assertThat(lost.get(1, TimeUnit.MINUTES)).isEqualTo("worker 1 has not answered for 1 seconds");
        }
    }

    @Test
    void whoIsMissingIsNamed() throws Exception {
        try (CoordinatorClient first = line(Role.TRAINER, 0, new CompletableFuture<>())) {
            CompletableFuture<Integer> joined = joining(first);
            assertThat(lost.get(1, TimeUnit.MINUTES)).isEqualTo("waited 6 seconds for server 0, worker 1");
            assertThatThrownBy(() -> joined.get(1, TimeUnit.MINUTES))
                    .hasRootCauseMessage("the run cannot begin: waited 6 seconds for server 0, worker 1");
        }
    }

    @Test
    void aSchedulerThatCannotBeReachedIsOneError() {
        coordinator.close();
        try (CoordinatorClient first = new CoordinatorClient(
                new NodeConfig(Role.TRAINER, 0, 1, 1, "127.0.0.1", freePort(), "", "", 1),
                CoordinatorClient.SERVING,
                who -> {})) {
            assertThatThrownBy(() -> first.join(EXPERIMENT, ""))
                    .isInstanceOf(UserError.class)
                    .hasMessageContaining("cannot be reached: ");
        }
    }
}
