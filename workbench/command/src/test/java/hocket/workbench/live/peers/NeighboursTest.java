package hocket.workbench.live.peers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import hocket.workbench.live.LiveServer;
import hocket.workbench.live.Neighbourhood;
import hocket.workbench.live.ServedToy;
import hocket.workbench.live.Wire;
import hocket.workbench.live.http.HttpError;
import hocket.workbench.live.views.LiveAddress;
import hocket.workbench.runs.RunFolder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A workbench asks those who serve the runs of its folder, and nobody else; and what strangers try on what it starts. */
@Tag("engine")
@Timeout(120)
class NeighboursTest {
    private static final String JSON = "Content-Type: application/json\r\n";

    @TempDir
    Path here = Path.of("");

    @SuppressWarnings("NullAway.Init") // made before each test
    private Neighbourhood at;

    private Neighbourhood neighbourhood(String name) {
        try {
            return new Neighbourhood(here.resolve("runs"), name, List.of());
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @BeforeEach
    void begins() {
        at = neighbourhood("ring");
    }

    @AfterEach
    void ends() {
        at.close();
    }

    private String status(String target) throws IOException {
        Wire.Answer answer = at.got(target);
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        return answer.body().contains(Neighbourhood.THERE) ? "there" : "here";
    }

    /** Waits for whoever serves the run: the first that is asked of it reads its experiment, which may take its time. */
    private void awaitThere(String target) throws Exception {
        while (!status(target).equals("there")) {
            Thread.sleep(50);
        }
    }

    @Test
    void whoeverServesARunIsAskedAndWhereNobodyDoesItsFolderTells() throws Exception {
        assertThat(status("/api/runs/ring")).isEqualTo("here");
        at.write(null);
        awaitThere("/api/runs");
        assertThat(status("/api/runs/ring")).isEqualTo("there");
        assertThat(at.got("/api/runs/ring/metrics?series=d/loss").body()).isEqualTo("""
                {"series":{"d/loss":{"steps":[],"values":[],"times":[],"total":0}}}""");
        assertThat(at.got("/api/runs/ring/metrics").status())
                .as("refused there")
                .isEqualTo(400);
        assertThat(at.got("/api/runs/ring/samples/none").status()).isEqualTo(404);
        assertThat(at.got("/api/runs/ring").head())
                .contains("nosniff", "default-src 'none'")
                .doesNotContain("Bearer");
        at.endThere();
        assertThat(status("/api/runs/ring")).isEqualTo("here");
        assertThat(status("/api/runs")).isEqualTo("here");
        assertThat(at.posted(
                                "/api/runs/ring/commands",
                                at.token() + JSON,
                                "{\"id\":\"12345678\",\"command\":\"pause\"}")
                        .status())
                .isEqualTo(409);
    }

    @Test
    void aPortThatHangsHoldsNobodyUp() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"))) {
            at.write("http://127.0.0.1:" + silent.getLocalPort(), "ring", null);
            assertThat(status("/api/runs")).isEqualTo("here");
            try (Socket asked = silent.accept()) {
                assertThat(isHeld(asked))
                        .as("who was asked is still being waited for")
                        .isTrue();
                assertThat(status("/api/runs/ring")).isEqualTo("here");
            }
            assertThat(at.got("/api/runs/ring/live").status()).isEqualTo(426);
        }
    }

    /** Whether who asked, and has no answer, has not hung up. */
    private static boolean isHeld(Socket asked) throws IOException {
        asked.setSoTimeout(100);
        try {
            while (asked.getInputStream().read() >= 0) {
                // on
            }
            return false;
        } catch (SocketTimeoutException e) {
            return true;
        }
    }

    @Test
    void anAddressThatIsALinkOrThatOthersCanWriteIsNotFollowed() throws Exception {
        at.write(null);
        Path real = here.resolve("real.json");
        Files.move(at.liveFile(), real);
        Files.createSymbolicLink(at.liveFile(), real);
        assertThat(status("/api/runs/ring")).isEqualTo("here");
        Files.delete(at.liveFile());
        Files.move(real, at.liveFile());
        Files.setPosixFilePermissions(at.liveFile(), PosixFilePermissions.fromString("rw-rw----"));
        at.awaitForgotten();
        assertThat(status("/api/runs/ring")).isEqualTo("here");
        Files.setPosixFilePermissions(at.liveFile(), PosixFilePermissions.fromString("rw-------"));
        awaitThere("/api/runs/ring");
    }

    @Test
    void aCopyOfAFolderIsNotTheRunThatTrains() throws Exception {
        at.write(null);
        Path copy = Files.createDirectories(here.resolve("runs/copy"));
        for (String file : List.of("experiment.yaml", "live.json")) {
            Files.copy(at.run().path().resolve(file), copy.resolve(file), StandardCopyOption.COPY_ATTRIBUTES);
        }
        awaitThere("/api/runs/ring");
        assertThat(status("/api/runs/copy")).isEqualTo("here");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://192.0.2.1:80",
                "http://example.org:80",
                "http://localhost.example.org:80",
                "http://127.0.0.1",
                "http://127.0.0.1:80/elsewhere",
                "http://127.0.0.1:80?x",
                "http://127.0.0.1:80@example.org:80",
                "http://user@127.0.0.1:80",
                "https://127.0.0.1:80",
                "ftp://127.0.0.1:80",
                "file:///etc/passwd",
                "127.0.0.1:80",
                "",
                "http://127.0.0.1:80\r\nX-Evil: 1"
            })
    void anAddressThatIsNotOnThisMachineIsNone(String address) {
        assertThat(Peer.of(new LiveAddress(address, "token", "run", 1, null))).isEmpty();
        assertThat(Peer.of(new LiveAddress(address.replace("http:", "https:"), "token", "run", 1, null)))
                .isEmpty();
    }

    /** By TLS it may be called by a name: nobody else can answer by it. */
    @Test
    void aServerThatIsCalledByTheNameOfThisMachineIsOnThisMachine() throws Exception {
        InetAddress own = InetAddress.getLocalHost();
        assumeTrue(NetworkInterface.getByInetAddress(own) != null, "this machine does not know its own name");
        String address = "https://" + own.getHostName() + ":80";
        assertThat(Peer.of(new LiveAddress(address, "token", "run", 1, "certificate")))
                .isPresent();
        assertThat(Peer.of(new LiveAddress(address.replace("https:", "http:"), "token", "run", 1, null)))
                .isEmpty();
    }

    @Test
    void aRunWhoseNameIsMarkupIsAskedByItsName() throws Exception {
        String name = "<b onclick='x'>& 100%?#\u00fc";
        at.close();
        at = neighbourhood(name);
        at.write(null);
        String id = URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20");
        awaitThere("/api/runs/" + id);
        assertThat(at.got("/api/runs/" + id + "/series").body()).isEqualTo("{\"series\":[]}");
    }

    // What is started.

    @Test
    void whoHasNoTokenOrComesFromElsewhereOrSendsNoJsonStartsNothing() throws Exception {
        String body = "{\"experiment\":\"gaussian-ring\"}";
        for (String target : List.of("/api/runs", "/api/runs/ring/start")) {
            assertThat(at.posted(target, JSON, body).status()).isEqualTo(401);
            assertThat(at.posted(target, at.token() + JSON + "Origin: https://evil.example\r\n", body)
                            .status())
                    .isEqualTo(403);
            assertThat(at.posted(target, at.token() + "Content-Type: text/plain\r\n", body)
                            .status())
                    .isEqualTo(415);
            assertThat(at.posted(target, at.token() + JSON + "Transfer-Encoding: chunked\r\n", body)
                            .status())
                    .isIn(400, 411);
            assertThat(at.posted(target, at.token() + JSON, "{\"experiment\":\"" + "x".repeat(70_000) + "\"}")
                            .status())
                    .isEqualTo(413);
        }
        assertThat(here.resolve("runs").toFile().list()).containsExactly("ring");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "nobody",
                "../outside/secret.yaml",
                "runs/../../outside/secret.yaml",
                "/SECRET",
                "./own.yaml",
                "runs//own.yaml",
                ".hidden.yaml",
                "linked.yaml",
                "linked/secret.yaml",
                "folder.yaml",
                "own.yml",
                "ring",
                "-Xrun.yaml\u0000",
                "http://example.org/own.yaml"
            })
    void noExperimentIsFoundOutsideOfTheTwoFolders(String name) throws Exception {
        Path outside = Files.createDirectories(here.resolve("outside"));
        Path secret = Files.writeString(outside.resolve("secret.yaml"), ServedToy.FILE);
        Path inside = Files.createDirectories(here.resolve("inside"));
        for (String file : List.of("own.yaml", ".hidden.yaml")) {
            Files.writeString(inside.resolve(file), ServedToy.FILE);
        }
        Files.createSymbolicLink(inside.resolve("linked.yaml"), secret);
        Files.createSymbolicLink(inside.resolve("linked"), outside);
        Files.createDirectory(inside.resolve("folder.yaml"));
        Files.createDirectory(inside.resolve("runs"));
        StartableExperiments known = new StartableExperiments(Neighbourhood.workplace(inside), inside.resolve("runs"));
        assertThat(known.find("own.yaml")).isEqualTo(inside.resolve("own.yaml").toString());
        assertThat(known.known())
                .filteredOn(StartableExperiments.Known::file)
                .extracting(StartableExperiments.Known::name)
                .contains("own.yaml")
                .doesNotContain("linked.yaml", "folder.yaml");
        assertThatThrownBy(() -> known.find(name.replace("SECRET", secret.toString())))
                .isInstanceOf(HttpError.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"settings\":{\"network.class\":\"java.lang.Runtime\"}",
                "\"settings\":{\"network.class=java.lang.Runtime\":1}",
                "\"settings\":{\"network.class\":\"hocket.gan.networks.RingGan\"}",
                "\"settings\":{\"name\":\"other\"}",
                "\"settings\":{\"--classpath\":1}",
                "\"settings\":{\"network\":{\"class\":\"java.lang.Runtime\"}}",
                "\"settings\":[\"epochs=1\"]",
                "\"settings\":{\"epochs\":null}",
                "\"settings\":{\"include\":1}",
                "\"settings\":{\"no.such\":1}",
                "\"name\":\"../outside\"",
                "\"name\":\"/tmp/outside\"",
                "\"name\":\"-x\"",
                "\"name\":\"..\"",
                "\"name\":7",
                "\"seed\":1.5",
                "\"seed\":\"1\"",
                "\"class\":\"java.lang.Runtime\"",
                "\"experiment\":\"digits-gan\"",
                "\"name\":\"a/b\""
            })
    void whatMayNotBeSaidOverTheNetworkStartsNothing(String more) throws Exception {
        try (LiveServer server = at.starting(1)) {
            Wire.Answer answer =
                    Neighbourhood.posted(server, "/api/runs", "{\"experiment\":\"gaussian-ring\"," + more + "}");
            assertThat(answer.status()).as(answer.toString()).isEqualTo(400);
        }
        assertThat(here.toFile().list()).containsExactly("runs");
        assertThat(here.resolve("runs").toFile().list()).containsExactly("ring");
    }

    @Test
    void whereThereIsNoRoomNothingIsStarted() throws Exception {
        Wire.Answer answer = at.posted("/api/runs", at.token() + JSON, "{\"experiment\":\"gaussian-ring\"}");
        assertThat(answer.status()).isEqualTo(409);
        assertThat(answer.body()).contains("0 runs are training already");
        assertThat(here.resolve("runs").toFile().list()).containsExactly("ring");
    }

    @Test
    void aStartThatLeftNothingButWordsIsShownWithThem() throws Exception {
        Path run = Files.createDirectories(here.resolve("runs/late"));
        Files.writeString(run.resolve("start.txt"), "process 999999999\nhocket: the data is gone\n");
        assertThat(at.got("/api/runs").body()).contains("\"status\":\"failed\",\"failure\":\"the data is gone\"");
        Files.writeString(
                run.resolve("start.txt"), "process " + ProcessHandle.current().pid() + "\n");
        assertThat(at.got("/api/runs/late").body()).contains("\"status\":\"starting\"");
    }

    @Test
    void aStartThatSaysMuchIsNotTakenForOneThatFailedNorAnotherProcessForIt() throws Exception {
        Path said = Files.createDirectories(here.resolve("runs/late")).resolve("start.txt");
        Files.writeString(
                said,
                "process " + ProcessHandle.current().pid() + "\n" + "it reads another file of data\n".repeat(9_000));
        assertThat(at.got("/api/runs/late").body()).contains("\"status\":\"starting\"");
        Files.setLastModifiedTime(said, FileTime.from(Instant.EPOCH));
        assertThat(at.got("/api/runs/late").body())
                .as("the process began after that was said")
                .contains("\"status\":\"failed\"");
    }

    @Test
    void whyAStartFailedIsSaidAlsoWhereItsFolderCannotBeTakenAway() throws Exception {
        Path run = Files.createDirectories(here.resolve("runs/late"));
        Files.writeString(run.resolve("start.txt"), "process 999999999\nhocket: the data is gone\n");
        Path left = Files.writeString(run.resolve("hs_err_pid999999999.log"), "left by a JVM that crashed");
        Process ended = new ProcessBuilder("false").start();
        assertThat(new RunLauncher.Started(new RunFolder(run), ended).failed()).hasMessage("the data is gone");
        assertThat(run.toFile().listFiles()).containsExactly(left.toFile());
    }
}
