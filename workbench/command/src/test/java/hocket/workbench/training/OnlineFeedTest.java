package hocket.workbench.training;

import static org.assertj.core.api.Assertions.assertThat;

import hocket.schedulers.Ring;
import hocket.schedulers.Run;
import hocket.schedulers.Trigger;
import hocket.workbench.command.Ran;
import hocket.workbench.files.experiment.ExperimentFile;
import hocket.workbench.online.DurableQueue;
import hocket.workbench.online.OnlineQueues;
import hocket.workbench.online.RowBatch;
import hocket.workbench.runs.CommandContext;
import hocket.workbench.runs.RunFolder;
import hocket.workbench.training.rings.FirstRowsRing;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A run from a file whose rows come from outside. */
@Tag("engine")
class OnlineFeedTest {
    private static final String FILE = """
            name: online
            network: {class: hocket.workbench.testing.Toys.PointGan}
            feeds: {stream: {class: Online, columns: {point: {shape: [2]}}, batch: 8, capacity: 200, forced: false}}
            turns:
              d: {program: discriminator, updates: {"discriminator/**": {adam: {rate: 1e-2}}}}
              g: {program: generator, updates: {"generator/**": {adam: {rate: 1e-2}}}}
            plan: {sequence: [d, g]}
            on: [{every: {rounds: 3}, do: [save]}]
            checkpoints: {last: 2}
            budget: {rounds: 20}
            """;

    @TempDir
    Path here = Path.of("");

    private final StringWriter said = new StringWriter();

    @BeforeEach
    void write() throws IOException {
        Files.writeString(here.resolve("online.yaml"), FILE);
    }

    /** Runs it, stopped when a ring asks. */
    private int run(RunFolder folder, boolean resumed, Consumer<OnlineQueues> feeding, Consumer<StopRequest> more) {
        CommandContext commandContext = new CommandContext(Ran.terminal(said, said, false), here);
        ExperimentFile file = resumed
                ? folder.file(List.of(), commandContext.surroundings(List.of()))
                : ExperimentFile.read(
                        here.resolve("online.yaml").toString(), List.of(), commandContext.surroundings(List.of()));
        try (StopRequest stopRequest = new StopRequest()) {
            more.accept(stopRequest);
            return new Training(
                            new RunRequest(
                                    commandContext,
                                    file,
                                    ExperimentFile.TRAIN,
                                    folder,
                                    List.of(),
                                    RunRequest.Flags.NONE,
                                    RunRequest.Beginning.of(resumed)),
                            stopRequest)
                    .around(new FirstRowsRing(feeding))
                    .ring(Ring.on(Trigger.everyRounds(1), this::looked))
                    .run();
        }
    }

    private @Nullable Consumer<Run> look;

    private void looked(Run run) {
        if (look != null) {
            look.accept(run);
        }
    }

    private static RowBatch points(DurableQueue queue, long from, int count) {
        RowBatch.Builder rows = new RowBatch.Builder(queue.format());
        for (long i = from; i < from + count; i++) {
            rows.add(0, i / 200.0);
            rows.add(0, 1 - i / 200.0);
        }
        return rows.end(count);
    }

    /** All that are not there yet of 160 rows. */
    private static void feed(OnlineQueues queues) {
        DurableQueue queue = queues.of("stream");
        for (long next = queue.next("a"); next < 160; next = queue.next("a")) {
            queue.append("a", next, points(queue, next, 16));
        }
    }

    private String digest(RunFolder folder) {
        Ran ran = Ran.hocket(here, "digest", folder.toString(), "--all");
        assertThat(ran.status()).as(ran.err()).isZero();
        return ran.out();
    }

    @Test
    void itTrainsOnWhatComesAndGoesOnToTheSameBits() throws IOException {
        RunFolder whole = new RunFolder(here.resolve("whole"));
        assertThat(run(whole, false, OnlineFeedTest::feed, stopRequest -> {}))
                .as(said.toString())
                .isZero();
        assertThat(said.toString()).contains("200 may wait, acknowledged once the system has them");
        assertThat(whole.path().resolve("queue/stream")).isDirectory();

        RunFolder stopped = new RunFolder(here.resolve("stopped"));
        assertThat(run(
                        stopped,
                        false,
                        OnlineFeedTest::feed,
                        stopRequest -> look = run -> {
                            if (run.position().round() == 7) {
                                stopRequest.request(2);
                            }
                        }))
                .isEqualTo(130);
        look = null;
        assertThat(run(stopped, true, OnlineFeedTest::feed, stopRequest -> {})).isZero();
        assertThat(digest(stopped)).isEqualTo(digest(whole));
    }

    @Test
    void whoStopsARunThatWaitsForRowsFindsItSavedAndGoesOn() {
        RunFolder folder = new RunFolder(here.resolve("waiting"));
        AtomicReference<@Nullable StopRequest> asked = new AtomicReference<>();
        int status = run(
                folder,
                false,
                queues -> {
                    DurableQueue queue = queues.of("stream");
                    queue.append("a", 0, points(queue, 0, 16 + 16 + 5)); // four turns and a bit
                    new Thread(() -> {
                                while (!queues.sources().get(0).waits()) {
                                    Thread.onSpinWait();
                                }
                                Objects.requireNonNull(asked.get()).request(15);
                            })
                            .start();
                },
                asked::set);
        assertThat(status).as(said.toString()).isEqualTo(143);
        assertThat(said.toString())
                .contains("stopped in round 4 after")
                .contains("; saved")
                .doesNotContain("failed");
        assertThat(run(folder, true, OnlineFeedTest::feed, stopRequest -> {}))
                .as(said.toString())
                .isZero();
        RunFolder whole = new RunFolder(here.resolve("whole"));
        run(whole, false, OnlineFeedTest::feed, stopRequest -> {});
        assertThat(digest(folder)).isEqualTo(digest(whole));
    }

    @Test
    void whoOnlyLooksMakesNoFileAndNeedsNoRows() throws IOException {
        for (String command : List.of("plan", "explain")) {
            Ran ran = Ran.hocket(here, command, "online.yaml");
            assertThat(ran.status()).as(ran.err()).isZero();
        }
        assertThat(Ran.hocket(here, "plan", "online.yaml").out())
                .contains("rows come from outside while it trains; 200 may wait");
        try (Stream<Path> left = Files.list(here)) {
            assertThat(left).containsExactly(here.resolve("online.yaml"));
        }
        RunFolder folder = new RunFolder(here.resolve("run"));
        run(folder, false, OnlineFeedTest::feed, stopRequest -> {});
        Ran verified = Ran.hocket(here, "verify", "run");
        assertThat(verified.status()).as(verified.out() + verified.err()).isZero();
        assertThat(verified.out()).contains("queue/stream    whole, 160 rows from row 0 on");
    }

    @Test
    void whatDoesNotFitIsRefusedAtItsPlace() throws IOException {
        refused("capacity: 200", "capacity: 15", "feeds/stream/capacity: must be at least 2 batches of 8 rows");
        refused("shape: [2]", "shape: [2000000]", "a row may have 4194304 bytes, these have 8000000");
        refused("{point: {shape: [2]}}", "{}", "columns: there must be at least one");
        refused("budget: {rounds: 20}", "budget: {epochs: {stream: 2}}", "budget: source stream has no epochs");
        refused("every: {rounds: 3}", "every: {epoch: stream}", "every: source stream has no epochs");
        refused("stream: {", "a b: {", "1 to 100 letters, digits and . _ -, the first not a dot, was \"a b\"");
        refused(
                "budget:",
                "validation: {feed: {class: Online, columns: {point: {shape: [2]}}}, program: distance, metric: square}\n"
                        + "budget:",
                "source validation has no epochs");
    }

    private void refused(String from, String to, String sentence) throws IOException {
        assertThat(FILE).contains(from);
        Files.writeString(here.resolve("wrong.yaml"), FILE.replace(from, to));
        Ran ran = Ran.hocket(here, "plan", "wrong.yaml");
        assertThat(ran.status()).as(ran.err()).isEqualTo(2);
        assertThat(ran.err()).contains("wrong.yaml:").contains(sentence);
    }

    @Test
    void aQueueThatWasDamagedIsRefusedBeforeAnythingIsWritten() throws IOException {
        RunFolder folder = new RunFolder(here.resolve("run"));
        run(
                folder,
                false,
                OnlineFeedTest::feed,
                stopRequest -> look = run -> {
                    if (run.position().round() == 7) {
                        stopRequest.request(2);
                    }
                });
        look = null;
        Path segment = folder.path().resolve("queue/stream/000000000000.queue");
        byte[] bytes = Files.readAllBytes(segment);
        bytes[bytes.length / 2] ^= 1;
        Files.write(segment, bytes);
        String log = Files.readString(folder.log());
        Ran ran = Ran.hocket(here, "run", "run", "--resume");
        assertThat(ran.status()).isEqualTo(2);
        assertThat(ran.err()).contains(segment + " was changed from byte").doesNotContain("\tat ");
        assertThat(Files.readString(folder.log())).isEqualTo(log);
        Ran verified = Ran.hocket(here, "verify", "run");
        assertThat(verified.status()).isEqualTo(1);
        assertThat(verified.out()).contains("queue/stream    DAMAGED: ").contains(".queue was changed from byte");
    }
}
