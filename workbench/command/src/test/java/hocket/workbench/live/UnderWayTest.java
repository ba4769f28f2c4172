package hocket.workbench.live;

import static org.assertj.core.api.Assertions.assertThat;

import hocket.schedulers.commands.Command;
import hocket.schedulers.commands.Steering;
import hocket.workbench.live.http.CoalescedQuery;
import hocket.workbench.live.http.Connections;
import hocket.workbench.live.views.FolderRun;
import hocket.workbench.live.views.LiveCurves;
import hocket.workbench.live.views.RunFacts;
import hocket.workbench.live.views.ServedRun;
import hocket.workbench.runs.RunFolder;
import hocket.workbench.runs.SelectedExperiment;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What was asked and is not answered yet: it is answered before a server closes, once for all, and for nobody who has gone. */
@Tag("engine")
@Timeout(120)
class UnderWayTest {
    @TempDir
    Path here = Path.of("");

    private final CountDownLatch held = new CountDownLatch(1);
    private final CountDownLatch asked = new CountDownLatch(1);
    private final CompletableFuture<ServedRun.Moment> moment = new CompletableFuture<>();

    @BeforeEach
    void makeRun() throws IOException {
        Files.createDirectories(here.resolve("points"));
        Files.writeString(here.resolve("points/experiment.yaml"), ServedToy.FILE);
    }

    /** A run of a folder that says nothing of itself until it is let, and whose parameters take their time. */
    private final class Slow implements ServedRun {
        private final FolderRun run =
                new FolderRun(Neighbourhood.workplace(here), new RunFolder(here.resolve("points")));

        @Override
        public RunFolder folder() {
            return run.folder();
        }

        @Override
        public RunFacts facts() {
            asked.countDown();
            try {
                held.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            return run.facts();
        }

        @Override
        public LiveCurves curves() {
            return run.curves();
        }

        @Override
        public SelectedExperiment experiment() {
            return run.experiment();
        }

        @Override
        public CompletableFuture<Moment> parameters() {
            asked.countDown();
            return moment;
        }

        @Override
        public Optional<Steering> steering() {
            return Optional.empty();
        }
    }

    private LiveServer serving() {
        Slow run = new Slow();
        return LiveServer.open(new LiveServer.Listening("127.0.0.1", 0, List.of()))
                .show(() -> List.of(run));
    }

    private static Wire ask(LiveServer server, String target) throws IOException {
        int port = URI.create(server.address()).getPort();
        return new Wire(port)
                .send("GET " + target + " HTTP/1.1\r\nHost: 127.0.0.1:" + port + "\r\nAuthorization: Bearer "
                        + server.token() + "\r\n\r\n");
    }

    /** Asks until the server closes. */
    private static void awaitClosing(LiveServer server) {
        try {
            int status;
            do {
                try (Wire wire = ask(server, "/api/experiments")) {
                    status = wire.answer().status();
                }
            } while (status != 503);
        } catch (IOException e) {
            // it listens no more
        }
    }

    @Test
    void whoHasAskedIsAnsweredBeforeTheServerCloses() throws Exception {
        try (LiveServer server = serving();
                Wire wire = ask(server, "/api/runs/points")) {
            asked.await();
            Thread closing = new Thread(server::close);
            closing.start();
            awaitClosing(server);
            held.countDown();
            assertThat(wire.answer().status()).isEqualTo(200);
            closing.join();
        }
    }

    @Test
    void whoGoesAwayAsksForParametersNoMore() throws Exception {
        try (LiveServer server = serving()) {
            Wire wire = ask(server, "/api/runs/points/parameters");
            asked.await();
            wire.close();
            while (!moment.isCancelled()) {
                Thread.sleep(5); // until the server has seen that they are gone
            }
        }
    }

    @Test
    void allWhoAskForParametersDuringATurnAreAnsweredByOneCopy() throws Exception {
        ServedToy toy = new ServedToy(here, Connections.Limits.USUAL);
        Steering steering = toy.attended().steering().orElseThrow();
        CompletableFuture<Boolean> turn = steering.look(run -> {
            asked.countDown();
            return await(held);
        });
        asked.await();
        List<CompletableFuture<ServedRun.Moment>> waiting = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            waiting.add(toy.attended().parameters());
        }
        waiting.remove(0).cancel(false);
        held.countDown();
        assertThat(turn.get(20, TimeUnit.SECONDS)).isTrue();
        ServedRun.Moment first = waiting.get(0).get(20, TimeUnit.SECONDS);
        for (CompletableFuture<ServedRun.Moment> each : waiting) {
            assertThat(each.get(20, TimeUnit.SECONDS)).isSameAs(first);
        }
        steering.ask(new Command.Pause(), "a test").get(20, TimeUnit.SECONDS);
        assertThat(toy.attended().parameters().get(20, TimeUnit.SECONDS).at().step())
                .as("another copy, of where it is now")
                .isGreaterThanOrEqualTo(first.at().step());
        steering.ask(new Command.Resume(), "a test").get(20, TimeUnit.SECONDS);
        toy.end();
    }

    @Test
    void aQuestionIsWithdrawnOnceNobodyWaitsForItsAnswer() {
        List<CompletableFuture<Integer>> questions = new ArrayList<>();
        CoalescedQuery<Integer> coalescedQuery = new CoalescedQuery<>(() -> {
            questions.add(new CompletableFuture<>());
            return questions.get(questions.size() - 1);
        });
        CompletableFuture<Integer> one = coalescedQuery.ask();
        CompletableFuture<Integer> other = coalescedQuery.ask();
        one.cancel(false);
        assertThat(questions.get(0)).isNotDone();
        other.completeExceptionally(new IllegalStateException("late"));
        assertThat(questions.get(0)).isCancelled();
        CompletableFuture<Integer> again = coalescedQuery.ask();
        questions.get(1).complete(7);
        assertThat(again).isCompletedWithValue(7);
        assertThat(questions).hasSize(2);
    }

    private static boolean await(CountDownLatch latch) {
        try {
            return latch.await(20, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
