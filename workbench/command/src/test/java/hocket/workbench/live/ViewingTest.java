package hocket.workbench.live;

import static org.assertj.core.api.Assertions.assertThat;

import hocket.schedulers.Event;
import hocket.schedulers.Rows;
import hocket.schedulers.Source;
import hocket.schedulers.commands.Command;
import hocket.schedulers.commands.Steering;
import hocket.schedulers.evaluation.Evaluation;
import hocket.schedulers.settings.EvaluationDefinition;
import hocket.schedulers.settings.Networks;
import hocket.schedulers.settings.SourceDefinition;
import hocket.scopes.ElementType;
import hocket.scopes.Shape;
import hocket.scopes.Streams;
import hocket.scopes.Tensor;
import hocket.workbench.command.Ran;
import hocket.workbench.live.handlers.FolderHandler;
import hocket.workbench.live.http.Connections;
import hocket.workbench.live.views.FolderRun;
import hocket.workbench.live.views.FolderRuns;
import hocket.workbench.live.views.RunFacts;
import hocket.workbench.online.DurableQueue;
import hocket.workbench.online.RowBatch;
import hocket.workbench.runs.CheckpointedRun;
import hocket.workbench.runs.Fork;
import hocket.workbench.runs.RunFolder;
import hocket.workbench.runs.SelectedExperiment;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Data is read when a run begins, or its rows are wanted; to look at a run reads none. */
@Tag("engine")
@Timeout(120)
class ViewingTest {
    private static final AtomicInteger OPENED = new AtomicInteger();

    private static final String FILE = ServedToy.FILE
                    .replace("hocket.workbench.testing.Toys.Points", ViewingTest.class.getName() + ".Counted")
                    .replace("rounds: 1000000", "epochs: {points: 3}")
                    .replace("do: [save]", "do: [save, validate, score, best]")
            + "evaluation: {class: " + ViewingTest.class.getName() + ".Distance}\n"
            + "validation: {feed: {class: " + ViewingTest.class.getName() + ".Counted, batch: 8}, program: distance}\n";

    @TempDir
    Path here = Path.of("");

    /** Points of which it is known how often they were read. */
    public record Counted() implements SourceDefinition {
        @Override
        public Source open(String name, int batch, boolean shuffled) {
            OPENED.incrementAndGet();
            Rows points = Rows.of("point", Tensor.of(Shape.of(16, 2), new float[32]));
            return shuffled ? points.batches(name, batch) : points.batchesInOrder(name, batch);
        }

        @Override
        public Optional<List<Source.Column>> declaredColumns() {
            return Optional.of(List.of(new Source.Column("point", Shape.of(2), ElementType.FLOAT32)));
        }
    }

    /** A judgement that needs the points to say which score counts. */
    public record Distance() implements EvaluationDefinition {
        @Override
        public Evaluation build(Networks networks, Map<String, Source> sources) {
            int rows = Objects.requireNonNull(sources.get("points"))
                    .draw(column -> true, Streams.seed(1))
                    .rows();
            return new Evaluation() {
                @Override
                public SortedMap<String, Double> scores(hocket.scopes.Parameters parameters) {
                    return new TreeMap<>(Map.of("distance", (double) rows));
                }

                @Override
                public Optional<Merit> merit() {
                    return Optional.of(new Merit("distance", false));
                }
            };
        }
    }

    private static final List<String> QUESTIONS =
            List.of("", "/plan", "/explain", "/experiment", "/series", "/parameters", "/checkpoints", "/feeds");

    private static void ask(LiveServer server, String run) throws IOException {
        for (String question : QUESTIONS) {
            String target = "/api/runs/" + run + question;
            int port = URI.create(server.address()).getPort();
            try (Wire wire = new Wire(port)) {
                Wire.Answer answer = wire.send("GET " + target + " HTTP/1.1\r\nHost: 127.0.0.1:" + port
                                + "\r\nAuthorization: Bearer " + server.token() + "\r\n\r\n")
                        .answer();
                assertThat(answer.status()).as(target + ": " + answer).isEqualTo(200);
                if (question.equals("/plan")) {
                    assertThat(answer.body()).contains("\"name\":\"best\"", "\"draws_an_epoch\":2");
                }
            }
        }
    }

    @Test
    void aRunThatEndedIsListedAndShownWithoutItsDataWhichIsReadOnceItsScoresAreWanted() throws IOException {
        Files.writeString(here.resolve("points.yaml"), FILE);
        Ran ran = Ran.hocket(here, "run", "points.yaml", "--quiet", "--out", "runs/points");
        assertThat(ran.status()).as(ran.err()).isZero();
        int before = OPENED.get();
        FolderRuns runs = new FolderRuns(Neighbourhood.workplace(here), here.resolve("runs"));
        try (LiveServer server = LiveServer.open(new LiveServer.Listening("127.0.0.1", 0, List.of()))) {
            server.show(() -> runs.get());
            assertThat(runs.get().get(0).facts().status()).isEqualTo("ended");
            ask(server, "points");
        }
        assertThat(FolderHandler.samples(runs.get().get(0)).samples())
                .extracting(FolderHandler.Picture::name)
                .as("latest.png is one of them")
                .containsExactly("epoch-0003");
        Ran sampled = Ran.hocket(here, "sample", "runs/points", "--count", "2", "--out", "points.npy");
        assertThat(sampled.status()).as(sampled.err()).isZero();
        assertThat(OPENED).hasValue(before);

        Ran scored = Ran.hocket(here, "eval", "runs/points");
        assertThat(scored.status()).as(scored.err()).isZero();
        assertThat(scored.out()).contains("distance  8");
        CheckpointedRun saved = CheckpointedRun.open(new RunFolder(here.resolve("runs/points")), OptionalLong.empty());
        SelectedExperiment selectedExperiment = saved.selected(Neighbourhood.workplace(here));
        Source unopened = selectedExperiment.setup().feeds().get(0).source().open();
        assertThat(unopened.draw(column -> true, Streams.seed(7)).rows()).isEqualTo(8);
        assertThat(unopened.epoch()).isEqualTo(0.5);
    }

    @Test
    void aRunWithoutItsProvenanceIsListedAndSampledByTheColumnsThatItsDataDeclares() throws IOException {
        Files.writeString(here.resolve("points.yaml"), FILE);
        ends("run", "points.yaml", "--quiet", "--out", "runs/points");
        Files.delete(here.resolve("runs/points/provenance.json"));
        int before = OPENED.get();
        FolderRuns runs = new FolderRuns(Neighbourhood.workplace(here), here.resolve("runs"));
        assertThat(runs.get().get(0).facts().status()).isEqualTo("ended");
        ends("sample", "runs/points", "--count", "2", "--out", "points.npy");
        assertThat(OPENED).hasValue(before);
    }

    /** A run writes its provenance after its experiment, and a person may look in between. */
    @Test
    void aRunIsReadAgainWhenItDescribesItsData() throws IOException {
        Files.writeString(here.resolve("points.yaml"), FILE);
        ends("run", "points.yaml", "--quiet", "--out", "runs/points");
        Path provenance = here.resolve("runs/points/provenance.json");
        Path aside = here.resolve("aside.json");
        Files.move(provenance, aside);
        FolderRun run = new FolderRuns(Neighbourhood.workplace(here), here.resolve("runs"))
                .get()
                .get(0);
        SelectedExperiment seen = run.experiment();
        assertThat(run.experiment()).isSameAs(seen);
        Files.move(aside, provenance);
        assertThat(run.experiment()).isNotSameAs(seen);
    }

    private void ends(String... command) {
        Ran ran = Ran.hocket(here, command);
        assertThat(ran.status()).as(ran.err()).isZero();
    }

    @Test
    void toPlanAndExplainARunReadsDataOnlyWhereAChangeAsksForOther() throws IOException {
        Files.writeString(here.resolve("points.yaml"), FILE);
        ends("run", "points.yaml", "--quiet", "--out", "run");
        int before = OPENED.get();
        ends("explain", "points.yaml");
        for (String named : List.of("run", "run/experiment.yaml")) {
            ends("plan", named);
            ends("plan", named, "--set", "rounds=7", "--json");
            ends("explain", named);
        }
        assertThat(OPENED).hasValue(before);
        ends("plan", "run", "--set", "feeds.points.batch=4");
        assertThat(OPENED.get()).isGreaterThan(before);
    }

    @Test
    void aRunThatTrainsIsShownByTheDataThatItHasOpen() throws Exception {
        ServedToy toy =
                new ServedToy(here, Connections.Limits.USUAL, FILE.replace("epochs: {points: 3}", "rounds: 100000"));
        int before = OPENED.get();
        ask(toy.server(), "run");
        assertThat(OPENED).hasValue(before);
        toy.end();
    }

    private FolderRun inFolder(String run) {
        return new FolderRun(Neighbourhood.workplace(here), new RunFolder(here.resolve(run)));
    }

    private static <T> T get(CompletableFuture<T> future) throws Exception {
        return future.get(20, TimeUnit.SECONDS);
    }

    /** Until it is between two turns of a round, {@code d} taken and {@code g} not. */
    private static void pauseAmidARound(Steering steering) throws Exception {
        get(steering.ask(new Command.Pause(), "a test"));
        long step = get(steering.look(run -> run.position().step()));
        if (step % 2 == 0) {
            get(steering.ask(new Command.Step(Command.Unit.TURN), "a test"));
            while (get(steering.look(run -> run.position().step())) == step) {
                Thread.sleep(1); // the turn is taken after the answer
            }
        }
    }

    @Test
    void aRunThatStoppedIsShownWhereItStoppedAsItWasChangedAndWithItsNewestPicture() throws Exception {
        ServedToy toy = new ServedToy(here, Connections.Limits.USUAL);
        Steering steering = toy.attended().steering().orElseThrow();
        get(steering.ask(new Command.Change("g/rate", 3e-3), "a test"));
        get(steering.ask(new Command.Replan("{sequence: [d, d, g]}"), "a test"));
        toy.continues();
        pauseAmidARound(steering);
        get(steering.ask(new Command.Change("d/beta1", 0.25), "a test"));
        Map<String, String> settings = FolderHandler.experiment(toy.attended()).settings();
        get(steering.ask(new Command.Stop(), "a test"));
        toy.awaitEnd();

        RunFacts live = toy.attended().facts();
        RunFacts shown = inFolder("run").facts();
        assertThat(shown.status()).isEqualTo("stopped").isEqualTo(live.status());
        assertThat(shown.at()).isEqualTo(live.at());
        assertThat(shown.plan()).isEqualTo(live.plan()).isEqualTo("sequence(d, d, g)");
        assertThat(shown.settings())
                .containsEntry("g/rate", 3e-3)
                .containsEntry("d/rate", 1e-3)
                .containsEntry("d/beta1", 0.25);
        assertThat(live.settings()).containsAllEntriesOf(shown.settings());
        List<FolderHandler.Picture> pictures =
                FolderHandler.samples(inFolder("run")).samples();
        assertThat(pictures.get(pictures.size() - 1).name()).isEqualTo("latest");
        assertThat(FolderHandler.experiment(inFolder("run")).settings())
                .as("the settings by which runs are compared")
                .isEqualTo(settings);
    }

    @Test
    void aForkIsShownWhereItWasMade() throws Exception {
        ServedToy toy = new ServedToy(here, Connections.Limits.USUAL);
        Steering steering = toy.attended().steering().orElseThrow();
        pauseAmidARound(steering);
        get(steering.ask(new Command.Fork("fork"), "a test"));
        Event.Position at = get(steering.look(run -> run.position()));
        Fork.of(toy.folder(), at.step(), new RunFolder(here.resolve("fork")));
        assertThat(inFolder("fork").facts().at()).isEqualTo(at);
        get(steering.ask(new Command.Resume(), "a test"));
        toy.end();
    }

    @Test
    void aRunThatWaitsForRowsSaysSoAndWhereItWaits() throws Exception {
        String online = ServedToy.FILE.replace(
                "{class: hocket.workbench.testing.Toys.Points, batch: 8}",
                "{class: hocket.workbench.online.Online, columns: {point: {shape: [2]}}, batch: 8}");
        ServedToy toy = new ServedToy(here, Connections.Limits.USUAL, online, 0);
        while (toy.attended().feeds().isEmpty()) {
            Thread.sleep(5);
        }
        DurableQueue queue = Objects.requireNonNull(toy.attended().feeds().get("points"));
        queue.append("test", 0, RowBatch.of(queue.format(), List.of(Tensor.of(Shape.of(40, 2), new float[80]))));
        while (toy.step() < 10 || !toy.attended().facts().status().equals("waiting")) {
            Thread.sleep(5);
        }
        RunFacts waiting = toy.attended().facts();
        assertThat(waiting.at()).isEqualTo(new Event.Position(10, 5, 0));
        assertThat(waiting.progress().roundsPerSecond()).isNull();
        assertThat(waiting.progress().secondsLeft()).isNull();
        assertThat(waiting.abilities().canBeSteered()).isTrue();

        CompletableFuture<Steering.Outcome> stopped =
                toy.attended().steering().orElseThrow().ask(new Command.Stop(), "a test");
        queue.append("test", 40, RowBatch.of(queue.format(), List.of(Tensor.of(Shape.of(8, 2), new float[16]))));
        get(stopped);
        toy.awaitEnd();
        assertThat(toy.attended().facts().status()).isEqualTo("stopped");
    }
}
