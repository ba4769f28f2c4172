package hocket.examples;

import static org.assertj.core.api.Assertions.assertThat;

import hocket.programs.Session.Feeds;
import hocket.schedulers.inference.Inferencer;
import hocket.scopes.Shape;
import hocket.scopes.Tensor;
import hocket.workbench.files.experiment.ExperimentFile;
import hocket.workbench.runs.CommandContext;
import hocket.workbench.runs.RunFolder;
import hocket.workbench.terminal.Terminal;
import hocket.workbench.training.RunRequest;
import hocket.workbench.training.StopRequest;
import hocket.workbench.training.Training;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The examples that serve a trained agent, each with an agent of a short run. */
@Timeout(120)
class InferenceExamplesTest {
    @TempDir
    static Path here = Path.of("");

    @BeforeAll
    static void trains() {
        StringWriter said = new StringWriter();
        PrintWriter writer = new PrintWriter(said);
        Terminal terminal = new Terminal(writer, writer, StandardCharsets.UTF_8, false, 80);
        CommandContext commandContext = new CommandContext(terminal, here);
        List<String> changes = List.of("total_steps=1024");
        ExperimentFile file = ExperimentFile.read("cartpole-ppo", changes, commandContext.surroundings(List.of()));
        RunFolder folder = new RunFolder(here.resolve("agent"));
        try (StopRequest stopRequest = new StopRequest()) {
            int status = new Training(
                            new RunRequest(
                                    commandContext,
                                    file,
                                    ExperimentFile.TRAIN,
                                    folder,
                                    changes,
                                    RunRequest.Flags.QUIET,
                                    RunRequest.Beginning.FIRST),
                            stopRequest)
                    .run();
            assertThat(status).as(said.toString()).isZero();
        }
    }

    @Test
    void theEpisodesAreTheSameHoweverManyThreadsAsk() throws Exception {
        List<Integer> lengths = InferenceThreads.run(here.resolve("agent"), 12, 8);
        assertThat(lengths).hasSize(12).allMatch(length -> length >= 8 && length <= 500);
        assertThat(InferenceThreads.run(here.resolve("agent"), 12, 1)).isEqualTo(lengths);
    }

    @Test
    void theServerAnswersManyRequestsAsTheAgentDoesAndRefusesBadOnes() throws Exception {
        Vertx vertx = Vertx.vertx();
        try (Inferencer agent = Inferencer.load(here.resolve("agent"))) {
            HttpServer server = InferenceServer.start(vertx, agent, 0)
                    .toCompletionStage()
                    .toCompletableFuture()
                    .get(30, TimeUnit.SECONDS);
            String at = "http://127.0.0.1:" + server.actualPort();
            HttpClient client = HttpClient.newHttpClient();
            List<CompletableFuture<HttpResponse<String>>> answers = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                answers.add(client.sendAsync(
                        post(at + "/actions", "[[0, 0, 0.0" + i + ", 0.5], [0, 0, -0.1, -0.5]]"),
                        BodyHandlers.ofString()));
            }
            for (int i = 0; i < 100; i++) {
                Tensor rows = Tensor.of(Shape.of(2, 4), 0, 0, Float.parseFloat("0.0" + i), 0.5f, 0, 0, -0.1f, -0.5f);
                long[] expected = agent.infer(Feeds.of("observation", rows)).longs();
                HttpResponse<String> answer = answers.get(i).get(30, TimeUnit.SECONDS);
                assertThat(answer.statusCode()).isEqualTo(200);
                assertThat(answer.body())
                        .isEqualTo("{\"step\":" + agent.step() + ",\"actions\":[" + expected[0] + "," + expected[1]
                                + "]}");
            }
            assertThat(client.send(post(at + "/reload", ""), BodyHandlers.ofString())
                            .body())
                    .isEqualTo("{\"newer\":false,\"step\":" + agent.step() + "}");
            HttpResponse<String> few = client.send(post(at + "/actions", "[[0, 0, 1]]"), BodyHandlers.ofString());
            assertThat(few.statusCode()).isEqualTo(400);
            assertThat(few.body()).isEqualTo("row 0 must have 4 numbers, has 3");
            assertThat(client.send(post(at + "/actions", "[]"), BodyHandlers.ofString())
                            .statusCode())
                    .isEqualTo(400);
            agent.close();
            HttpResponse<String> closed = client.send(post(at + "/actions", "[[0, 0, 1, 0]]"), BodyHandlers.ofString());
            assertThat(closed.statusCode()).isEqualTo(503);
            assertThat(closed.body()).endsWith(" is closed");
        } finally {
            vertx.close().toCompletionStage().toCompletableFuture().get(30, TimeUnit.SECONDS);
        }
    }

    private static HttpRequest post(String address, String body) {
        return HttpRequest.newBuilder(URI.create(address))
                .POST(BodyPublishers.ofString(body))
                .build();
    }
}
