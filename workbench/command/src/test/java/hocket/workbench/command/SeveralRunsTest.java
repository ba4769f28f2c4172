package hocket.workbench.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code hocket serve}: runs are started, watched and steered from one place, and neither needs the other to live. */
@Tag("engine")
@Tag("processes")
@Timeout(180)
class SeveralRunsTest {
    private static final String GAN = """
            include: gaussian-ring
            network: {width: 16}
            feeds: {ring: {batch: 32}}
            evaluation: {samples: 100}
            budget: {rounds: 10000000}
            on: [{every: {rounds: 50}, do: [save]}]
            """;

    @TempDir
    private Path here;

    private final ObjectMapper json = new ObjectMapper();
    private final HttpClient client =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(10)).build();

    @AfterEach
    void nothingGoesOnBehindTheTest() throws Exception {
        if (!Files.isDirectory(here.resolve("runs"))) {
            return;
        }
        try (var runs = Files.list(here.resolve("runs"))) {
            for (Path run : runs.toList()) {
                if (Files.exists(run.resolve("live.json"))) {
                    kill(run);
                }
                if (Files.exists(run.resolve("start.txt"))) {
                    String first = Files.readString(run.resolve("start.txt"))
                            .lines()
                            .findFirst()
                            .orElse("");
                    kill(Long.parseLong(first.replaceFirst("^process ([0-9]+)$|^.*$", "0$1")));
                }
            }
        }
    }

    private void kill(Path run) throws Exception {
        kill(json.readTree(run.resolve("live.json").toFile()).path("process").asLong());
    }

    private static void kill(long process) {
        ProcessHandle.of(process)
                .filter(found -> found.info().command().isPresent())
                .ifPresent(found -> {
                    found.destroyForcibly();
                    found.onExit().join();
                });
    }

    private HttpResponse<String> ask(Served at, String path, @Nullable String body) throws Exception {
        String token = at.page().replaceFirst(".*token=", "");
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(address(at) + path))
                .timeout(Duration.ofSeconds(60))
                .header("Authorization", "Bearer " + token);
        if (body != null) {
            request.header("Content-Type", "application/json").POST(HttpRequest.BodyPublishers.ofString(body));
        }
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private static String address(Served at) {
        return at.page().replaceFirst("/#.*", "");
    }

    private JsonNode got(Served at, String path) throws Exception {
        HttpResponse<String> answer = ask(at, path, null);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return json.readTree(answer.body());
    }

    private JsonNode started(Served at, String path, String body) throws Exception {
        HttpResponse<String> answer = ask(at, path, body);
        assertThat(answer.statusCode()).as(answer.body()).isIn(201, 202);
        JsonNode begun = json.readTree(answer.body());
        listed(at, begun.path("run").asText(), run -> run.path("live").asBoolean());
        return begun;
    }

    private HttpResponse<String> command(Served at, String run, String command) throws Exception {
        return ask(
                at,
                "/api/runs/" + run + "/commands",
                "{\"id\": \"" + UUID.randomUUID() + "\", \"command\": \"" + command + "\"}");
    }

    /** Waits until the list says of a run what is wanted. */
    private JsonNode listed(Served at, String run, Predicate<JsonNode> wanted) throws Exception {
        while (true) {
            for (JsonNode each : got(at, "/api/runs").path("runs")) {
                if (each.path("id").asText().equals(run) && wanted.test(each)) {
                    return each;
                }
            }
            Thread.sleep(50);
        }
    }

    private static Predicate<JsonNode> is(String status) {
        return run -> run.path("status").asText().equals(status);
    }

    private static long step(JsonNode run) {
        return run.path("at").path("step").asLong();
    }

    private LinkedBlockingQueue<String> watched(Served at, String run) throws Exception {
        LinkedBlockingQueue<String> texts = new LinkedBlockingQueue<>();
        WebSocket.Listener listener = new Texts(texts) {
            @Override
            public @Nullable CompletionStage<?> onClose(WebSocket socket, int status, String reason) {
                texts.add("closed " + status);
                return null;
            }
        };
        client.newWebSocketBuilder()
                .subprotocols("hocket.v1", "token." + at.page().replaceFirst(".*token=", ""))
                .buildAsync(URI.create(address(at).replace("http:", "ws:") + "/api/runs/" + run + "/live"), listener)
                .get(30, TimeUnit.SECONDS);
        return texts;
    }

    @Test
    void aRunIsStartedWatchedSteeredLostAndResumedByAWorkbenchAndOutlivesIt() throws Exception {
        Files.writeString(here.resolve("gan.yaml"), GAN);
        try (Served workbench = Served.start(here, "serve")) {
            assertThat(got(workbench, "/api/runs").path("runs")).isEmpty();
            assertThat(here.resolve("runs")).doesNotExist();
            assertThat(got(workbench, "/api/experiments").path("experiments").toString())
                    .contains("\"gan.yaml\"", "\"digits-gan\"");

            JsonNode gan = started(
                    workbench,
                    "/api/runs",
                    "{\"experiment\": \"gan.yaml\", \"seed\": 5, \"settings\": {\"d.rate\": 5e-4}}");
            assertThat(gan.path("run").asText()).isEqualTo("gan");
            assertThat(Files.readString(here.resolve("runs/gan/experiment.yaml")))
                    .contains("seed: 5\n");
            JsonNode first = listed(workbench, "gan", run -> run.path("live").asBoolean());
            assertThat(first.path("status").asText()).isEqualTo("training");
            assertThat(first.path("settings").path("d/rate").asDouble()).isEqualTo(5e-4);

            LinkedBlockingQueue<String> ticks = watched(workbench, "gan");
            assertThat(ticks.poll(30, TimeUnit.SECONDS)).startsWith("{\"kind\":\"hello\"");
            assertThat(ticks.poll(30, TimeUnit.SECONDS)).startsWith("{\"kind\":\"tick\"");
            assertThat(ticks.poll(30, TimeUnit.SECONDS)).startsWith("{\"kind\":\"tick\"");

            HttpResponse<String> paused = command(workbench, "gan", "pause");
            assertThat(paused.statusCode()).as(paused.body()).isEqualTo(200);
            assertThat(paused.body()).contains("paused in ");
            JsonNode stands = listed(workbench, "gan", is("paused"));
            assertThat(step(got(workbench, "/api/runs/gan"))).isEqualTo(step(stands));
            assertThat(command(workbench, "gan", "pause").statusCode()).isEqualTo(409);
            HttpResponse<String> drawn = client.send(
                    HttpRequest.newBuilder(URI.create(address(workbench) + "/api/runs/gan/infer/draw?rows=2"))
                            .header(
                                    "Authorization",
                                    "Bearer " + workbench.page().replaceFirst(".*token=", ""))
                            .POST(HttpRequest.BodyPublishers.noBody())
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
            assertThat(drawn.body().lines()).as(drawn.body()).hasSize(2);
            assertThat(drawn.headers().firstValueAsLong("Hocket-Step"))
                    .as("of the run itself, not of its folder")
                    .hasValue(step(stands));
            assertThat(command(workbench, "gan", "resume").statusCode()).isEqualTo(200);
            assertThat(got(workbench, "/api/runs/gan/journal").toString()).contains("resume");

            listed(workbench, "gan", run -> step(run) > 400);
            kill(here.resolve("runs/gan"));
            JsonNode stopped = listed(workbench, "gan", is("stopped"));
            assertThat(stopped.path("live").asBoolean()).isFalse();
            assertThat(stopped.path("can_go_on").asBoolean()).isTrue();
            for (String last = "";
                    !last.startsWith("closed");
                    last = String.valueOf(ticks.poll(30, TimeUnit.SECONDS))) {
                assertThat(last).isNotEqualTo("null");
            }
            assertThat(command(workbench, "gan", "pause").statusCode()).isEqualTo(409);

            started(workbench, "/api/runs/gan/start", "{}");
            listed(workbench, "gan", run -> is("training").test(run) && step(run) > step(stopped));
            HttpResponse<String> twice = ask(workbench, "/api/runs/gan/start", "{}");
            assertThat(twice.statusCode()).as(twice.body()).isEqualTo(409);
        }
        try (Served again = Served.start(here, "serve", "runs")) {
            JsonNode found = listed(again, "gan", is("training"));
            listed(again, "gan", run -> step(run) > step(found));
            assertThat(command(again, "gan", "stop").statusCode()).isEqualTo(200);
            JsonNode ended = listed(again, "gan", run -> !run.path("live").asBoolean());
            assertThat(ended.path("status").asText()).isIn("stopped", "ended");
        }
    }

    @Tag("slow")
    @Test
    void ctrlCInTheTerminalOfAWorkbenchEndsNoRun() throws Exception {
        Path setsid = Path.of("/usr/bin/setsid");
        assumeTrue(Files.isExecutable(setsid), "there is no setsid here, to make a terminal's group of processes");
        Files.writeString(here.resolve("gan.yaml"), GAN);
        // these tests may have been told to ignore a signal, as nohup does
        List<String> before = List.of(setsid.toString(), "env", "--default-signal=INT,HUP");
        try (Served workbench = Served.startBy(here, before, "serve")) {
            started(workbench, "/api/runs", "{\"experiment\": \"gan.yaml\"}");
            for (String signal : List.of("-INT", "-HUP")) {
                new ProcessBuilder(
                                "kill", signal, "--", "-" + workbench.process().pid())
                        .start()
                        .waitFor();
            }
            assertThat(workbench.process().waitFor(30, TimeUnit.SECONDS)).isTrue();
        }
        try (Served again = Served.start(here, "serve")) {
            JsonNode found = listed(again, "gan", is("training"));
            listed(again, "gan", run -> step(run) > step(found));
        }
    }

    @Test
    void aStartThatComesToNothingSaysWhyAndLeavesNothing() throws Exception {
        Files.writeString(here.resolve("gan.yaml"), GAN);
        Files.writeString(here.resolve("wrong.yaml"), "include: gaussian-ring\nnetwork: {width: none}\n");
        Files.createDirectories(here.resolve("runs/taken"));
        try (Served workbench = Served.start(here, "serve")) {
            refused(workbench, 400, "wrong.yaml:2", "{\"experiment\": \"wrong.yaml\"}");
            refused(
                    workbench,
                    400,
                    "digits.batch",
                    "{\"experiment\": \"tiny-gan\", \"settings\": {\"digits.batch\": 1e9}}");
            refused(workbench, 409, "taken", "{\"experiment\": \"gan.yaml\", \"name\": \"taken\"}");
            assertThat(here.resolve("runs").toFile().list()).containsExactly("taken");
        }
    }

    private void refused(Served at, int status, String why, String body) throws Exception {
        HttpResponse<String> answer = ask(at, "/api/runs", body);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
        assertThat(answer.body()).contains(why);
    }
}
