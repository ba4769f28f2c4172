package hocket.workbench.live;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.harrel.jsonschema.Validator;
import dev.harrel.jsonschema.ValidatorFactory;
import dev.harrel.jsonschema.providers.JacksonNode;
import hocket.workbench.command.Texts;
import hocket.workbench.files.json.JsonDocument;
import hocket.workbench.live.http.Connections;
import hocket.workbench.live.http.Routes;
import hocket.workbench.live.views.Tick;
import hocket.workbench.live.views.TickBuilder;
import hocket.workbench.training.Worker;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The document says what the server does, and the server does what it says. */
@Tag("engine")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OpenApiTest {
    /** Each address with parameters that it answers to. */
    private static final Map<String, String> ASKED = Map.of(
            "/{file}", "/app.js",
            "/api/runs/{run}/metrics", "/api/runs/run/metrics?series=d/loss&series=no/such&points=3&from=0&to=1e9",
            "/api/runs/{run}/samples/{name}", "/api/runs/run/samples/a",
            "/api/runs/{run}/films/{name}", "/api/runs/run/films/a",
            "/api/runs/{run}/histogram", "/api/runs/run/histogram?path=generator/hidden/weight&bins=3",
            "/api/runs/{run}/log", "/api/runs/run/log?lines=2");

    /** One of each kind, in an order in which the run takes them; so that others can be asked, the last goes on. */
    private static final List<String> COMMANDS = List.of(
            "\"command\": \"pause\"",
            "\"command\": \"step\", \"unit\": \"turn\"",
            "\"command\": \"resume\"",
            "\"command\": \"save\"",
            "\"command\": \"set\", \"setting\": \"d/rate\", \"value\": 1e-4",
            "\"command\": \"plan\", \"plan\": {\"sequence\": [\"g\", \"d\"]}",
            "\"command\": \"fork\", \"name\": null, \"checkpoint\": null, \"start\": false");

    private final ObjectMapper json = new ObjectMapper();
    private final HttpClient client = HttpClient.newHttpClient();

    private @Nullable ServedToy toy;
    private JsonNode document = json.createObjectNode();

    @BeforeAll
    void begins(@TempDir Path here) throws Exception {
        document = json.readTree(Routes.DOCUMENT.text());
        ServedToy began = new ServedToy(here, Connections.Limits.USUAL);
        toy = began;
        for (String picture : List.of("samples/a.png", "films/a.gif")) {
            Files.createDirectories(began.folder().path().resolve(picture).getParent());
            Files.writeString(began.folder().path().resolve(picture), "a picture");
        }
        while (!Files.exists(began.folder().log())
                || !Files.exists(began.folder().metrics())
                || ask("GET", "/api/runs/run/series", "", "").body().length() < 20) {
            Thread.sleep(20);
        }
    }

    @AfterAll
    void ends() throws Exception {
        toy().end();
    }

    private ServedToy toy() {
        ServedToy began = toy;
        if (began == null) {
            throw new AssertionError("it did not begin");
        }
        return began;
    }

    private HttpResponse<String> ask(String method, String path, String body, String headers)
            throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        URI.create(toy().server().address() + path))
                .timeout(Duration.ofSeconds(30))
                .method(method, HttpRequest.BodyPublishers.ofString(body))
                .header("Content-Type", "application/json");
        if (!headers.contains("Authorization")) {
            request.header("Authorization", "Bearer " + toy().server().token());
        }
        for (String header : headers.split("\\|")) {
            if (!header.isBlank()) {
                request.header(header.substring(0, header.indexOf(':')), header.substring(header.indexOf(':') + 2));
            }
        }
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private JsonNode resolved(JsonNode node) {
        return node.has("$ref") ? document.at(node.path("$ref").asText().substring(1)) : node;
    }

    private void requireFits(JsonNode schema, String body) {
        ObjectNode whole = schema.deepCopy();
        whole.set("components", document.path("components"));
        Validator validator = new ValidatorFactory()
                .withJsonNodeFactory(new JacksonNode.Factory())
                .createValidator();
        URI uri = validator.registerSchema(whole.toString());
        Validator.Result result = validator.validate(uri, body);
        assertThat(result.getErrors().stream()
                        .map(error -> error.getInstanceLocation() + " " + error.getError())
                        .toList())
                .as(body.substring(0, Math.min(300, body.length())))
                .isEmpty();
        assertThat(result.isValid()).as(body).isTrue();
    }

    /** Whether an answer is one of those that the document has for the operation. */
    private void requireDocumented(String path, String method, HttpResponse<String> answer) {
        JsonNode known = resolved(document.path("paths")
                .path(path)
                .path(method)
                .path("responses")
                .path(Integer.toString(answer.statusCode())));
        assertThat(known.isMissingNode())
                .as(method + " " + path + " answers " + answer.statusCode() + ": " + answer.body())
                .isFalse();
        String type = answer.headers().firstValue("Content-Type").orElse("").replaceFirst(";.*", "");
        JsonNode content = known.path("content").path(type);
        assertThat(content.isMissingNode()).as(path + " answers " + type).isFalse();
        if (type.equals("application/json")) {
            requireFits(content.path("schema"), answer.body());
        }
        known.path("headers")
                .fieldNames()
                .forEachRemaining(name -> assertThat(answer.headers().firstValue(name))
                        .as(name + " of " + answer.statusCode())
                        .isPresent());
    }

    @Test
    void everyAddressAnswersWithWhatTheDocumentSays() throws Exception {
        for (String command : COMMANDS) {
            HttpResponse<String> done = ask(
                    "POST", "/api/runs/run/commands", "{\"id\": \"" + UUID.randomUUID() + "\", " + command + "}", "");
            assertThat(done.statusCode()).as(done.body()).isEqualTo(200);
            requireDocumented("/api/runs/{run}/commands", "post", done);
        }
        List<String> asked = new ArrayList<>();
        for (Map.Entry<String, JsonNode> path : document.path("paths").properties()) {
            String address = ASKED.getOrDefault(path.getKey(), path.getKey().replace("{run}", "run"));
            if (path.getValue().has("get")
                    && !address.endsWith("/live")
                    && !address.contains("{feed}")) { // it has none
                HttpResponse<String> answer = ask("GET", address, "", "");
                assertThat(answer.statusCode())
                        .as(address + " " + answer.body())
                        .isEqualTo(200);
                requireDocumented(path.getKey(), "get", answer);
                asked.add(address);
            }
        }
        assertThat(asked).hasSize(24);
        assertThat(ask("GET", "/api/runs/run/metrics?series=d/loss", "", "").body())
                .doesNotContain("\"steps\":[]");
        assertThat(ask("GET", "/api/runs/run/journal", "", "").body())
                .contains("d/rate")
                .doesNotContain("\"time\":0");
    }

    @Test
    void tagsAndANoteAreKeptAndWhatIsNoneIsRefused() throws Exception {
        String about = "/api/runs/run/about";
        HttpResponse<String> kept =
                ask("POST", about, "{\"tags\": [\"best so far\", \"für später\"], \"note\": \"a\\nb\"}", "");
        requireDocumented("/api/runs/{run}/about", "post", kept);
        assertThat(kept.body()).isEqualTo(ask("GET", about, "", "").body()).contains("best so far", "a\\nb");
        assertThat(toy().folder().notes()).content().contains("best so far");
        for (String wrong : List.of(
                "",
                "[]",
                "{\"tags\": []}",
                "{\"tags\": null, \"note\": \"\"}",
                "{\"tags\": [\"a,b\"], \"note\": \"\"}",
                "{\"tags\": [\"a\", \"a\"], \"note\": \"\"}",
                "{\"tags\": [\"" + "a".repeat(41) + "\"], \"note\": \"\"}",
                "{\"tags\": [], \"note\": \"" + "a".repeat(10_001) + "\"}")) {
            HttpResponse<String> refused = ask("POST", about, wrong, "");
            assertThat(refused.statusCode()).as(wrong + " " + refused.body()).isEqualTo(400);
            requireDocumented("/api/runs/{run}/about", "post", refused);
            assertThat(refused.body()).doesNotContain("hocket.workbench");
        }
        assertThat(ask("GET", about, "", "").body()).isEqualTo(kept.body());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "400; GET; /api/runs; ?all=1; ``; ``",
                "400; GET; /api/runs/{run}/metrics; ``; ``; ``",
                "400; GET; /api/runs/{run}/metrics; ?series=a&points=2; ``; ``",
                "400; GET; /api/runs/{run}/metrics; ?series=a&points=3&points=4; ``; ``",
                "400; GET; /api/runs/{run}/metrics; ?series=a&from=NaN; ``; ``",
                "400; GET; /api/runs/{run}/histogram; ?path=a&bins=1.5; ``; ``",
                "400; GET; /api/runs/{run}/log; ?lines=0; ``; ``",
                "400; POST; /api/runs/{run}/commands; ``; {}; ``",
                "400; POST; /api/runs/{run}/commands; ``; ``; ``",
                "400; POST; /api/runs; ``; {\"experiment\": 7}; ``",
                "400; GET; /metrics; ?name=a; ``; ``",
                "401; GET; /metrics; ``; ``; Authorization: Bearer no",
                "401; GET; /api/runs/{run}; ``; ``; Authorization: Bearer no",
                "403; GET; /api/runs/{run}; ``; ``; Origin: https://elsewhere.example",
                "404; GET; /api/runs/{run}/histogram; ?path=no/such; ``; ``",
                "404; GET; /api/runs/{run}/samples/{name}; ``; ``; ``",
                "405; PUT; /api/runs/{run}; ``; ``; ``",
                "405; POST; /api/runs/{run}; ``; ``; ``",
                "405; GET; /api/runs/{run}/commands; ``; ``; ``",
                "409; POST; /api/runs/{run}/commands; ``; {\"id\": \"12345678\", \"command\": \"resume\"}; ``",
                "405; GET; /api/runs/{run}/start; ``; ``; ``",
                "409; POST; /api/runs; ``; {\"experiment\": \"digits-gan\"}; ``",
                "409; POST; /api/runs/{run}/start; ``; {}; ``",
                "415; POST; /api/runs/{run}/commands; ``; {}; Content-Encoding: gzip",
                "426; GET; /api/runs/{run}/live; ``; ``; ``"
            })
    void whatIsRefusedIsRefusedAsTheDocumentSays(
            int status, String method, String path, String query, String body, String headers) throws Exception {
        String address = path.replace("{run}", "run").replace("{name}", "b") + query;
        HttpResponse<String> answer = ask(method, address, body, headers);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
        boolean isKnown = document.path("paths").path(path).has(method.toLowerCase(Locale.ROOT));
        String operation = path.endsWith("/commands") || path.endsWith("/start") ? "post" : "get";
        requireDocumented(path, isKnown ? method.toLowerCase(Locale.ROOT) : operation, answer);
    }

    @Test
    void whatComesByWebSocketFitsTheDocument() throws Exception {
        LinkedBlockingQueue<String> texts = new LinkedBlockingQueue<>();
        WebSocket.Listener listener = new Texts(texts);
        String address = toy().server().address().replace("http:", "ws:") + "/api/runs/run/live";
        WebSocket socket = client.newWebSocketBuilder()
                .subprotocols("hocket.v1", "token." + toy().server().token())
                .buildAsync(URI.create(address), listener)
                .get(30, TimeUnit.SECONDS);
        assertThat(socket.getSubprotocol()).isEqualTo("hocket.v1");
        JsonNode schemas = document.path("components").path("schemas");
        requireFits(schemas.path("Hello"), String.valueOf(texts.poll(30, TimeUnit.SECONDS)));
        for (int i = 0; i < 3; i++) {
            requireFits(schemas.path("Tick"), String.valueOf(texts.poll(30, TimeUnit.SECONDS)));
        }
        socket.abort();
    }

    @Test
    void whatIsSaidOfWorkersFitsTheDocument() throws Exception {
        assertThat(json.readTree(ask("GET", "/api/runs/run", "", "").body()).path("workers"))
                .isEmpty(); // of one process
        toy().attended()
                .among(() -> List.of(
                        new Worker(0, 7000L, 120.5, 0L, 0.125, 1L, false, null),
                        new Worker(1, 6990L, 119.5, 10L, 1.0, 6L, false, "silent for 6 s"),
                        new Worker(2, null, null, null, null, null, false, null)));
        HttpResponse<String> answer = ask("GET", "/api/runs/run", "", "");
        requireDocumented("/api/runs/{run}", "get", answer);
        assertThat(answer.body())
                .contains("{\"rank\":1,\"turns\":6990,\"turns_per_second\":119.5,\"lag\":10,\"waits\":1.0,\"heard\":6,"
                        + "\"is_done\":false,\"trouble\":\"silent for 6 s\"}");
        TickBuilder tickBuilder = new TickBuilder(toy().attended());
        Tick first = tickBuilder.next();
        requireFits(document.at("/components/schemas/Tick"), JsonDocument.line(first));
        assertThat(first.changes().workers()).hasSize(3);
        assertThat(tickBuilder.next().changes().workers()).isNull(); // nothing has changed
        toy().attended().among(List::of);
    }

    @Test
    void everyRouteIsInTheDocumentAndEveryAddressOfTheDocumentIsARoute() {
        TreeSet<String> documented = new TreeSet<>();
        document.path("paths")
                .properties()
                .forEach(path -> path.getValue()
                        .fieldNames()
                        .forEachRemaining(method -> documented.add(method + " " + path.getKey())));
        TreeSet<String> routed = new TreeSet<>();
        toy().server().routes().stream()
                .filter(route -> route.methods() != null)
                .forEach(route -> route.methods().forEach(method -> {
                    String path = route.isRegexPath()
                                    && !String.valueOf(route.getPath()).contains(":")
                            ? "/{file}"
                            : String.valueOf(route.getPath()).replaceAll(":([a-z]+)", "{$1}");
                    routed.add(method.name().toLowerCase(Locale.ROOT) + " " + path);
                }));
        assertThat(routed).isEqualTo(documented);
    }

    @Test
    void eachSchemaTakesNothingThatItDoesNotName() {
        List<String> open = new ArrayList<>();
        document.path("components")
                .path("schemas")
                .properties()
                .forEach(schema -> collect(schema.getKey(), schema.getValue(), open));
        assertThat(open).isEmpty();
    }

    private static void collect(String at, JsonNode node, List<String> open) {
        if (node.has("properties") && node.path("additionalProperties").asBoolean(true)) {
            open.add(at);
        }
        node.properties().forEach(child -> collect(at + "/" + child.getKey(), child.getValue(), open));
        if (node.isArray()) {
            node.forEach(child -> collect(at + "/-", child, open));
        }
    }
}
