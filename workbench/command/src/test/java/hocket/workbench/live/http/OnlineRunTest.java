package hocket.workbench.live.http;

import static org.assertj.core.api.Assertions.assertThat;

import hocket.workbench.command.Ran;
import hocket.workbench.command.RowClient;
import hocket.workbench.live.LiveServer;
import hocket.workbench.live.views.FolderRun;
import hocket.workbench.live.views.LiveAddress;
import hocket.workbench.runs.CommandContext;
import hocket.workbench.runs.RunFolder;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A run that is fed, saved and stopped over the network alone. */
@Tag("engine")
@Timeout(120)
class OnlineRunTest {
    private static final String FILE = """
            name: online
            threads: 1
            network: {class: hocket.workbench.testing.Toys.PointGan}
            feeds: {stream: {class: Online, columns: {point: {shape: [2]}}, batch: 8, capacity: 64}}
            turns:
              d: {program: discriminator, updates: {"discriminator/**": {adam: {rate: 1e-2}}}}
              g: {program: generator, updates: {"generator/**": {adam: {rate: 1e-2}}}}
            plan: {sequence: [d, g]}
            budget: {rounds: 1000}
            """;

    @TempDir
    private Path here;

    private final HttpClient client = HttpClient.newHttpClient();
    private CompletableFuture<Ran> run = new CompletableFuture<>();
    private LiveAddress address = new LiveAddress("", "", "", 0, null);

    @BeforeEach
    void begin() throws Exception {
        Files.writeString(here.resolve("online.yaml"), FILE);
        begin("run", "online.yaml", "--out", "fed", "--serve", "0", "--quiet");
    }

    private void begin(String... words) throws Exception {
        run = CompletableFuture.supplyAsync(() -> Ran.hocket(here, words));
        while (!Files.exists(here.resolve("fed/live.json")) && !run.isDone()) {
            TimeUnit.MILLISECONDS.sleep(5);
        }
        address = LiveAddress.of(new RunFolder(here.resolve("fed")));
    }

    private HttpResponse<String> send(String path, String type, byte[] body) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(address.address() + "/api/runs/fed/" + path))
                .header("Authorization", "Bearer " + address.token());
        if (!type.isEmpty()) {
            request.header("Content-Type", type).POST(BodyPublishers.ofByteArray(body));
        }
        return client.send(request.build(), BodyHandlers.ofString());
    }

    private HttpResponse<String> rows(String query, String... lines) throws Exception {
        return send(
                "feeds/stream/rows" + query,
                "application/x-ndjson",
                String.join("\n", lines).getBytes(StandardCharsets.UTF_8));
    }

    private static String[] points(int count) {
        String[] lines = new String[count];
        for (int i = 0; i < count; i++) {
            lines[i] = String.format(Locale.ROOT, "{\"point\": [%.2f, 0.5]}", i * 0.01);
        }
        return lines;
    }

    private String told(String... words) {
        Ran sent = Ran.hocket(here, words);
        assertThat(sent.status()).as(sent.err()).isZero();
        return sent.out().strip();
    }

    private String digest() {
        return told("digest", "fed", "--all");
    }

    @Test
    void itTrainsOnWhatItIsGivenAnswersWhileItWaitsIsSavedStoppedAndGoesOn() throws Exception {
        assertThat(rows("?client=a&sequence=0", points(20)).body())
                .startsWith("{\"next\":20,\"stored\":20,\"waiting\":");
        assertThat(rows("?client=a&sequence=0", points(20)).body()).startsWith("{\"next\":20,\"stored\":0,");
        assertThat(send("feeds/stream/rows?client=a", "", new byte[0]).body())
                .isEqualTo("{\"client\":\"a\",\"next\":20}");
        HttpResponse<String> chunked = client.send(
                HttpRequest.newBuilder(
                                URI.create(address.address() + "/api/runs/fed/feeds/stream/rows?client=b&sequence=0"))
                        .header("Authorization", "Bearer " + address.token())
                        .header("Content-Type", "application/x-ndjson")
                        .POST(BodyPublishers.ofInputStream(
                                () -> new ByteArrayInputStream((points(1)[0] + "\n").getBytes(StandardCharsets.UTF_8))))
                        .build(),
                BodyHandlers.ofString());
        assertThat(chunked.body()).startsWith("{\"next\":1,\"stored\":1,");
        HttpResponse<String> gap = rows("?client=a&sequence=30", points(1));
        assertThat(gap.statusCode()).isEqualTo(409);
        assertThat(gap.body()).contains("\"expected\":20");
        waitUntil("\"came\":21", "\"waiting\":5"); // two turns of d, 8 rows each
        assertThat(told("send", "fed", "save")).isEqualTo("saved turn 4");
        assertThat(told("send", "fed", "set", "d.rate=1e-3")).startsWith("d/rate is 0.001");
        assertThat(told("send", "fed", "pause")).startsWith("paused");
        rows("?client=a&sequence=20", points(28));
        assertThat(told("send", "fed", "step")).isEqualTo("takes one turn");
        waitUntil("\"came\":49", "\"waiting\":25");
        assertThat(told("send", "fed", "stop")).startsWith("stops");
        assertThat(run.get(60, TimeUnit.SECONDS).status()).isZero();
        String stopped = digest();
        assertRowsMayComeAgain();

        begin("run", "fed", "--resume", "--serve", "0", "--quiet");
        assertThat(send("feeds/stream/rows?client=a", "", new byte[0]).body()).contains("\"next\":48");
        waitUntil("\"came\":49", "\"waiting\":1");
        told("send", "fed", "stop");
        assertThat(run.get(60, TimeUnit.SECONDS).status()).isZero();
        assertThat(digest()).isNotEqualTo(stopped);
        assertThat(told("verify", "fed")).contains("is whole");
    }

    @Test
    void rowsByWebSocketAreTrainedOnWithThoseInRequests() throws Exception {
        told("send", "fed", "pause");
        try (RowClient socket = new RowClient(
                client, address.address(), address.token(), "/api/runs/fed/feeds/stream/rows?client=socket")) {
            assertThat(socket.answer()).isEqualTo("{\"client\":\"socket\",\"next\":0}");
            for (int i = 0; i < 3; i++) {
                socket.send(8L * i, points(8));
                assertThat(socket.answer()).startsWith("{\"next\":" + (8 * i + 8) + ",\"stored\":8,");
                assertThat(rows("?client=a&sequence=" + 8 * i, points(8)).statusCode())
                        .isEqualTo(200);
            }
            waitUntil("\"came\":48", "\"waiting\":48");
            told("send", "fed", "resume");
            waitUntil("\"came\":48", "\"waiting\":0");
            told("send", "fed", "stop");
            assertThat(socket.answer()).startsWith("closed 1001");
        }
        assertThat(run.get(60, TimeUnit.SECONDS).status()).isZero();
        assertThat(told("verify", "fed")).contains("is whole");
    }

    /** Of a run that does not train, whoever shows its folder. */
    private void assertRowsMayComeAgain() throws Exception {
        StringWriter said = new StringWriter();
        FolderRun over = new FolderRun(
                new CommandContext(Ran.terminal(said, said, false), here), new RunFolder(here.resolve("fed")));
        try (LiveServer server = LiveServer.open(new LiveServer.Listening("127.0.0.1", 0, List.of()))
                .show(() -> List.of(over))) {
            address = new LiveAddress(server.address(), server.token(), "fed", 0, null);
            HttpResponse<String> refused = rows("?client=a&sequence=48", points(1));
            assertThat(refused.statusCode()).as(refused.body()).isEqualTo(503);
            assertThat(refused.headers().firstValue("Retry-After")).contains("1");
            assertThat(send("feeds/nothing/rows", "application/x-ndjson", new byte[] {'{', '}'})
                            .statusCode())
                    .isEqualTo(404);
        }
    }

    private void waitUntil(String... texts) throws Exception {
        String body = "";
        while (true) {
            String now = send("feeds", "", new byte[0]).body();
            boolean isThere = true;
            for (String text : texts) {
                isThere &= now.contains(text);
            }
            if (isThere) {
                return;
            }
            assertThat(run.isDone()).as(body).isFalse();
            body = now;
            TimeUnit.MILLISECONDS.sleep(10);
        }
    }

    @Test
    void whatIsFullMalformedOrNoRowsIsRefusedAndNothingElseLost() throws Exception {
        told("send", "fed", "pause");
        assertThat(rows("", points(8)).statusCode()).isEqualTo(200); // who does not number them
        HttpResponse<String> wrong = rows("?client=a&sequence=0", "{\"point\": [1, 2]}", "{\"point\": [1, NaN]}");
        assertThat(wrong.statusCode()).isEqualTo(400);
        assertThat(wrong.body()).contains("\"line\":2");
        assertThat(rows("?client=a", points(1)).statusCode()).isEqualTo(400);
        assertThat(rows("?client=a&sequence=-1", points(1)).body()).contains("\"key\":\"sequence\"");
        assertThat(rows("?client=a&sequence=0", points(33)).body()).contains("half of the capacity");
        assertThat(rows("?client=a&sequence=0", points(32)).statusCode()).isEqualTo(200);
        HttpResponse<String> full = rows("?client=a&sequence=32", points(32));
        assertThat(full.statusCode()).isEqualTo(429);
        assertThat(full.headers().firstValue("Retry-After")).contains("1");
        assertThat(full.body()).contains("\"waiting\":40,\"capacity\":64");
        assertThat(send("feeds/nothing/rows", "application/x-ndjson", new byte[0])
                        .statusCode())
                .isEqualTo(404);
        assertThat(send("feeds/stream/rows", "text/plain", "{}".getBytes(StandardCharsets.UTF_8))
                        .statusCode())
                .isEqualTo(415);
        assertThat(send("feeds/stream/rows", "application/x-npy", npy(8)).body())
                .contains("\"stored\":8");
        assertThat(send("feeds/stream/rows", "application/x-npy", new byte[] {1, 2, 3})
                        .statusCode())
                .isEqualTo(400);
        assertThat(send("feeds", "", new byte[0]).body()).contains("\"came\":48", "\"waiting\":48");
        told("send", "fed", "stop");
        assertThat(run.get(60, TimeUnit.SECONDS).status()).isZero();
    }

    /** So many points, as NumPy writes them. */
    private static byte[] npy(int count) throws IOException {
        String header = "{'descr': '<f4', 'fortran_order': False, 'shape': (" + count + ", 2), }";
        String padded = header + " ".repeat(64 - (10 + header.length() + 1) % 64) + "\n";
        ByteBuffer bytes = ByteBuffer.allocate(10 + padded.length() + count * 8).order(ByteOrder.LITTLE_ENDIAN);
        bytes.put((byte) 0x93)
                .put("NUMPY".getBytes(StandardCharsets.US_ASCII))
                .put((byte) 1)
                .put((byte) 0);
        bytes.putShort((short) padded.length()).put(padded.getBytes(StandardCharsets.US_ASCII));
        for (int i = 0; i < 2 * count; i++) {
            bytes.putFloat(i * 0.1f);
        }
        return bytes.array();
    }
}
