package hocket.workbench.command;

import static org.assertj.core.api.Assertions.assertThat;

import hocket.schedulers.Source.Sink;
import hocket.schedulers.settings.SourceDefinition;
import hocket.scopes.ElementType;
import hocket.scopes.Shape;
import hocket.scopes.Streams;
import hocket.workbench.files.UserError;
import hocket.workbench.live.views.LiveAddress;
import hocket.workbench.online.Online;
import hocket.workbench.online.OnlineQueues;
import hocket.workbench.online.OnlineSource;
import hocket.workbench.online.RowsObserver;
import hocket.workbench.runs.RunFolder;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code hocket run --serve} is fed by clients over HTTP and by WebSocket and killed again and again: what was acknowledged is
 * in the queue, once, each client's rows in their order, and what was trained has the bits of a run that nobody killed, given
 * the same rows in the same order. {@code mvn test -Pslow -Dtest=FedKillTest -Dhocket.kills=20} sends 100,000 rows.
 */
@Tag("engine")
@Tag("processes")
@Tag("slow")
@Timeout(value = 20, unit = TimeUnit.MINUTES)
class FedKillTest {
    private static final int CLIENTS = 8;
    private static final int KILLS = Integer.getInteger("hocket.kills", 20);
    private static final int MANY_OF_EACH = 12_500;
    private static final int BATCH = 32;
    /** Rows that may wait: little beside all of them, so that clients are told to come again. */
    private static final int CAPACITY = 1000;

    private static final int MOST_ROWS = 100;
    /** Messages that are sent before the first of them is answered. */
    private static final int AHEAD = 4;

    private static final Pattern NEXT = Pattern.compile("\"next\":(\\d+)");

    /** A row names its client and its number, each below 1. */
    private static final float SCALE = 1f / (1 << 14);

    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(5))
            .build();
    private final AtomicLong acknowledged = new AtomicLong();

    @TempDir
    private Path here;

    @Test
    void killedAgainAndAgainItHasEachOfAHundredThousandRowsOnce() throws Exception {
        killed(KILLS, MANY_OF_EACH, true);
    }

    @Test
    void thatIsSoWithoutForcedWritesToo() throws Exception {
        killed(KILLS, MANY_OF_EACH, false);
    }

    private void killed(int kills, int each, boolean forced) throws Exception {
        long rounds = (long) CLIENTS * each / BATCH;
        String file = """
                name: fed
                threads: 1
                network: {class: hocket.workbench.testing.Toys.PointGan}
                feeds: {stream: {class: Online, columns: {point: {shape: [2]}}, batch: %d, capacity: %d, forced: %b}}
                turns:
                  d: {program: discriminator, updates: {"discriminator/**": {sgd: {rate: 1e-2}}}}
                  g: {program: generator, updates: {"generator/**": {sgd: {rate: 1e-2}}}}
                plan: {sequence: [d, g]}
                budget: {rounds: %d}
                checkpoints: {last: 100000}
                on: [{every: {rounds: %d}, do: [save]}]
                """.formatted(BATCH, CAPACITY, forced, rounds, Math.max(1, rounds / 90));
        Files.writeString(here.resolve("fed.yaml"), file);
        long began = System.nanoTime();
        ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
        try {
            List<Future<?>> sending = new ArrayList<>();
            for (int client = 0; client < CLIENTS; client++) {
                Client one = new Client(client, each);
                sending.add(clients.submit(one::send));
            }
            trainedAndKilled(kills, (long) CLIENTS * each, sending);
            for (Future<?> one : sending) {
                one.get(1, TimeUnit.MINUTES);
            }
        } finally {
            clients.shutdownNow();
        }
        double seconds = (System.nanoTime() - began) * 1e-9;
        float[] rows = rows(CLIENTS * each);
        assertEachIsThereOnceInOrder(rows, each);
        assertThat(digest("fed")).isEqualTo(digestOfTheUnkilled(rows));
        System.out.printf(
                Locale.ROOT,
                "%d rows of %d clients over HTTP and by WebSocket%s, killed %d times: each is there once;"
                        + " %.0f a second, starts included%n",
                CLIENTS * each,
                CLIENTS,
                forced ? ", forced" : "",
                kills,
                CLIENTS * each / seconds);
    }

    /** Kills it whenever another part of the rows has been acknowledged, and goes on. */
    private void trainedAndKilled(int kills, long all, List<Future<?>> sending) throws Exception {
        Random random = new Random(7);
        for (int killed = 0; killed <= kills; killed++) {
            Path said = here.resolve("said-" + killed + ".txt");
            Process process = killed == 0
                    ? Forked.hocket(here, said, List.of(), "run", "fed.yaml", "--out", "fed", "--serve", "0", "--quiet")
                    : Forked.hocket(here, said, List.of(), "run", "fed", "--resume", "--serve", "0", "--quiet");
            if (killed == kills) {
                while (!process.waitFor(50, TimeUnit.MILLISECONDS)) {
                    requireNoneFailed(sending);
                }
                assertThat(process.exitValue()).as(Files.readString(said)).isZero();
                return;
            }
            while (acknowledged.get() < all * (killed + 1) / (kills + 2)) {
                requireNoneFailed(sending);
                assertThat(process.waitFor(2, TimeUnit.MILLISECONDS))
                        .as(Files.readString(said))
                        .isFalse();
            }
            assertThat(process.waitFor(random.nextInt(60), TimeUnit.MILLISECONDS))
                    .as(Files.readString(said))
                    .isFalse();
            process.destroyForcibly().waitFor();
        }
    }

    private static void requireNoneFailed(List<Future<?>> sending) throws Exception {
        for (Future<?> one : sending) {
            if (one.isDone()) {
                one.get();
            }
        }
    }

    /**
     * Sends rows, so many by chance at a time, until all are acknowledged, again where no answer came: every other client in
     * requests, the others by WebSocket, some messages before they are answered.
     */
    private final class Client {
        private final int number;
        private final int rows;
        private final Random random;
        private int next;

        Client(int number, int rows) {
            this.number = number;
            this.rows = rows;
            this.random = new Random(number);
        }

        Void send() throws Exception {
            while (next < rows) {
                try {
                    LiveAddress to = LiveAddress.of(new RunFolder(here.resolve("fed")));
                    String path = "/api/runs/" + to.run() + "/feeds/stream/rows?client=" + number;
                    if (number % 2 == 0) {
                        request(to, path);
                    } else {
                        talk(to, path);
                    }
                } catch (IOException | UserError e) {
                    TimeUnit.MILLISECONDS.sleep(20); // it was killed, and is not there again yet
                }
            }
            return null;
        }

        private int some(int first) {
            return Math.min(rows - first, 1 + random.nextInt(MOST_ROWS));
        }

        /** @param least that must be there: more where others were stored before, and the answer was lost */
        private void acknowledge(String answer, int least) {
            Matcher said = NEXT.matcher(answer);
            assertThat(said.find()).as(answer).isTrue();
            int acknowledgedTo = Integer.parseInt(said.group(1));
            assertThat(acknowledgedTo).as(answer).isGreaterThanOrEqualTo(least);
            acknowledged.addAndGet(acknowledgedTo - next);
            next = acknowledgedTo;
        }

        private void request(LiveAddress to, String path) throws Exception {
            int count = some(next);
            HttpResponse<String> answer = http.send(
                    HttpRequest.newBuilder(URI.create(to.address() + path + "&sequence=" + next))
                            .timeout(Duration.ofSeconds(20))
                            .header("Authorization", "Bearer " + to.token())
                            .header("Content-Type", "application/x-ndjson")
                            .POST(BodyPublishers.ofString(lines(next, count)))
                            .build(),
                    BodyHandlers.ofString());
            if (answer.statusCode() == 200) {
                acknowledge(answer.body(), next + count);
            } else {
                // 409 would say that rows are missing which were acknowledged
                assertThat(answer.statusCode()).as(answer.body()).isIn(404, 429, 503);
                TimeUnit.MILLISECONDS.sleep(5);
            }
        }

        private void talk(LiveAddress to, String path) throws Exception {
            try (RowClient socket = new RowClient(http, to.address(), to.token(), path)) {
                String answer = socket.answer();
                while (!answer.startsWith("closed")) {
                    acknowledge(answer, next);
                    if (next == rows) {
                        return;
                    }
                    answer = ahead(socket);
                }
                TimeUnit.MILLISECONDS.sleep(20);
            }
        }

        /** Sends some messages; gives the last answer of those that acknowledge, or of all the one that is none any more. */
        private String ahead(RowClient socket) throws Exception {
            List<Integer> ends = new ArrayList<>();
            for (int end = next; end < rows && ends.size() < AHEAD; ) {
                int count = some(end);
                socket.send(end, lines(end, count));
                end += count;
                ends.add(end);
            }
            String last = "{\"next\":" + next + "}";
            boolean isRefused = false;
            for (int end : ends) {
                String answer = socket.answer();
                if (answer.startsWith("closed")) {
                    return answer;
                }
                if (answer.startsWith("{\"status\":")) {
                    // 409 first would say that rows are missing which were acknowledged
                    assertThat(answer).matches(isRefused ? ".*:(409|429|503),.*" : ".*:(429|503),.*");
                    isRefused = true;
                } else {
                    assertThat(isRefused)
                            .as("nothing behind what was refused is stored: " + answer)
                            .isFalse();
                    acknowledge(answer, end);
                    last = answer;
                }
            }
            if (isRefused) {
                TimeUnit.MILLISECONDS.sleep(5);
            }
            return last;
        }

        private String lines(int first, int count) {
            StringBuilder lines = new StringBuilder();
            for (int row = first; row < first + count; row++) {
                lines.append("{\"point\": [")
                        .append(number * SCALE)
                        .append(", ")
                        .append(row * SCALE)
                        .append("]}\n");
            }
            return lines.toString();
        }
    }

    /** What is in the queue, in its order. */
    private float[] rows(int count) {
        SourceDefinition definition =
                new Online(Map.of("point", new Online.Value(Shape.of(2), ElementType.FLOAT32)), CAPACITY, true);
        OnlineSource source = (OnlineSource) definition.open("stream", 1, false);
        float[] rows = new float[2 * count];
        ByteBuffer row = ByteBuffer.allocate(8).order(ByteOrder.nativeOrder());
        Sink sink = (column, wanted) -> row.clear();
        try (OnlineQueues queues = OnlineQueues.open(List.of(source), here.resolve("fed"), RowsObserver.NOBODY)) {
            assertThat(queues.of("stream").end()).as("rows in the queue").isEqualTo(count);
            for (int i = 0; i < count; i++) {
                source.next(Streams.seed(0), sink);
                rows[2 * i] = row.getFloat(0);
                rows[2 * i + 1] = row.getFloat(4);
            }
        }
        return rows;
    }

    private static void assertEachIsThereOnceInOrder(float[] rows, int each) {
        int[] next = new int[CLIENTS];
        for (int i = 0; i < rows.length; i += 2) {
            int client = Math.round(rows[i] / SCALE);
            assertThat(Math.round(rows[i + 1] / SCALE))
                    .as("row of client %d", client)
                    .isEqualTo(next[client]);
            next[client]++;
        }
        assertThat(next).containsOnly(each);
    }

    private String digest(String run) {
        Ran ran = Ran.hocket(here, "digest", run, "--all");
        assertThat(ran.status()).as(ran.err()).isZero();
        return ran.out();
    }

    /** A run that is given the same rows by one client, and left alone. */
    private String digestOfTheUnkilled(float[] rows) throws Exception {
        try (Served run = Served.start(here, "run", "fed.yaml", "--out", "alone", "--serve", "0", "--quiet")) {
            LiveAddress to = LiveAddress.of(new RunFolder(here.resolve("alone")));
            for (int first = 0; first < rows.length; ) {
                int end = Math.min(rows.length, first + CAPACITY / 2);
                StringBuilder lines = new StringBuilder();
                for (int i = first; i < end; i += 2) {
                    lines.append("{\"point\": [")
                            .append(rows[i])
                            .append(", ")
                            .append(rows[i + 1])
                            .append("]}\n");
                }
                HttpResponse<String> answer = http.send(
                        HttpRequest.newBuilder(URI.create(to.address() + "/api/runs/alone/feeds/stream/rows"))
                                .header("Authorization", "Bearer " + to.token())
                                .header("Content-Type", "application/x-ndjson")
                                .POST(BodyPublishers.ofString(lines.toString()))
                                .build(),
                        BodyHandlers.ofString());
                if (answer.statusCode() == 200) {
                    first = end;
                } else {
                    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(429);
                    TimeUnit.MILLISECONDS.sleep(5);
                }
            }
            assertThat(run.status()).isZero();
        }
        return digest("alone");
    }
}
