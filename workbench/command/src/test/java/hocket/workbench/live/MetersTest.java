package hocket.workbench.live;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import hocket.schedulers.commands.Command;
import hocket.workbench.live.http.Connections;
import hocket.workbench.live.views.LiveCurves;
import hocket.workbench.live.views.LiveView;
import hocket.workbench.online.DurableQueue;
import hocket.workbench.training.Worker;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mockito.Mockito;

/** What Prometheus is told is what the interface says of the same run. */
@Tag("engine")
class MetersTest {
    private static final String NAME = "[a-zA-Z_:][a-zA-Z0-9_:]*";
    private static final String LABELS = "\\{((?:[a-zA-Z_][a-zA-Z0-9_]*=\"(?:[^\"\\\\\\n]|\\\\[\\\\\"n])*\",?)*)}";
    private static final Pattern SAMPLE =
            Pattern.compile("(" + NAME + ")(?:" + LABELS + ")? (NaN|[+-]Inf|[-+0-9.eE]+)");
    private static final Pattern TYPE = Pattern.compile("# TYPE (" + NAME + ") (counter|gauge|summary|histogram)");

    private final HttpClient client = HttpClient.newHttpClient();
    private final ObjectMapper json = new ObjectMapper();
    private @Nullable ServedToy served;

    @BeforeEach
    void begins(@TempDir Path here) throws Exception {
        served = new ServedToy(here, Connections.Limits.USUAL);
    }

    @AfterEach
    void ends() throws Exception {
        toy().end();
    }

    private ServedToy toy() {
        ServedToy began = served;
        if (began == null) {
            throw new AssertionError("it did not begin");
        }
        return began;
    }

    private HttpResponse<String> ask(String path, String authorization) throws IOException, InterruptedException {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(toy().server().address() + path));
        if (!authorization.isEmpty()) {
            request.header("Authorization", authorization);
        }
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private JsonNode api(String path) throws IOException, InterruptedException {
        return json.readTree(ask(path, "Bearer " + toy().server().token()).body());
    }

    /** Samples by their names with labels. Every name has said its type before. */
    private static Map<String, Double> parsed(String text) {
        Map<String, Double> samples = new TreeMap<>();
        String name = "";
        assertThat(text).endsWith("\n");
        for (String line : text.split("\n")) {
            Matcher type = TYPE.matcher(line);
            Matcher sample = SAMPLE.matcher(line);
            if (type.matches()) {
                name = type.group(1);
                assertThat(type.group(2).equals("counter")).as(line).isEqualTo(name.endsWith("_total"));
                assertThat(name).doesNotContainPattern("_(ns|ms)(_|$)|_count$");
            } else if (!line.startsWith("# HELP ")) {
                assertThat(sample.matches()).as(line).isTrue();
                assertThat(sample.group(1)).as(line).startsWith(name);
                String labels =
                        sample.group(2) == null ? "" : "{" + sample.group(2).replaceAll(",$", "") + "}";
                double value = Double.parseDouble(sample.group(3).replace("Inf", "Infinity"));
                assertThat(samples.put(sample.group(1) + labels, value))
                        .as(line)
                        .isNull();
            }
        }
        return samples;
    }

    private Map<String, Double> scraped() throws IOException, InterruptedException {
        HttpResponse<String> answer = ask("/metrics", "Bearer " + toy().server().token());
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        assertThat(answer.headers().firstValue("Content-Type")).contains("text/plain; version=0.0.4; charset=utf-8");
        return parsed(answer.body());
    }

    private void pause() throws Exception {
        while (toy().step() < 400) {
            toy().continues();
        }
        toy().attended()
                .steering()
                .orElseThrow()
                .ask(new Command.Pause(), "a test")
                .get();
        while (!api("/api/runs/run").path("status").asText().equals("paused")) {
            Thread.sleep(5);
        }
    }

    @Test
    void theRunIsToldAsTheInterfaceSays() throws Exception {
        pause();
        JsonNode run = api("/api/runs/run");
        Map<String, Double> told = scraped();
        assertThat(told)
                .containsEntry("hocket_step{run=\"run\"}", run.at("/at/step").asDouble())
                .containsEntry("hocket_round{run=\"run\"}", run.at("/at/round").asDouble())
                .containsEntry("hocket_epoch{run=\"run\"}", run.at("/at/epoch").asDouble())
                .containsEntry(
                        "hocket_progress_ratio{run=\"run\"}", run.path("done").asDouble())
                .containsEntry("hocket_rounds_per_second{run=\"run\"}", Double.NaN)
                .containsEntry("hocket_remaining_seconds{run=\"run\"}", Double.NaN)
                .containsEntry("hocket_status{run=\"run\",status=\"paused\"}", 1.0)
                .containsEntry("hocket_status{run=\"run\",status=\"training\"}", 0.0)
                .containsEntry("hocket_websocket_clients", 0.0)
                .containsKeys(
                        "hocket_loss{run=\"run\",turn=\"g\"}",
                        "hocket_gradient_norm{run=\"run\",turn=\"d\"}",
                        "jvm_threads_live_threads",
                        "process_uptime_seconds",
                        "process_cpu_usage");
        assertThat(told.keySet()).anyMatch(name -> name.startsWith("jvm_memory_used_bytes{area=\"heap\""));
        run.path("settings")
                .properties()
                .forEach(setting -> assertThat(told)
                        .containsEntry(
                                "hocket_setting{run=\"run\",setting=\"" + setting.getKey() + "\"}",
                                setting.getValue().asDouble()));
        api("/api/runs/run/series")
                .path("series")
                .forEach(series -> assertThat(told)
                        .containsEntry(
                                "hocket_metric{metric=\"" + series.path("name").asText() + "\",run=\"run\"}",
                                series.path("last").asDouble()));
        assertThat(told.get("hocket_turns_total{run=\"run\",turn=\"d\"}"))
                .isIn(run.at("/at/round").asDouble(), run.at("/at/round").asDouble() + 1);
        double saved = told.getOrDefault("hocket_checkpoint_step{run=\"run\"}", -1.0);
        assertThat(saved % 80).isZero();
        assertThat(saved).isBetween(80.0, run.at("/at/step").asDouble());
        toy().attended()
                .steering()
                .orElseThrow()
                .ask(new Command.Resume(), "a test")
                .get();
    }

    @Test
    void onlyWhoKnowsTheTokenIsToldAndEveryAnswerIsCounted() throws Exception {
        assertThat(ask("/metrics", "").statusCode()).isEqualTo(401);
        assertThat(ask("/metrics", "Bearer no").statusCode()).isEqualTo(401);
        assertThat(ask("/metrics?name=a", "Bearer " + toy().server().token()).statusCode())
                .isEqualTo(400);
        assertThat(ask("/nothing", "").statusCode()).isEqualTo(404);
        scraped();
        assertThat(scraped())
                .containsEntry("hocket_http_requests_total{status=\"200\"}", 1.0)
                .containsEntry("hocket_http_requests_total{status=\"400\"}", 1.0)
                .containsEntry("hocket_http_requests_total{status=\"401\"}", 2.0)
                .containsEntry("hocket_http_requests_total{status=\"404\"}", 1.0);
    }

    @Test
    void workersAreToldByTheirRanksAndWhatIsNotKnownOfOneIsLeftOut() throws Exception {
        assertThat(scraped().keySet()).noneMatch(name -> name.startsWith("hocket_worker"));
        toy().attended()
                .among(() -> List.of(
                        new Worker(0, 7000L, 120.5, 0L, 0.125, 1L, false, null),
                        new Worker(1, 6990L, null, 10L, null, 6L, false, "silent for 6 s"),
                        new Worker(2, null, null, null, null, null, false, null)));
        Map<String, Double> told = scraped();
        assertThat(told)
                .containsEntry("hocket_worker_turns_total{rank=\"0\",run=\"run\"}", 7000.0)
                .containsEntry("hocket_worker_turns_total{rank=\"1\",run=\"run\"}", 6990.0)
                .containsEntry("hocket_worker_turns_per_second{rank=\"0\",run=\"run\"}", 120.5)
                .containsEntry("hocket_worker_lag_turns{rank=\"1\",run=\"run\"}", 10.0)
                .containsEntry("hocket_worker_waits_ratio{rank=\"0\",run=\"run\"}", 0.125)
                .containsEntry("hocket_worker_heard_seconds{rank=\"1\",run=\"run\"}", 6.0)
                .containsEntry("hocket_worker_trouble{rank=\"0\",run=\"run\"}", 0.0)
                .containsEntry("hocket_worker_trouble{rank=\"1\",run=\"run\"}", 1.0);
        assertThat(told.keySet())
                .filteredOn(name -> name.contains("rank=\"2\""))
                .containsExactly("hocket_worker_trouble{rank=\"2\",run=\"run\"}");
    }

    @Test
    void whatIsNoNumberIsToldAsThatAndQueuesSayHowFullTheyAre() {
        DurableQueue queue = Mockito.mock(DurableQueue.class);
        Mockito.when(queue.waiting()).thenReturn(3L);
        Mockito.when(queue.capacity()).thenReturn(64L);
        Mockito.when(queue.end()).thenReturn(12L);
        LiveView run = Mockito.spy(toy().attended());
        Mockito.doReturn(Map.of("stream", queue)).when(run).feeds();
        Mockito.doReturn("a \"run\"\\\n").when(run).id();
        LiveCurves liveCurves = new LiveCurves();
        liveCurves.add("d/loss", 1, Double.NaN, 0);
        liveCurves.add("d/far", 1, Double.NEGATIVE_INFINITY, 0);
        Mockito.doReturn(liveCurves).when(run).curves();
        try (Meters meters = new Meters()) {
            String label = "run=\"a \\\"run\\\"\\\\\\n\"";
            assertThat(parsed(meters.scrape(run, 2, new ConcurrentHashMap<>(Map.of(200, new LongAdder())))))
                    .containsEntry("hocket_feed_rows_waiting{feed=\"stream\"," + label + "}", 3.0)
                    .containsEntry("hocket_feed_rows_capacity{feed=\"stream\"," + label + "}", 64.0)
                    .containsEntry("hocket_feed_rows_total{feed=\"stream\"," + label + "}", 12.0)
                    .containsEntry("hocket_metric{metric=\"d/loss\"," + label + "}", Double.NaN)
                    .containsEntry("hocket_metric{metric=\"d/far\"," + label + "}", Double.NEGATIVE_INFINITY)
                    .containsEntry("hocket_websocket_clients", 2.0);
            assertThat(parsed(meters.scrape(null, 0, Map.of()))).containsEntry("hocket_websocket_clients", 0.0);
        }
    }
}
