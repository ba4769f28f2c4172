package hocket.workbench.live;

import static org.assertj.core.api.Assertions.assertThat;

import hocket.workbench.command.Ran;
import hocket.workbench.live.handlers.RowSocket;
import hocket.workbench.live.http.Connections;
import hocket.workbench.live.views.FolderRun;
import hocket.workbench.runs.CommandContext;
import hocket.workbench.runs.RunFolder;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What strangers try on a server. Each is refused, the run goes on, and its bits are those of a run that nobody attacked. */
@Tag("engine")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LiveAttacksTest {
    /** Clients are given up early, so that this is tested in milliseconds; but later than a busy machine sends a line. */
    private static final Connections.Limits IMPATIENT =
            new Connections.Limits(12, 8, Duration.ofMillis(700), Duration.ofMillis(700), Duration.ofMillis(700));

    private @Nullable ServedToy toy;

    @BeforeAll
    void begins(@TempDir Path here) throws Exception {
        toy = new ServedToy(here, IMPATIENT);
    }

    @AfterEach
    void theRunGoesOn() throws InterruptedException {
        toy().continues();
    }

    @AfterAll
    void whatWasTrainedHasTheBitsOfARunThatNobodyAttacked() throws Exception {
        toy().end();
        assertThat(toy().step()).isGreaterThan(20);
        assertThat(toy().digest()).isEqualTo(toy().digestAlone(toy().step()));
    }

    private ServedToy toy() {
        ServedToy began = toy;
        if (began == null) {
            throw new AssertionError("it did not begin");
        }
        return began;
    }

    private int port() {
        return URI.create(toy().server().address()).getPort();
    }

    private String host() {
        return "Host: 127.0.0.1:" + port() + "\r\n";
    }

    private String token() {
        return "Authorization: Bearer " + toy().server().token() + "\r\n";
    }

    private Wire.Answer raw(String request) throws IOException {
        try (Wire wire = new Wire(port())) {
            return wire.send(request).answer();
        }
    }

    private Wire.Answer get(String target) throws IOException {
        return raw("GET " + target + " HTTP/1.1\r\n" + host() + token() + "\r\n");
    }

    private Wire.Answer get(String target, String headers) throws IOException {
        return raw("GET " + target + " HTTP/1.1\r\n" + headers + "\r\n");
    }

    private Wire.Answer post(String body) throws IOException {
        return post(body, "Content-Type: application/json\r\n");
    }

    private Wire.Answer post(String body, String headers) throws IOException {
        return raw("POST /api/runs/run/commands HTTP/1.1\r\n" + host() + token() + headers + "Content-Length: "
                + body.getBytes(StandardCharsets.ISO_8859_1).length + "\r\n\r\n" + body);
    }

    /** A command with a fresh id; asked again where there were too many before. */
    private Wire.Answer command(String rest) throws IOException, InterruptedException {
        Wire.Answer answer = post("{\"id\":\"" + UUID.randomUUID() + "\"," + rest + "}");
        while (answer.status() == 429) {
            Thread.sleep(100);
            answer = post("{\"id\":\"" + UUID.randomUUID() + "\"," + rest + "}");
        }
        return answer;
    }

    private String journal() throws IOException {
        Path file = toy().folder().journal();
        return Files.exists(file) ? Files.readString(file) : "";
    }

    /** Refused, by one of these; 0 is a connection that is closed. */
    private static void refused(Wire.Answer answer, int... statuses) {
        assertThat(statuses).as(answer.toString()).contains(answer.status());
        assertThat(answer.body()).doesNotContain("\"d/rate\":");
        if (answer.status() != 0 && answer.status() != 414 && answer.status() != 431) {
            assertThat(answer.body()).startsWith("{\"error\":{\"message\":");
        }
    }

    // By whom.

    @Test
    void aNameThatWasPointedHereIsRefused() throws IOException {
        refused(get("/api/runs", "Host: evil.example:" + port() + "\r\n" + token()), 421);
        refused(get("/", "Host: 127.0.0.1.evil.example:" + port() + "\r\n"), 421);
    }

    @Test
    void theRightNameWithAWrongPortIsRefused() throws IOException {
        refused(get("/api/runs", "Host: 127.0.0.1:" + (port() ^ 1) + "\r\n" + token()), 421);
        refused(get("/api/runs", "Host: 127.0.0.1\r\n" + token()), 421);
    }

    @Test
    void aRequestWithoutANameIsRefused() throws IOException {
        refused(get("/api/runs", token()), 400, 421);
        refused(raw("GET /api/runs HTTP/1.0\r\n" + token() + "\r\n"), 400, 421);
    }

    @Test
    void aRequestWithTwoNamesIsRefused() throws IOException {
        refused(get("/api/runs", host() + "Host: evil.example\r\n" + token()), 400, 421);
        refused(get("/api/runs", host() + host() + token()), 400, 421);
    }

    @Test
    void aRequestWhoseTargetNamesAnotherServerIsRefused() throws IOException {
        refused(get("http://evil.example/api/runs"), 400, 421);
        refused(get("http://127.0.0.1:" + port() + "/api/runs"), 400, 421);
        refused(get("evil.example:80"), 400, 404, 421);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://evil.example",
                "null",
                "http://127.0.0.1:1",
                "https://127.0.0.1:PORT",
                "",
                "file://",
                "http://"
            })
    void aPageOfAnotherSiteMayNotAsk(String origin) throws IOException {
        String header = "Origin: " + origin.replace("PORT", Integer.toString(port())) + "\r\n";
        refused(get("/api/runs", host() + token() + header), 403);
        refused(get("/", host() + header), 403);
        refused(post("{}", "Content-Type: application/json\r\n" + header), 403);
    }

    @ParameterizedTest
    @ValueSource(strings = {"cross-site", "same-site", "nonsense"})
    void aBrowserThatSaysItAsksForAnotherSiteIsRefused(String site) throws IOException {
        String header = "Sec-Fetch-Site: " + site + "\r\n";
        refused(get("/api/runs", host() + token() + header), 403);
        refused(get("/app.js", host() + header), 403);
        refused(post("{}", "Content-Type: application/json\r\n" + header), 403);
        assertThat(get("/", host() + header).status()).as("a link to the page").isEqualTo(200);
    }

    @Test
    void whoHasNoTokenOrAWrongOneLearnsNothing() throws IOException {
        String right = toy().server().token();
        for (String wrong : List.of(
                "",
                "Authorization: Bearer\r\n",
                "Authorization: Bearer " + right.substring(0, right.length() - 1) + "\r\n",
                "Authorization: Bearer " + right + "0\r\n",
                "Authorization: Bearer " + right.toUpperCase(Locale.ROOT) + "\r\n",
                "Authorization: " + right + "\r\n",
                "Authorization: Basic " + right + "\r\n",
                "Cookie: token=" + right + "\r\n",
                "X-Token: " + right + "\r\n")) {
            for (String target :
                    List.of("/api/runs", "/api/runs/run", "/api/no/such", "/api/runs/run/samples/latest")) {
                Wire.Answer answer = get(target, host() + wrong);
                refused(answer, 401);
                assertThat(answer.head() + answer.body()).doesNotContain(right);
            }
        }
    }

    @Test
    void aTokenInTheAddressIsNoToken() throws IOException {
        String right = toy().server().token();
        refused(get("/api/runs?token=" + right + "&access_token=" + right, host()), 401);
    }

    @Test
    void aWebSocketNeedsTheTokenToo() throws IOException {
        for (String protocol : List.of(
                "hocket.v1", "hocket.v1, token.wrong", "token.", toy().server().token())) {
            refused(get("/api/runs/run/live", host() + upgrade(protocol)), 401);
            refused(get("/api/runs/run/feeds/stream/rows?client=a", host() + upgrade(protocol)), 401);
        }
    }

    private String upgrade(String protocol) {
        return "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
                + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: " + protocol + "\r\n";
    }

    private String welcome() {
        return upgrade("hocket.v1, token." + toy().server().token());
    }

    @Test
    void aWebSocketOfAnotherSiteIsRefused() throws IOException {
        refused(get("/api/runs/run/live", host() + "Origin: https://evil.example\r\n" + welcome()), 403);
    }

    // Ways out of the folder.

    @ParameterizedTest
    @ValueSource(
            strings = {
                "../../etc/passwd",
                "%2e%2e%2f%2e%2e%2fetc%2fpasswd",
                "%252e%252e%252fetc%252fpasswd",
                "..%5c..%5cetc%5cpasswd",
                "..\\..\\etc\\passwd",
                "latest%00",
                "%00",
                "%c0%ae%c0%ae%c0%af",
                "..;/x",
                "%2fetc%2fpasswd",
                "%ff",
                "%zz",
                "%"
            })
    void nothingLeadsOutOfTheFolder(String way) throws IOException {
        for (String before : List.of("/api/runs/", "/api/runs/run/samples/", "/api/runs/run/films/", "/")) {
            Wire.Answer answer = get(before + way);
            assertThat(answer.status()).as(before + way + " " + answer).isIn(400, 403, 404);
            assertThat(answer.body()).doesNotContain("root:");
        }
    }

    @Test
    void linksInARunFolderShowNothing() throws Exception {
        Path run = toy().folder().path();
        Path secret = Files.writeString(run.resolveSibling("secret.png"), "a secret");
        Files.createDirectories(run.resolve("samples"));
        Files.createSymbolicLink(run.resolve("samples/linked.png"), secret);
        Path outside = Files.createDirectories(run.resolveSibling("00000042"));
        Files.writeString(outside.resolve("secret.gif"), "a secret");
        Files.createSymbolicLink(run.resolve("films"), outside);
        Files.createSymbolicLink(run.resolve("best"), run.getParent());
        refused(get("/api/runs/run/samples/linked"), 404);
        refused(get("/api/runs/run/films/secret"), 404);
        assertThat(get("/api/runs/run/samples").body()).contains("samples").doesNotContain("linked");
        assertThat(get("/api/runs/run/films").body()).isEqualTo("{\"films\":[]}");
        assertThat(get("/api/runs/run/checkpoints").body()).doesNotContain("\"step\":42");
        Files.delete(run.resolve("best"));
    }

    @Test
    void aLogOrJournalThatIsALinkShowsNothing(@TempDir Path other) throws Exception {
        Path secret = Files.writeString(other.resolve("secret"), "a secret of others\n");
        FolderRun linked = copy(other.resolve("linked"), "log.txt", "journal.jsonl", "metrics.jsonl");
        for (String file : List.of("log.txt", "journal.jsonl", "metrics.jsonl", "experiment.yaml")) {
            Files.deleteIfExists(linked.folder().path().resolve(file));
            Files.createSymbolicLink(linked.folder().path().resolve(file), secret);
        }
        try (LiveServer server = LiveServer.open(new LiveServer.Listening("127.0.0.1", 0, List.of()))
                .show(() -> List.of(linked))) {
            for (String what : List.of("", "/log", "/journal", "/series", "/experiment", "/plan")) {
                assertThat(got(server, "/api/runs/linked" + what).body()).doesNotContain("secret");
            }
        }
    }

    private static FolderRun copy(Path folder, String... empty) throws IOException {
        Files.createDirectories(folder);
        for (String file : empty) {
            Files.writeString(folder.resolve(file), "");
        }
        Files.writeString(folder.resolve("experiment.yaml"), ServedToy.FILE);
        return new FolderRun(
                new CommandContext(Ran.terminal(new StringWriter(), new StringWriter(), false), folder),
                new RunFolder(folder));
    }

    private static Wire.Answer got(LiveServer server, String target) throws IOException {
        int port = URI.create(server.address()).getPort();
        try (Wire wire = new Wire(port)) {
            return wire.send("GET " + target + " HTTP/1.1\r\nHost: 127.0.0.1:" + port + "\r\nAuthorization: Bearer "
                            + server.token() + "\r\n\r\n")
                    .answer();
        }
    }

    @Test
    void markupInTheNamesOfFoldersIsHarmless(@TempDir Path runs) throws Exception {
        List<FolderRun> all = new ArrayList<>();
        for (String name :
                List.of("<script>alert(1)</script>", "a \"quoted\" 'name'", "\u00fc \u2603 \u202e", "a&b=c?d#e%41")) {
            all.add(copy(runs.resolve(name.replace("/", "\u2215"))));
        }
        try (LiveServer server = LiveServer.open(new LiveServer.Listening("127.0.0.1", 0, List.of()))
                .show(() -> all)) {
            Wire.Answer list = got(server, "/api/runs");
            assertThat(list.status()).isEqualTo(200);
            assertThat(list.head()).contains("application/json", "nosniff", "default-src 'none'");
            assertThat(list.body()).isASCII().contains("\\\"quoted\\\"");
            for (FolderRun run : all) {
                String id = URLEncoder.encode(run.id(), StandardCharsets.UTF_8).replace("+", "%20");
                assertThat(got(server, "/api/runs/" + id).status()).as(run.id()).isEqualTo(200);
            }
            Wire.Answer echoed = got(server, "/api/runs/%3Cscript%3Ealert(1)%3C%2Fscript%3E%0d%0aX-Evil:%201");
            refused(echoed, 404);
            assertThat(echoed.head()).contains("application/json").doesNotContain("Evil");
        }
    }

    // Too long, too slow, too many.

    @Test
    void aBodyThatIsTooLongIsRefused() throws IOException {
        refused(post("{\"id\":\"" + "x".repeat(70_000) + "\"}"), 413, 0);
        refused(
                raw("POST /api/runs/run/commands HTTP/1.1\r\n" + host() + token()
                        + "Content-Type: application/json\r\nContent-Length: 99999999999\r\n\r\n{"),
                413);
        for (String target : List.of("commands", "start", "feeds/stream/rows", "infer/draw")) {
            Wire.Answer atOnce = raw("POST /api/runs/run/" + target + " HTTP/1.1\r\n" + host() + token()
                    + "Content-Type: application/json\r\nContent-Length: 99999999999\r\n\r\n"); // and nothing comes
            refused(atOnce, 413);
            assertThat(atOnce.body()).contains("bytes, this one has 99999999999");
        }
    }

    @Test
    void headersThatAreTooLongAreRefused() throws IOException {
        refused(get("/", host() + "X-Long: " + "x".repeat(20_000) + "\r\n"), 431, 0);
        refused(get("/", host() + "X-Many: many\r\n".repeat(2000)), 431, 0);
    }

    @Test
    void aRequestLineThatIsTooLongIsRefused() throws IOException {
        refused(get("/" + "x".repeat(20_000), host()), 414, 0);
    }

    private Wire watching(Wire wire) throws IOException {
        assertThat(wire.send("GET /api/runs/run/live HTTP/1.1\r\n" + host() + welcome() + "\r\n")
                        .answer()
                        .status())
                .isEqualTo(101);
        return wire;
    }

    @Test
    void aFrameThatIsTooLongEndsItsWebSocketOnlyBeforeItHasCome() throws IOException {
        try (Wire wire = new Wire(port())) {
            watching(wire).send(Wire.announced(RowSocket.MOST_BYTES + 1));
            assertThat(wire.goodbye()).isEqualTo(1009);
        }
    }

    @Test
    void whoSaysMuchByWebSocketIsPutOutToo() throws IOException {
        try (Wire wire = new Wire(port())) {
            watching(wire).send(Wire.announced(100_000)).send(new byte[100_000]).awaitEnd();
        }
    }

    @Test
    void whoSendsHeadersDropByDropIsGivenUp() throws Exception {
        try (Wire wire = new Wire(port())) {
            wire.send("GET / HTTP/1.1\r\n");
            givenUpWhile(wire, "X-Drop: 1\r\n");
        }
    }

    @Test
    void whoSendsABodyDropByDropIsGivenUp() throws Exception {
        try (Wire wire = new Wire(port())) {
            wire.send("POST /api/runs/run/commands HTTP/1.1\r\n" + host() + token()
                    + "Content-Type: application/json\r\nContent-Length: 60000\r\n\r\n");
            givenUpWhile(wire, " ");
        }
    }

    @Test
    void whoSendsTheBodyOfARefusedRequestDropByDropIsGivenUp() throws Exception {
        try (Wire wire = new Wire(port())) {
            wire.send("POST /api/runs/run/commands HTTP/1.1\r\n" + host() + "Content-Length: 60000\r\n\r\n");
            refused(wire.answer(), 401);
            givenUpWhile(wire, " ");
        }
    }

    @Test
    void whoSendsASecondRequestDropByDropIsGivenUp() throws Exception {
        try (Wire wire = new Wire(port())) {
            assertThat(wire.send("GET / HTTP/1.1\r\n" + host() + "\r\n")
                            .answer()
                            .status())
                    .isEqualTo(200);
            wire.send("GET / HTTP/1.1\r\n");
            givenUpWhile(wire, "X-Drop: 1\r\n");
        }
    }

    /** Sends a drop now and then; ends when the other side has. */
    private static void givenUpWhile(Wire wire, String drop) throws Exception {
        Thread drops = new Thread(() -> {
            try {
                while (!Thread.interrupted()) {
                    wire.send(drop);
                    Thread.sleep(100);
                }
            } catch (IOException | InterruptedException e) {
                // it is over
            }
        });
        drops.start();
        try {
            wire.awaitEnd();
        } finally {
            drops.interrupt();
            drops.join();
        }
    }

    @Test
    void aFloodOfConnectionsEndsWithThemAndAnHonestClientGetsThrough() throws Exception {
        List<Wire> flood = new ArrayList<>();
        try {
            for (int i = 0; i < 40; i++) {
                flood.add(new Wire(port()));
            }
            flood.get(39).awaitEnd();
        } finally {
            for (Wire wire : flood) {
                wire.close();
            }
        }
        Wire.Answer answer = get("/api/runs");
        for (int i = 0; i < 200 && answer.status() == 0; i++) {
            Thread.sleep(20); // until the server has seen that they are gone
            answer = get("/api/runs");
        }
        assertThat(answer.status()).isEqualTo(200);
    }

    /** Places are kept for those who know the token, and a stranger that has just come is not the first to leave. */
    @Test
    void whileStrangersFloodItWhoKnowsTheTokenIsAnsweredAndKeepsItsConnection() throws Exception {
        Duration hour = Duration.ofHours(1);
        List<Wire> flood = new ArrayList<>();
        try (LiveServer server = LiveServer.open(
                new LiveServer.Listening("127.0.0.1", 0, List.of()), new Connections.Limits(12, 8, hour, hour, hour))) {
            int at = URI.create(server.address()).getPort();
            String ask = "GET /api/runs HTTP/1.1\r\nHost: 127.0.0.1:" + at + "\r\nAuthorization: Bearer "
                    + server.token() + "\r\n\r\n";
            try (Wire known = new Wire(at)) {
                assertThat(known.send(ask).answer().status()).isEqualTo(200);
                for (int i = 0; i < 40; i++) {
                    flood.add(new Wire(at).send("GET / HTTP/1.1\r\n"));
                }
                try (Wire late = new Wire(at)) {
                    assertThat(late.send(ask).answer().status()).isEqualTo(200);
                    flood.get(0).awaitEnd();
                    assertThat(late.send(ask).answer().status()).isEqualTo(200);
                }
                assertThat(known.send(ask).answer().status()).isEqualTo(200);
            }
        } finally {
            for (Wire wire : flood) {
                wire.close();
            }
        }
    }

    @Test
    void aFloodOfCommandsIsToldToWait() throws Exception {
        String before = journal();
        Wire.Answer last = Wire.Answer.NONE;
        long until = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        while (last.status() != 429 && System.nanoTime() < until) {
            try (Wire wire = new Wire(port())) {
                StringBuilder many = new StringBuilder();
                for (int i = 0; i < 50; i++) {
                    String body = "{\"id\":\"" + UUID.randomUUID() + "\",\"command\":\"resume\"}";
                    many.append("POST /api/runs/run/commands HTTP/1.1\r\n" + host() + token()
                            + "Content-Type: application/json\r\nContent-Length: " + body.length() + "\r\n\r\n" + body);
                }
                wire.send(many.toString());
                for (int i = 0; i < 50 && last.status() != 429; i++) {
                    last = wire.answer();
                }
            }
        }
        refused(last, 429);
        assertThat(last.head()).contains("Retry-After: 1");
        assertThat(journal()).isEqualTo(before);
        assertThat(command("\"command\":\"resume\"").status())
                .as("a second later")
                .isEqualTo(409);
    }

    @Test
    void aBodyThatUnpacksToGigabytesIsNotUnpacked() throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
            gzip.write(new byte[1 << 24]);
        }
        String body = packed.toString(StandardCharsets.ISO_8859_1);
        refused(post(body, "Content-Type: application/json\r\nContent-Encoding: gzip\r\n"), 415);
        refused(post(body, "Content-Type: application/json\r\nContent-Encoding: identity, gzip\r\n"), 415);
        refused(post(body), 400);
    }

    // What is not a command.

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "null",
                "[]",
                "\"pause\"",
                "{",
                "{\"id\":\"FRESH\",\"command\":\"pause\"}{}",
                "{\"id\":\"FRESH\",\"command\":\"pause\"} x",
                "{\"id\":\"FRESH\",\"command\":\"save\",\"command\":\"pause\"}",
                "{\"id\":\"FRESH\",\"command\":\"pause\",\"more\":1}",
                "{\"id\":\"FRESH\",\"command\":\"start\"}",
                "{\"id\":\"FRESH\",\"command\":\"Pause\"}",
                "{\"id\":\"x\",\"command\":\"pause\"}",
                "{\"id\":\"../../../etc\",\"command\":\"pause\"}",
                "{\"id\":12345678,\"command\":\"pause\"}",
                "{\"command\":\"pause\"}",
                "{\"id\":\"FRESH\",\"command\":\"set\",\"setting\":\"d/rate\",\"value\":NaN}",
                "{\"id\":\"FRESH\",\"command\":\"set\",\"setting\":\"d/rate\",\"value\":Infinity}",
                "{\"id\":\"FRESH\",\"command\":\"set\",\"setting\":\"d/rate\",\"value\":1e999}",
                "{\"id\":\"FRESH\",\"command\":\"set\",\"setting\":\"d/rate\",\"value\":-1e999}",
                "{\"id\":\"FRESH\",\"command\":\"set\",\"setting\":\"d/rate\",\"value\":1e999999999}",
                "{\"id\":\"FRESH\",\"command\":\"set\",\"setting\":\"d/rate\",\"value\":DIGITS}",
                "{\"id\":\"FRESH\",\"command\":\"set\",\"setting\":\"d/rate\",\"value\":\"1\"}",
                "{\"id\":\"FRESH\",\"command\":\"set\",\"setting\":[\"d/rate\"],\"value\":1}",
                "{\"id\":\"FRESH\",\"command\":\"plan\",\"plan\":DEEP}",
                "{\"id\":\"FRESH\",\"command\":\"step\",\"unit\":\"epoch\"}",
                "{\"id\":\"FRESH\",\"command\":\"fork\",\"name\":\"../elsewhere\"}",
                "{\"id\":\"FRESH\",\"command\":\"fork\",\"name\":\"/tmp/elsewhere\"}",
                "{\"id\":\"FRESH\",\"command\":\"fork\",\"name\":\"..\"}",
                "{\"id\":\"FRESH\",\"command\":\"fork\",\"into\":\"elsewhere\"}",
                "{\"id\":\"FRESH\",\"command\":\"fork\",\"checkpoint\":-1}",
                "{\"id\":\"FRESH\",\"command\":\"fork\",\"checkpoint\":18446744073709551658}"
            })
    void whatIsNoCommandIsRefusedAndNotWrittenDown(String body) throws IOException {
        String before = journal();
        refused(
                post(body.replace("FRESH", UUID.randomUUID().toString())
                        .replace("DIGITS", "9".repeat(400))
                        .replace("DEEP", "[".repeat(20_000) + "]".repeat(20_000))),
                400);
        assertThat(journal()).isEqualTo(before);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"choose\":{\"class\":\"java.lang.ProcessBuilder\"},\"of\":[\"d\",\"g\"]}",
                "{\"choose\":{\"class\":\"hocket.workbench.testing.SmallGan$Always\",\"turn\":\"d\"},\"of\":[\"d\",\"g\"]}",
                "\"!!javax.script.ScriptEngineManager [!!java.net.URL [\\\"http://evil.example\\\"]]\"",
                "\"&a [*a, *a]\"",
                "\"a: &a [x,x]\\nb: &b [*a,*a]\\nc: &c [*b,*b]\"",
                "{\"include\":\"/etc/passwd\"}",
                "\"${HOME}\"",
                "[]",
                "{}"
            })
    void aPlanThatNamesClassesFilesOrItselfIsRefusedAndNotWrittenDown(String plan) throws Exception {
        String before = journal();
        Wire.Answer answer = command("\"command\":\"plan\",\"plan\":" + plan);
        refused(answer, 400, 409);
        assertThat(answer.body()).doesNotContain("root:", "/root", "/home");
        assertThat(journal()).isEqualTo(before);
    }

    @Test
    void aSettingWhoseNameWouldSteerATerminalOrBeginALineIsAnsweredInOnePlainLine() throws Exception {
        String before = journal();
        Wire.Answer answer = command("\"command\":\"set\",\"value\":1,"
                + "\"setting\":\"x\\n2030-01-01 root logged in\\r\\u001b[2J<script>alert(1)</script>\\u202e\\u2028\"");
        refused(answer, 409);
        assertThat(answer.body()).contains("\\\\u000a2030", "\\\\u001b[2J", "\\\\u202e\\\\u2028");
        assertThat(answer.body().replace("\\\\", ""))
                .as("nothing else is escaped, as a control would be")
                .doesNotContain("\\");
        assertThat(journal()).isEqualTo(before);
    }

    @Test
    void aPlanWithLinesInItsCommentsLeavesOneLineInLogAndJournal() throws Exception {
        long logged = Files.readString(toy().folder().log()).lines().count();
        Wire.Answer answer = command("\"command\":\"plan\",\"plan\":"
                + "\"{sequence: [d, g]} # \\n# 2030-01-01T00:00:00Z  turn 1  failed  all is lost\\n\"");
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        assertThat(answer.body()).doesNotContain("\\n");
        for (int i = 0; i < 500 && !Files.readString(toy().folder().log()).contains("all is lost"); i++) {
            Thread.sleep(10);
        }
        assertThat(Files.readString(toy().folder().log())
                        .lines()
                        .skip(logged)
                        .filter(line -> line.contains("all is lost")))
                .hasSize(1)
                .allMatch(line -> line.contains("  command  plan ") && line.contains("\\u000a"));
        assertThat(journal().lines().filter(line -> line.contains("all is lost")))
                .hasSize(1)
                .allMatch(line -> line.startsWith("{\"number\":"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "text/plain",
                "application/x-www-form-urlencoded",
                "multipart/form-data; boundary=x",
                "application/json; charset=utf-16",
                "application/json, text/plain",
                "text/plain; application/json",
                "application/jsonp",
                ""
            })
    void aFormOfAnotherSiteIsRefused(String type) throws IOException {
        refused(
                post("{\"id\":\"" + UUID.randomUUID() + "\",\"command\":\"pause\"}", "Content-Type: " + type + "\r\n"),
                415);
        refused(post("{\"id\":\"" + UUID.randomUUID() + "\",\"command\":\"pause\"}", ""), 415);
    }

    @Test
    void aCommandThatIsSentASecondTimeIsRefused() throws Exception {
        String body = "{\"id\":\"" + UUID.randomUUID() + "\",\"command\":\"save\"}";
        Wire.Answer first = post(body);
        for (; first.status() == 429; first = post(body)) {
            Thread.sleep(100);
        }
        assertThat(first.status()).as(first.body()).isEqualTo(200);
        String before = journal();
        Wire.Answer second = post(body);
        for (; second.status() == 429; second = post(body)) {
            Thread.sleep(100);
        }
        refused(second, 409);
        assertThat(journal()).isEqualTo(before);
    }

    // What is said in two ways.

    @Test
    void twoLengthsAreRefused() throws IOException {
        refused(
                raw("POST /api/runs/run/commands HTTP/1.1\r\n" + host() + token()
                        + "Content-Type: application/json\r\nContent-Length: 2\r\nContent-Length: 40\r\n\r\n{}"),
                400);
    }

    @ParameterizedTest
    @ValueSource(strings = {"chunked", "identity", "xchunked", "gzip, chunked", "Chunked", "\u000bchunked"})
    void aBodyWhoseEndIsSaidOtherwiseIsRefused(String encoding) throws IOException {
        String head = "POST /api/runs/run/commands HTTP/1.1\r\n" + host() + token()
                + "Content-Type: application/json\r\nTransfer-Encoding: " + encoding + "\r\n";
        String smuggled = "0\r\n\r\nGET /api/runs HTTP/1.1\r\n" + host() + token() + "\r\n";
        for (String length : List.of("", "Content-Length: 5\r\n")) {
            try (Wire wire = new Wire(port())) {
                refused(wire.send(head + length + "\r\n" + smuggled).answer(), 400, 411);
                assertThat(wire.answer().status()).as("to what was smuggled").isZero();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1", "+2", "2 2", "0x2", "2,2", "99999999999999999999"})
    void aLengthThatIsNoneIsRefused(String length) throws IOException {
        refused(
                raw("POST /api/runs/run/commands HTTP/1.1\r\n" + host() + token()
                        + "Content-Type: application/json\r\nContent-Length: " + length + "\r\n\r\n{}"),
                400,
                413,
                0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"TRACE", "OPTIONS", "PUT", "DELETE", "PATCH", "CONNECT", "get", "post", "HEAD", "DEBUG"})
    void aMethodThatIsNotUsedIsRefused(String method) throws IOException {
        Wire.Answer answer = raw(method + " /api/runs/run HTTP/1.1\r\n" + host() + token() + "X-Canary: bird\r\n\r\n");
        assertThat(answer.status()).as(answer.toString()).isIn(400, 405, 421);
        assertThat(answer.head() + answer.body()).doesNotContain("bird", "d/rate");
    }

    @Test
    void aMethodThatIsWrittenOverAnotherIsNotLookedAt() throws IOException {
        String over = "X-HTTP-Method-Override: POST\r\nX-HTTP-Method: POST\r\nX-Method-Override: POST\r\n";
        refused(get("/api/runs/run/commands", host() + token() + over), 405);
        refused(get("/api/runs/run/commands?_method=POST", host() + token()), 405);
    }

    @Test
    void requestsThatComeTogetherAreAnsweredOneByOneEachWithItsOwnToken() throws IOException {
        try (Wire wire = new Wire(port())) {
            String target = "GET /api/runs/run/series HTTP/1.1\r\n" + host();
            wire.send(target + token() + "\r\n" + target + "\r\n" + target + token() + "\r\n");
            assertThat(wire.answer().status()).isEqualTo(200);
            refused(wire.answer(), 401);
            assertThat(wire.answer().status()).isEqualTo(200);
        }
    }

    @Test
    void whatIsNoRequestIsRefused() throws IOException {
        refused(raw("\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003\r\n\r\n"), 400, 421, 405, 0);
        assertThat(raw("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n").status()).isIn(501, 505, 0);
        refused(raw("GET / HTTP/1.1\r\n" + host() + " folded: x\r\nBad Header : y\r\n\r\n"), 400, 421, 0);
        assertThat(raw("GET / HTTP/9.9\r\n" + host() + "\r\n").status()).isIn(501, 505, 0);
    }

    @Test
    void whoSaysSomethingByWebSocketIsPutOut() throws IOException {
        try (Wire wire = new Wire(port())) {
            watching(wire).send(new byte[] {(byte) 0x81, (byte) 0x82, 0, 0, 0, 0, '{', '}'});
            assertThat(wire.goodbye()).isEqualTo(1008);
            assertThat(wire.frame()).as("what follows the goodbye").isEqualTo(-1);
        }
    }

    @Test
    void aFrameThatIsNotMaskedIsAMistakeInTheProtocol() throws IOException {
        try (Wire wire = new Wire(port())) {
            watching(wire).send(new byte[] {(byte) Wire.PING, 0});
            assertThat(wire.goodbye()).isEqualTo(1002);
            assertThat(wire.frame()).as("what follows the goodbye").isEqualTo(-1);
        }
    }

    @Test
    void aHandshakeThatIsNoneIsRefused() throws IOException {
        for (String left : List.of("Sec-WebSocket-Key", "Sec-WebSocket-Version")) {
            refused(get("/api/runs/run/live", host() + welcome().replaceFirst(left + ": [^\r]*\r\n", "")), 400, 426);
        }
    }
}
