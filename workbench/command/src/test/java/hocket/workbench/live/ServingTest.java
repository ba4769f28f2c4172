package hocket.workbench.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import hocket.schedulers.Event;
import hocket.schedulers.checkpoint.Checkpoints;
import hocket.schedulers.commands.Command;
import hocket.schedulers.commands.Steering;
import hocket.schedulers.state.State;
import hocket.workbench.command.Ran;
import hocket.workbench.files.UserError;
import hocket.workbench.live.http.Connections;
import hocket.workbench.live.peers.LiveClient;
import hocket.workbench.live.views.FolderRun;
import hocket.workbench.live.views.FolderRuns;
import hocket.workbench.live.views.LiveAddress;
import hocket.workbench.runs.CommandContext;
import hocket.workbench.runs.RunFolder;
import hocket.workbench.runs.RunLock;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.StringWriter;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Where a server listens, and what it refuses before it does. */
class ServingTest {
    @TempDir
    Path here = Path.of("");

    private final StringWriter said = new StringWriter();

    private CommandContext workplace() {
        return new CommandContext(Ran.terminal(said, said, false), here);
    }

    private static LiveServer.Listening loopback() {
        return new LiveServer.Listening("127.0.0.1", 0, List.of());
    }

    private static HttpResponse<String> get(HttpClient client, String address, String token)
            throws IOException, InterruptedException {
        return client.send(
                HttpRequest.newBuilder(URI.create(address))
                        .header("Authorization", "Bearer " + token)
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void aPortThatIsTakenIsRefusedInOneLineBeforeThereIsAFolder() throws IOException {
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            String port = Integer.toString(other.getLocalPort());
            Ran ran = Ran.hocket(here, "run", "tiny-gan", "--serve", port, "--out", "run");
            assertThat(ran.status()).isEqualTo(2);
            assertThat(ran.errLines()).hasSize(1);
            assertThat(ran.err())
                    .startsWith("hocket: --serve: 127.0.0.1 port " + port + " is not available: ")
                    .containsIgnoringCase("in use");
            assertThat(here.resolve("run")).doesNotExist();
        }
    }

    @Test
    void aServerWhoseRunIsRefusedListensNoMore() throws IOException {
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            port = free.getLocalPort();
        }
        Ran ran = Ran.hocket(here, "run", "tiny-gan", "--set", "digits.batch=1e9", "--serve", Integer.toString(port));
        assertThat(ran.status()).as(ran.err()).isEqualTo(2);
        try (Socket socket = new Socket()) {
            assertThatThrownBy(() -> socket.connect(new InetSocketAddress("127.0.0.1", port), 1000))
                    .isInstanceOf(IOException.class);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"missing", "a-file"})
    void whatIsNoFolderIsRefusedWithTheReason(String name) throws IOException {
        Files.writeString(here.resolve("a-file"), "");
        Ran ran = Ran.hocket(here, "serve", name);
        assertThat(ran.status()).isEqualTo(2);
        assertThat(ran.errLines()).hasSize(1);
        assertThat(ran.err()).contains(name.equals("missing") ? "there is no such folder" : "is a file");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0.0.0.0", "::", "192.0.2.7", "example.org"})
    void anAddressThatOthersReachNeedsTlsAndAName(String host) {
        assertThatThrownBy(() -> new Serving(0, host, "", ""))
                .isInstanceOf(UserError.class)
                .hasMessageStartingWith("--host " + host);
    }

    @Test
    void aCertificateThatIsNoneIsRefusedByItsOption() throws IOException {
        Path text = Files.writeString(here.resolve("text.pem"), "nothing");
        Path begun = Files.writeString(here.resolve("begun.pem"), "-----BEGIN CERTIFICATE-----\nAAAA\n");
        assertThatThrownBy(() -> new Serving(0, "127.0.0.1", "missing.pem", "missing.pem").listen())
                .isInstanceOf(UserError.class)
                .hasMessage("--certificate missing.pem: cannot be read: there is no missing.pem");
        assertThatThrownBy(() -> new Serving(0, "127.0.0.1", begun.toString(), text.toString()).listen())
                .isInstanceOf(UserError.class)
                .hasMessageStartingWith("--key " + text + ": is not a PEM file");
        assertThatThrownBy(() -> new Serving(0, "127.0.0.1", begun.toString(), begun.toString()).listen())
                .isInstanceOf(UserError.class)
                .hasMessageStartingWith("--certificate and --key: ");
    }

    /** A pair of keys with a certificate that it signs itself. */
    private KeyStore selfSigned(String... more) throws Exception {
        Path keytool = Path.of(System.getProperty("java.home"), "bin", "keytool");
        assumeTrue(Files.isExecutable(keytool), "a JDK without keytool cannot make a certificate");
        Path store = here.resolve("store.p12");
        List<String> command = new ArrayList<>(List.of(keytool.toString(), "-genkeypair", "-alias", "hocket"));
        command.addAll(List.of("-keyalg", "EC", "-storetype", "PKCS12", "-keystore", store.toString()));
        command.addAll(List.of("-storepass", "changeit"));
        command.addAll(List.of(more));
        Process made = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(here.resolve("keytool.txt").toFile())
                .start();
        assertThat(made.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return KeyStore.getInstance(store.toFile(), "changeit".toCharArray());
    }

    /** It expired last month, may sign certificates only, and is called as nothing is. */
    @Test
    @Tag("processes")
    void theCertificateInItsFolderIsTrustedWhoeverSignedItAndNoOtherIs() throws Exception {
        KeyStore keys = selfSigned(
                "-dname", "CN=nobody", "-startdate", "-60d", "-validity", "30", "-ext", "KeyUsage:c=keyCertSign");
        Path pem = pem("CERTIFICATE", keys.getCertificate("hocket").getEncoded());
        Path key = pem(
                "PRIVATE KEY", keys.getKey("hocket", "changeit".toCharArray()).getEncoded());
        aWorkbenchTrustsThatCertificateAlone(Files.readString(pem), Files.readAllBytes(pem), Files.readAllBytes(key));
    }

    @Test
    @Tag("processes")
    void aServerWithACertificateAnswersByTls() throws Exception {
        KeyStore keys = selfSigned("-dname", "CN=localhost", "-ext", "SAN=dns:localhost,ip:127.0.0.1");
        Certificate certificate = keys.getCertificate("hocket");
        Path pem = pem("CERTIFICATE", certificate.getEncoded());
        Path key = pem(
                "PRIVATE KEY", keys.getKey("hocket", "changeit".toCharArray()).getEncoded());
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry("hocket", certificate);
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        SSLContext tls = SSLContext.getInstance("TLS");
        tls.init(null, trust.getTrustManagers(), null);
        try (LiveServer server = LiveServer.open(
                new LiveServer.Listening("localhost", 0, List.of(Files.readAllBytes(pem), Files.readAllBytes(key))))) {
            assertThat(server.address()).startsWith("https://localhost:");
            HttpResponse<String> answer = get(
                    HttpClient.newBuilder().sslContext(tls).build(), server.address() + "/api/runs", server.token());
            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(answer.version()).isEqualTo(HttpClient.Version.HTTP_1_1);
            aWorkbenchTrustsThatCertificateAlone(
                    Files.readString(pem), Files.readAllBytes(pem), Files.readAllBytes(key));
            try (Wire plain = new Wire(URI.create(server.address()).getPort())) {
                assertThat(plain.send("GET /api/runs HTTP/1.1\r\nHost: localhost\r\n\r\n")
                                .answer()
                                .status())
                        .as("without TLS")
                        .isZero();
            }
        }
    }

    private void aWorkbenchTrustsThatCertificateAlone(String certificate, byte[] pem, byte[] key) throws Exception {
        Path other = Path.of(ServingTest.class.getResource("other.pem").toURI());
        try (Neighbourhood at = new Neighbourhood(here.resolve("runs"), "ring", List.of(pem, key))) {
            at.write(certificate);
            String body = at.got("/api/runs/ring").body();
            for (int i = 0; i < 20 && !body.contains(Neighbourhood.THERE); i++) {
                at.awaitForgotten(); // a busy machine may take longer than it is waited for
                body = at.got("/api/runs/ring").body();
            }
            assertThat(body).contains(Neighbourhood.THERE);
            assertThatThrownBy(() -> new LiveClient(LiveAddress.of(at.run())).send(new Command.Pause()))
                    .hasMessage("ring is not training here: it accepts no commands"); // the server says
            at.write(Files.readString(other));
            at.awaitForgotten();
            assertThat(at.got("/api/runs/ring").body()).doesNotContain(Neighbourhood.THERE);
            assertThatThrownBy(() -> new LiveClient(LiveAddress.of(at.run())).send(new Command.Pause()))
                    .hasMessageContaining("the server's certificate differs");
        }
    }

    private Path pem(String what, byte[] bytes) throws IOException {
        return Files.writeString(
                here.resolve(what.replace(' ', '-') + ".pem"),
                "-----BEGIN " + what + "-----\n" + Base64.getMimeEncoder().encodeToString(bytes) + "\n-----END " + what
                        + "-----\n");
    }

    @Test
    void aServerOnTheLoopbackOfVersionSixIsCalledByItsAddress() throws Exception {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getByName("::1"))) {
            assumeTrue(free.getInetAddress() instanceof Inet6Address, "this machine has no IPv6");
        } catch (IOException e) {
            abort("this machine has no IPv6: " + e.getMessage());
        }
        try (LiveServer server = LiveServer.open(new LiveServer.Listening("::1", 0, List.of()))) {
            assertThat(server.address()).startsWith("http://[::1]:");
            assertThat(get(HttpClient.newHttpClient(), server.address() + "/api/runs", server.token())
                            .body())
                    .isEqualTo("{\"runs\":[],\"serving\":\"process\"}");
        }
    }

    @Test
    void aRunThatAnotherProcessTrainsIsShownAsThatWithWhereItWas() throws Exception {
        Path run = here.resolve("runs/elsewhere");
        Files.createDirectories(run);
        Files.writeString(run.resolve("experiment.yaml"), ServedToy.FILE);
        Files.writeString(
                run.resolve("metrics.jsonl"),
                "{\"step\":40,\"round\":20,\"epoch\":1.5,\"turn\":\"d\",\"name\":\"loss\",\"value\":0.5,\"time\":1}\n");
        FolderRun shown = new FolderRun(workplace(), new RunFolder(run));
        assertThat(shown.facts().status()).isEqualTo("stopped");
        new LiveAddress(
                        "http://127.0.0.1:1",
                        "t",
                        "elsewhere",
                        ProcessHandle.current().pid(),
                        null)
                .write(new RunFolder(run));
        assertThat(shown.facts().status()).isEqualTo("training");
        assertThat(shown.facts().at()).isEqualTo(new Event.Position(40, 20, 1.5));
        assertThat(shown.facts().state().live()).isFalse();
        LiveAddress.remove(new RunFolder(run));
        assertThat(shown.facts().status()).isEqualTo("stopped");
    }

    @Test
    void aRunThatWasAskedToStopHasStoppedOnceItsFolderIsFree() throws Exception {
        ServedToy toy = new ServedToy(here, Connections.Limits.USUAL);
        toy.continues();
        Steering steering = toy.attended().steering().orElseThrow();
        steering.ask(new Command.Stop(), "a test").get(30, TimeUnit.SECONDS);
        FolderRun shown = new FolderRun(workplace(), toy.folder());
        String status = shown.facts().status();
        while (!status.equals("stopped")) {
            assertThat(status).isEqualTo("training");
            Thread.sleep(1);
            status = shown.facts().status();
        }
        toy.folder().resume().close(); // refuses where another holds it
        toy.awaitEnd();
    }

    /** No process holds the folder of a run that is shown as stopped, so the run can be started again. */
    @Test
    void aRunThatAProcessWritesUnseenOrIsAboutToWriteHasNotStopped() throws Exception {
        RunFolder folder = new RunFolder(here.resolve("runs/elsewhere"));
        Files.createDirectories(folder.path());
        Files.writeString(folder.experiment(), ServedToy.FILE);
        FolderRun shown = new FolderRun(workplace(), folder);
        try (RunLock lock = folder.resume()) {
            assertThat(shown.facts().status()).isEqualTo("starting");
            assertThat(shown.facts().abilities().canGoOn()).isFalse();
            Files.writeString(lock.folder().metrics(), "");
            assertThat(shown.facts().status()).as("it has recorded something").isEqualTo("training");
            assertThat(shown.facts().abilities().canGoOn()).isFalse();
            Files.setLastModifiedTime(folder.metrics(), FileTime.fromMillis(System.currentTimeMillis() - 60_000));
            assertThat(shown.facts().status()).as("continues").isEqualTo("starting");
        }
        assertThat(shown.facts().status()).isEqualTo("stopped");
        Files.writeString(
                folder.path().resolve("lock"),
                "process " + ProcessHandle.current().pid() + " on elsewhere since " + Instant.now() + "\n");
        assertThat(shown.facts().status()).as("who knows of another machine").isEqualTo("stopped");
        Files.writeString(folder.started(), "");
        assertThat(shown.facts().status()).as("was asked for just now").isEqualTo("starting");
        String process = "process " + ProcessHandle.current().pid() + "\n";
        Files.writeString(folder.started(), process);
        assertThat(shown.facts().status()).as("has its number").isEqualTo("starting");
        assertThat(shown.facts().abilities().canGoOn()).isFalse();
        Files.writeString(folder.started(), process + "page     http://127.0.0.1:1/#token=x\n");
        try (RunLock lock = folder.resume()) {
            assertThat(lock.folder()).isEqualTo(folder);
            assertThat(shown.facts().status()).as("is served no more").isEqualTo("stopping");
        }
        assertThat(shown.facts().status()).as("its folder is free").isEqualTo("stopped");
    }

    @Test
    void aRunWhoseCheckpointCannotBeReadForAMomentIsShownWhereItWasAndThenWhereItIs() throws Exception {
        RunFolder run = new RunFolder(Files.createDirectories(here.resolve("runs/elsewhere")));
        Files.writeString(run.experiment(), ServedToy.FILE);
        Checkpoints.write(run.checkpoints(), 40, State.empty().with("step", 40).with("round", 20));
        FolderRun shown = new FolderRun(workplace(), run);
        assertThat(shown.facts().at().step()).isEqualTo(40);
        Checkpoints.write(run.checkpoints(), 60, State.empty().with("step", 60).with("round", 30));
        Path state = run.checkpoints().resolve("00000060/state.json");
        Files.move(state, here.resolve("away"));
        assertThat(shown.facts().at().step()).isEqualTo(40);
        Files.move(here.resolve("away"), state);
        assertThat(shown.facts().at().step()).isEqualTo(60);
    }

    @Test
    void aDamagedRunIsShownAsThatAndHidesNoOther() throws Exception {
        for (String name : List.of("a-good", "b-torn", "c-unknown", "d-figures", "e-journal")) {
            Files.createDirectories(here.resolve("runs").resolve(name));
            Files.writeString(here.resolve("runs").resolve(name).resolve("experiment.yaml"), ServedToy.FILE);
        }
        Files.write(here.resolve("runs/b-torn/experiment.yaml"), new byte[] {'{', 0, 7, (byte) 0xff});
        Files.writeString(here.resolve("runs/c-unknown/experiment.yaml"), "name: x\nnetwork: {class: no.such.Thing}\n");
        Files.writeString(here.resolve("runs/d-figures/metrics.jsonl"), "{\"step\": \n{}\n");
        Files.writeString(here.resolve("runs/e-journal/journal.jsonl"), "nonsense\n");
        FolderRuns runs = new FolderRuns(workplace(), here.resolve("runs"));
        runs.require(true);
        try (LiveServer server = LiveServer.open(loopback()).show(runs)) {
            HttpClient client = HttpClient.newHttpClient();
            String all =
                    get(client, server.address() + "/api/runs", server.token()).body();
            assertThat(all.split("\"status\":\"damaged\",\"failure\":\"", -1))
                    .as(all)
                    .hasSize(4);
            assertThat(all)
                    .contains("\"id\":\"a-good\",\"name\":\"points\"", "\"id\":\"e-journal\",\"name\":\"points\"");
            assertThat(all).contains("no.such.Thing");
            HttpResponse<String> journal =
                    get(client, server.address() + "/api/runs/e-journal/journal", server.token());
            assertThat(journal.statusCode()).isEqualTo(409);
            assertThat(journal.body()).contains("journal.jsonl:1: ");
        }
    }

    @Test
    void nothingIsSaidOnTheStreamsOfTheProcessAndNothingIsLeftInTheFolderForTemporaryFiles() throws Exception {
        PrintStream out = System.out;
        PrintStream err = System.err;
        ByteArrayOutputStream both = new ByteArrayOutputStream();
        PrintStream caught = new PrintStream(both, true, StandardCharsets.UTF_8);
        List<String> before = leftovers();
        System.setOut(caught);
        System.setErr(caught);
        try (LiveServer server = LiveServer.open(loopback())) {
            get(HttpClient.newHttpClient(), server.address() + "/", "none");
            try (Wire wire = new Wire(URI.create(server.address()).getPort())) {
                wire.send("nonsense\r\n\r\n").answer();
            }
            assertThat(leftovers()).isEqualTo(before);
        } finally {
            System.setOut(out);
            System.setErr(err);
        }
        assertThat(both.toString(StandardCharsets.UTF_8)).isEmpty();
        assertThat(leftovers()).isEqualTo(before);
    }

    private static List<String> leftovers() throws IOException {
        try (Stream<Path> files = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
            return files.map(Path::toString)
                    .filter(name -> name.contains("vertx-cache"))
                    .sorted()
                    .toList();
        }
    }

    @Test
    void aRunThatIsTakenAwayIsShownNoMore() throws IOException {
        Path run = Files.createDirectories(here.resolve("runs/one"));
        Files.writeString(run.resolve("experiment.yaml"), ServedToy.FILE);
        FolderRuns runs = new FolderRuns(workplace(), here.resolve("runs"));
        assertThat(runs.get()).extracting(FolderRun::folder).containsExactly(new RunFolder(run));
        Files.delete(run.resolve("experiment.yaml"));
        assertThat(runs.get()).isEmpty();
    }
}
