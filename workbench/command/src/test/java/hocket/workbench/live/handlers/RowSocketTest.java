package hocket.workbench.live.handlers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import hocket.scopes.ElementType;
import hocket.scopes.Shape;
import hocket.scopes.Streams;
import hocket.workbench.command.RowClient;
import hocket.workbench.live.LiveServer;
import hocket.workbench.live.Neighbourhood;
import hocket.workbench.live.Wire;
import hocket.workbench.online.DurableQueue;
import hocket.workbench.online.Online;
import hocket.workbench.online.OnlineQueues;
import hocket.workbench.online.OnlineSource;
import hocket.workbench.online.RowsObserver;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocketHandshakeException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows by WebSocket, at the server of a run and through a workbench: numbers from 0 on, so that each is known. */
@Tag("engine")
@Timeout(120)
class RowSocketTest {
    private static final int CAPACITY = 1000;

    @TempDir
    private Path here;

    private final HttpClient http = HttpClient.newHttpClient();

    @SuppressWarnings("NullAway.Init") // made before each test
    private Neighbourhood at;

    @SuppressWarnings("NullAway.Init")
    private OnlineSource source;

    @SuppressWarnings("NullAway.Init")
    private OnlineQueues queues;

    /** By whom rows are taken first. */
    private enum Door {
        RUN,
        WORKBENCH
    }

    @BeforeEach
    void begins() throws IOException {
        at = new Neighbourhood(here.resolve("runs"), "ring", List.of());
        at.write(null);
        source =
                (OnlineSource) new Online(Map.of("n", new Online.Value(Shape.of(), ElementType.INT64)), CAPACITY, false)
                        .open("stream", 1, false);
        queues = OnlineQueues.open(List.of(source), at.run().path(), RowsObserver.NOBODY);
        at.feed(queues.byFeed());
    }

    @AfterEach
    void ends() {
        at.close();
        queues.close();
    }

    private DurableQueue queue() {
        return queues.of("stream");
    }

    private LiveServer server(Door door) {
        return door == Door.RUN ? at.there() : at.workbench();
    }

    private RowClient open(Door door, String rows) throws Exception {
        return new RowClient(http, server(door).address(), server(door).token(), "/api/runs/ring/feeds/" + rows);
    }

    private RowClient open(Door door) throws Exception {
        RowClient client = open(door, "stream/rows?client=a");
        assertThat(client.answer()).isEqualTo("{\"client\":\"a\",\"next\":" + queue().next("a") + "}");
        return client;
    }

    private static String[] numbers(long first, long end) {
        return LongStream.range(first, end).mapToObj(n -> "{\"n\": " + n + "}").toArray(String[]::new);
    }

    /** The rows that come next, as training draws them. */
    private long[] drawn(int count) {
        ByteBuffer row = ByteBuffer.allocate(8).order(ByteOrder.nativeOrder());
        return LongStream.range(0, count)
                .map(i -> {
                    source.next(Streams.seed(0), (column, wanted) -> row.clear());
                    return row.getLong(0);
                })
                .toArray();
    }

    private void assertThereAre(int rows) {
        assertThat(queue().end()).isEqualTo(rows);
        assertThat(drawn(rows)).containsExactly(LongStream.range(0, rows).toArray());
    }

    @ParameterizedTest
    @EnumSource
    void messagesThatAreSentWithoutWaitingAreStoredInTheirOrderAndAnsweredEach(Door door) throws Exception {
        try (RowClient client = open(door)) {
            for (int i = 0; i < 300; i++) {
                client.send(3L * i, numbers(3L * i, 3L * i + 3));
            }
            for (int i = 1; i <= 300; i++) {
                assertThat(client.answer()).isEqualTo("{\"next\":%d,\"stored\":3,\"waiting\":%d}", 3 * i, 3 * i);
            }
            client.send(895, numbers(895, 902));
            assertThat(client.answer())
                    .as("five of them again")
                    .isEqualTo("{\"next\":902,\"stored\":2,\"waiting\":902}");
        }
        open(door).close();
        assertThereAre(902);
    }

    /** As RFC 6455 has it, section 7.4.1. */
    @ParameterizedTest
    @EnumSource
    void aWebSocketIsClosedByTheStatusOfWhatItsClientDid(Door door) throws Exception {
        assertThat(closing(door, masked(0x83, "")))
                .as("a frame of no known type")
                .isEqualTo(1002);
        assertThat(closing(door, new byte[] {(byte) Wire.TEXT, 1, 'x'}))
                .as("not masked")
                .isEqualTo(1002);
        assertThat(closing(door, masked(0x80, "x")))
                .as("a continuation of nothing")
                .isEqualTo(1002);
        assertThat(closing(door, masked(0xc1, "x"))).as("of an extension").isEqualTo(1002);
        assertThat(closing(door, masked(0x09, ""))).as("a ping in parts").isEqualTo(1002);
        assertThat(closing(door, masked(Wire.GOODBYE, "x"))).as("half a status").isEqualTo(1002);
        assertThat(closing(door, masked(Wire.GOODBYE, "\u0003\u00ed")))
                .as("1005, which is never sent")
                .isEqualTo(1002);
        assertThat(closing(door, masked(Wire.GOODBYE, "\u0003\u00e8\u00ff")))
                .as("a reason that is not UTF-8")
                .isEqualTo(1007);
        assertThat(closing(door, masked(Wire.TEXT, "{\"sequence\": 0}\n\"\u00c3\"")))
                .as("not UTF-8")
                .isEqualTo(1007);
        assertThat(closing(door, Wire.announced(RowSocket.MOST_BYTES + 1)))
                .as("too long")
                .isEqualTo(1009);
        assertThat(closing(door, masked(Wire.GOODBYE, "\u0003\u00e8"))).isEqualTo(1000);
        assertThat(closing(door, masked(Wire.GOODBYE, "\u000f\u00a0of mine"))).isEqualTo(4000);
        assertThat(queue().end()).isZero();
    }

    /** The status by which a new WebSocket is closed that is sent this. */
    private int closing(Door door, byte[] frame) throws IOException {
        try (Wire wire = joined(server(door), "a")) {
            wire.text(); // the greeting
            return wire.send(frame).goodbye();
        }
    }

    /** A short frame as a client's, masked by zeros; each character a byte. */
    private static byte[] masked(int first, String payload) {
        byte[] bytes = payload.getBytes(StandardCharsets.ISO_8859_1);
        return ByteBuffer.allocate(6 + bytes.length)
                .put((byte) first)
                .put((byte) (0x80 | bytes.length))
                .putInt(0)
                .put(bytes)
                .array();
    }

    @ParameterizedTest
    @EnumSource
    void whatComesBehindARefusedMessageIsNotStoredInItsPlace(Door door) throws Exception {
        try (RowClient client = open(door)) {
            client.send(0, numbers(0, 2))
                    .send(2, "{\"n\": 2}", "{\"n\": 3.5}")
                    .send(4, numbers(4, 6))
                    .send(6, numbers(6, 8));
            assertThat(client.answer()).startsWith("{\"next\":2,");
            assertThat(client.answer())
                    .startsWith("{\"status\":400,\"retry_after\":null,\"error\":{\"message\":\"line 2, column n: ")
                    .contains("\"line\":2,\"column\":\"n\"");
            for (int i = 0; i < 2; i++) {
                assertThat(client.answer())
                        .startsWith("{\"status\":409,\"retry_after\":null,")
                        .contains("\"key\":\"sequence\"", "\"expected\":2");
            }
            client.send(2, numbers(2, 8));
            assertThat(client.answer()).isEqualTo("{\"next\":8,\"stored\":6,\"waiting\":8}");
        }
        assertThereAre(8);
    }

    @ParameterizedTest
    @EnumSource
    void whereRowsDoNotFitTheyAreTakenLater(Door door) throws Exception {
        try (RowClient client = open(door)) {
            client.send(0, numbers(0, 500))
                    .send(500, numbers(500, 900))
                    .send(900, numbers(900, 1100))
                    .send(1100, numbers(1100, 1101));
            client.answer();
            client.answer();
            assertThat(client.answer())
                    .startsWith("{\"status\":429,\"retry_after\":1,")
                    .contains("\"waiting\":900,\"capacity\":1000");
            assertThat(client.answer()).startsWith("{\"status\":409,").contains("\"expected\":900");
            assertThat(drawn(200)).endsWith(199);
            client.send(900, numbers(900, 1100));
            assertThat(client.answer()).isEqualTo("{\"next\":1100,\"stored\":200,\"waiting\":900}");
        }
        assertThat(drawn(900)).containsExactly(LongStream.range(200, 1100).toArray());
    }

    @ParameterizedTest
    @EnumSource
    void aFileOfNumPyIsABinaryMessage(Door door) throws Exception {
        try (RowClient client = open(door)) {
            client.sendBytes(npy(0, 0, 1, 2, 3)).send(4, numbers(4, 5)).sendBytes(npy(5, 5));
            assertThat(client.answer()).startsWith("{\"next\":4,\"stored\":4,");
            assertThat(client.answer()).startsWith("{\"next\":5,");
            assertThat(client.answer()).startsWith("{\"next\":6,");
        }
        assertThereAre(6);
    }

    private static byte[] npy(int sequence, long... rows) {
        String header = "{'descr': '<i8', 'fortran_order': False, 'shape': (" + rows.length + ",), }";
        String padded = header + " ".repeat(64 - (10 + header.length() + 1) % 64) + "\n";
        byte[] head = ("{\"sequence\": " + sequence + "}\n").getBytes(StandardCharsets.US_ASCII);
        ByteBuffer bytes = ByteBuffer.allocate(head.length + 10 + padded.length() + rows.length * 8)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put(head)
                .put((byte) 0x93)
                .put("NUMPY\1\0".getBytes(StandardCharsets.US_ASCII))
                .putShort((short) padded.length())
                .put(padded.getBytes(StandardCharsets.US_ASCII));
        LongStream.of(rows).forEach(bytes::putLong);
        return bytes.array();
    }

    @Test
    void aMessageMayComeInParts() throws Exception {
        try (RowClient client = open(Door.WORKBENCH)) {
            client.sendPart("")
                    .sendPart("{\"sequence\"")
                    .sendPart(": 0}\n{\"n\":")
                    .sendText(" 0}");
            client.send(1, numbers(1, 2));
            assertThat(client.answer()).startsWith("{\"next\":1,");
            assertThat(client.answer()).startsWith("{\"next\":2,");
        }
        assertThereAre(2);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "\n{\"n\": 0}",
                "{\"n\": 0}\n{\"n\": 1}",
                "{\"sequence\": -1}\n{\"n\": 0}",
                "{\"sequence\": 0.0}\n{\"n\": 0}",
                "{\"sequence\": 9999999999999999999}\n{\"n\": 0}",
                "{\"sequence\": \"0\"}\n{\"n\": 0}",
                "{\"sequence\": 0, \"client\": \"b\"}\n{\"n\": 0}",
                "{\"sequence\": 0} {\"n\": 0}",
                "{\"sequence\": 0",
                "0\n{\"n\": 0}"
            })
    void aMessageThatDoesNotBeginWithItsNumberIsRefused(String text) throws Exception {
        try (RowClient client = open(Door.RUN)) {
            client.sendText(text).send(0, numbers(0, 1));
            assertThat(client.answer())
                    .startsWith(
                            "{\"status\":400,\"retry_after\":null,\"error\":{\"message\":\"sequence: a message must")
                    .contains("\"key\":\"sequence\"");
            assertThat(client.answer()).startsWith("{\"next\":1,\"stored\":1,");
        }
        assertThereAre(1);
    }

    @Test
    void whatIsNoRowIsRefusedAsInARequest() throws Exception {
        try (RowClient client = open(Door.RUN)) {
            client.sendText("{\"sequence\": 0}")
                    .sendText("{\"sequence\": 0}\n\n")
                    .send(0, numbers(0, 501))
                    .sendBytes("{\"sequence\": 0}\n{\"n\": 0}".getBytes(StandardCharsets.US_ASCII));
            assertThat(client.answer()).startsWith("{\"status\":400,").contains("\"line\":1");
            assertThat(client.answer()).startsWith("{\"status\":400,").contains("\"line\":1");
            assertThat(client.answer()).startsWith("{\"status\":400,").contains("half of the capacity");
            assertThat(client.answer()).startsWith("{\"status\":400,").contains("\"line\":null");
        }
        assertThereAre(0);
    }

    @ParameterizedTest
    @EnumSource
    void whatIsTooLongEndsItsWebSocketAndNothingElse(Door door) throws Exception {
        String much = "x".repeat(RowSocket.MOST_BYTES / 2);
        try (RowClient whole = open(door);
                RowClient parts = open(door);
                RowClient other = open(door)) {
            other.sendText("{\"sequence\": 0}\n{\"n\": " + " ".repeat(RowSocket.MOST_BYTES - 24) + "0}");
            assertThat(other.answer()).as("as long as may be").startsWith("{\"next\":1,");
            whole.sendText(much + much + "x");
            assertThat(whole.answer()).startsWith("closed 1009");
            parts.sendPart(much).sendPart(much).sendPart("x");
            assertThat(parts.answer()).startsWith("closed 1009");
            other.send(1, numbers(1, 2));
            assertThat(other.answer()).startsWith("{\"next\":2,");
        }
        assertThereAre(2);
    }

    @ParameterizedTest
    @EnumSource
    void aWebSocketThatCannotBeIsRefusedWithAStatus(Door door) {
        assertThat(refused(door, "stream/rows")).as("nobody").isEqualTo(400);
        assertThat(refused(door, "stream/rows?client=")).isEqualTo(400);
        assertThat(refused(door, "stream/rows?client=a&sequence=0")).isEqualTo(400);
        assertThat(refused(door, "nothing/rows?client=a")).isEqualTo(404);
    }

    /** By which status; 0 where it is none. */
    private int refused(Door door, String rows) {
        Throwable why = catchThrowable(() -> open(door, rows).close());
        return why != null && why.getCause() instanceof WebSocketHandshakeException refused
                ? refused.getResponse().statusCode()
                : 0;
    }

    @Test
    void moreClientsThanMayBeAreToldToComeLater() throws Exception {
        List<RowClient> clients = new ArrayList<>();
        try {
            for (int i = 0; i < RowSockets.MOST; i++) {
                clients.add(open(Door.RUN));
            }
            for (Door door : Door.values()) {
                assertThat(refused(door, "stream/rows?client=a")).as("%s", door).isEqualTo(503);
            }
        } finally {
            clients.forEach(RowClient::close);
        }
    }

    @ParameterizedTest
    @EnumSource
    void whatWasSentBeforeAGoodbyeIsStoredThoughNobodyHearsOfIt(Door door) throws Exception {
        try (RowClient client = open(door)) {
            for (int i = 0; i < 200; i++) {
                client.send(i, numbers(i, i + 1));
            }
            client.goodbye();
            while (queue().end() < 200) {
                TimeUnit.MILLISECONDS.sleep(5);
            }
        }
        assertThereAre(200);
    }

    @ParameterizedTest
    @EnumSource
    void whenTheRunEndsItsClientsHearIt(Door door) throws Exception {
        try (RowClient client = open(door)) {
            at.endThere();
            assertThat(client.answer()).isEqualTo("closed 1001 the run has ended");
        }
    }

    @Test
    void whenAWorkbenchEndsItsClientsHearIt() throws Exception {
        try (RowClient client = open(Door.WORKBENCH)) {
            at.workbench().close();
            assertThat(client.answer()).startsWith("closed 1001");
        }
    }

    @Test
    void whereTheQueueIsClosedNothingIsTakenForStored() throws Exception {
        try (RowClient client = open(Door.RUN)) {
            queues.close();
            client.send(0, numbers(0, 1));
            assertThat(client.answer()).isEqualTo("closed 1001 the run has ended");
        }
    }

    /** Or a workbench would take a client that has nothing to send for one that is gone. */
    @Test
    void whoSendsNothingIsAskedWhetherItIsThereAlsoThroughAWorkbench() throws Exception {
        try (Wire wire = joined(at.workbench(), "a")) {
            wire.text();
            assertThat(wire.frame()).as("a ping").isEqualTo(Wire.PING);
        }
    }

    private static Wire joined(LiveServer server, String client) throws IOException {
        int port = URI.create(server.address()).getPort();
        Wire wire = new Wire(port).takingAtMost(128 << 10);
        assertThat(wire.send("GET /api/runs/ring/feeds/stream/rows?client=" + client
                                + " HTTP/1.1\r\nHost: 127.0.0.1:" + port
                                + "\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
                                + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
                                + "Sec-WebSocket-Protocol: hocket.v1, token." + server.token() + "\r\n\r\n")
                        .answer()
                        .status())
                .isEqualTo(101);
        return wire;
    }

    /** Nothing heaps up of what it sends or is answered: both are left where the client feels it. */
    @Test
    void whoTakesNoAnswersIsNotReadAnyFurtherAndGoesOnOnceItTakesThem() throws Exception {
        takesNoAnswers(Door.RUN, 30_000);
    }

    @Tag("slow")
    @Test
    void whoTakesNoAnswersOfAWorkbenchIsNotReadAnyFurtherAndGoesOnOnceItTakesThem() throws Exception {
        takesNoAnswers(Door.WORKBENCH, 60_000);
    }

    /** @param messages of 2 kB each, more than the buffers of the sockets on the way hold: some 13,000 a socket on Linux */
    private void takesNoAnswers(Door door, int messages) throws Exception {
        String named = "n".repeat(DurableQueue.MOST_CLIENT_BYTES); // so that answers are long
        byte[] wrong = Wire.frame("{\"sequence\": 7}\n{\"n\": 7}" + " ".repeat(2000));
        AtomicInteger sent = new AtomicInteger();
        try (Wire wire = joined(server(door), named)) {
            CompletableFuture<Void> flood = CompletableFuture.runAsync(() -> {
                try {
                    while (sent.get() < messages) {
                        wire.send(wrong);
                        sent.incrementAndGet();
                    }
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
            });
            int before = -1;
            while (sent.get() > before) { // it is still taken
                before = sent.get();
                TimeUnit.SECONDS.sleep(1);
            }
            assertThat(flood.isDone())
                    .as("all of %d messages were read", before)
                    .isFalse();
            wire.text();
            for (int i = 0; i < messages; i++) {
                assertThat(wire.text()).startsWith("{\"status\":409,");
            }
            flood.get(20, TimeUnit.SECONDS);
        }
    }
}
