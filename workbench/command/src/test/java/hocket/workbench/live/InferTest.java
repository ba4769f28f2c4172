package hocket.workbench.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import hocket.schedulers.commands.Command;
import hocket.schedulers.formats.Npy;
import hocket.scopes.Shape;
import hocket.scopes.Tensor;
import hocket.workbench.live.http.Connections;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Networks that are asked over HTTP while they train. */
@Tag("engine")
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class InferTest {
    private static final String LINES = "application/x-ndjson";
    private static final String NPY = "application/x-npy";

    private final HttpClient client = HttpClient.newHttpClient();
    private @Nullable ServedToy toy;

    @BeforeAll
    void begins(@TempDir Path here) throws Exception {
        toy = new ServedToy(here, Connections.Limits.USUAL);
    }

    @AfterAll
    void trainingWasAsIfNobodyHadAsked() throws Exception {
        toy().end();
        assertThat(toy().digest()).isEqualTo(toy().digestAlone(toy().step()));
    }

    private ServedToy toy() {
        ServedToy began = toy;
        if (began == null) {
            throw new AssertionError("it did not begin");
        }
        return began;
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(toy().server().address() + "/api/runs/run/infer" + path))
                .header("Authorization", "Bearer " + toy().server().token());
    }

    private HttpResponse<String> post(String path, String type, String body) throws Exception {
        HttpRequest.Builder request = request(path).POST(BodyPublishers.ofString(body));
        if (!type.isEmpty()) {
            request.header("Content-Type", type);
        }
        return client.send(request.build(), BodyHandlers.ofString());
    }

    @Test
    void whatCanBeAskedIsListed() throws Exception {
        assertThat(client.send(request("").build(), BodyHandlers.ofString()).body())
                .contains(
                        "\"name\":\"discriminator\",\"inputs\":[{\"name\":\"point\",\"shape\":[2],\"type\":\"float32\",\"noise\":false}]")
                .contains("\"name\":\"draw\"");
    }

    @Test
    void manyAskAtOnceWhileItTrainsAndAllAreAnswered() throws Exception {
        long before = toy().step();
        for (int round = 0; round < 10; round++) {
            List<CompletableFuture<HttpResponse<String>>> answers = new ArrayList<>();
            for (int i = 0; i < 30; i++) {
                answers.add(client.sendAsync(
                        request("/discriminator")
                                .header("Content-Type", LINES)
                                .POST(BodyPublishers.ofString("{\"point\": [0.5, " + i + "]}\n{\"point\": [0, 0]}"))
                                .build(),
                        BodyHandlers.ofString()));
            }
            for (CompletableFuture<HttpResponse<String>> one : answers) {
                HttpResponse<String> answer = one.get();
                assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
                assertThat(answer.body()).matches("(\\{\"discriminator/[a-z]+\":\\[-?[0-9.E-]+]}\n){2}");
                assertThat(answer.headers().firstValueAsLong("Hocket-Step").orElse(-1))
                        .isBetween(1L, toy().step());
            }
        }
        toy().continues();
        assertThat(toy().step()).isGreaterThan(before);
    }

    @Test
    void samplesFollowFromTheSeed() throws Exception {
        toy().attended()
                .steering()
                .orElseThrow()
                .ask(new Command.Pause(), "a test")
                .get();
        HttpResponse<String> one = post("/draw?rows=1&seed=3", "", "");
        HttpResponse<String> three = post("/draw?rows=3&seed=3", "", "");
        while (!step(one).equals(step(three))) { // until both are of where it stands
            one = post("/draw?rows=1&seed=3", "", "");
            three = post("/draw?rows=3&seed=3", "", "");
        }
        assertThat(three.body().lines()).hasSize(3);
        // to rounding: products of one row and of four add their terms in other orders; 1e-5 is a hundred such errors
        assertThat(numbers(three.body().lines().findFirst().orElse("")))
                .containsExactly(numbers(one.body().strip()), within(1e-5));
        assertThat(post("/draw?rows=1&seed=4", "", "").body()).isNotEqualTo(one.body());
        toy().attended()
                .steering()
                .orElseThrow()
                .ask(new Command.Resume(), "a test")
                .get();
    }

    private static double[] numbers(String line) {
        return Arrays.stream(line.replaceAll(".*\\[|].*", "").split(","))
                .mapToDouble(Double::parseDouble)
                .toArray();
    }

    private static String step(HttpResponse<String> answer) {
        return answer.headers().firstValue("Hocket-Step").orElse(answer.body());
    }

    @Test
    void numpyIsAnsweredByNumpy() throws Exception {
        byte[] file = file(Npy.parts(Tensor.of(Shape.of(3, 2), 0f, 1f, 2f, 3f, 4f, 5f)));
        HttpResponse<byte[]> answer = client.send(
                request("/discriminator")
                        .header("Content-Type", NPY)
                        .POST(BodyPublishers.ofByteArray(file))
                        .build(),
                BodyHandlers.ofByteArray());
        assertThat(answer.headers().firstValue("Content-Type")).contains(NPY);
        assertThat(Npy.of("answer", ByteBuffer.wrap(answer.body())).shape()).containsExactly(3L, 1L);
        HttpResponse<byte[]> drawn = client.send(
                request("/draw?rows=4")
                        .header("Accept", NPY)
                        .POST(BodyPublishers.noBody())
                        .build(),
                BodyHandlers.ofByteArray());
        assertThat(Npy.of("drawn", ByteBuffer.wrap(drawn.body())).shape()).containsExactly(4L, 2L);
    }

    private static byte[] file(List<ByteBuffer> parts) {
        ByteBuffer all = ByteBuffer.allocate(
                parts.stream().mapToInt(ByteBuffer::remaining).sum());
        parts.forEach(all::put);
        return all.array();
    }

    @Test
    void whatCannotBeAnsweredIsRefused() throws Exception {
        refused(post("/nothing", LINES, "{}"), 404, "there is no module nothing; there are modules");
        refused(
                post("/discriminator", LINES, "{\"point\": [1, 2]}\n{\"point\": [1]}"),
                400,
                "\"line\":2,\"column\":\"point\"");
        refused(post("/discriminator", LINES, "{\"point\": [1, NaN]}"), 400, "\"line\":1");
        refused(post("/discriminator", LINES, ""), 400, "must be a row as a JSON object");
        refused(post("/discriminator", "", ""), 400, "body: must contain rows of point");
        refused(post("/discriminator", "text/plain", "hello"), 415, "rows must be of type");
        refused(post("/discriminator", "text/plain", ""), 400, "must contain rows of");
        assertThat(post("/draw", "application/x-www-form-urlencoded", "").statusCode())
                .as("where nothing is given, no type is wrong")
                .isEqualTo(200);
        refused(
                post("/discriminator", LINES, "{\"point\": [1, 2]}\n".repeat(1001)),
                400,
                "at most 1000 at a time, were 1001");
        refused(post("/discriminator?output=loss", LINES, "{\"point\": [1, 2]}"), 400, "output: must be one of");
        refused(post("/draw?rows=0", "", ""), 400, "rows: must be a whole number from 1 to 1000");
        refused(post("/draw", LINES, "{\"noise\": [1, 2]}"), 400, "nothing is given to draw except the number of rows");
        refused(post("/draw?noise=some", "", ""), 400, "noise: must be one of [drawn, given]");
        refused(post("/draw?rows=1&times=2", "", ""), 400, "times: is not a parameter of this address");
    }

    private static void refused(HttpResponse<String> answer, int status, String words) {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
        assertThat(answer.body()).contains(words);
    }
}
