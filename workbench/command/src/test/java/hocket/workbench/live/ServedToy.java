package hocket.workbench.live;

import hocket.schedulers.Ring;
import hocket.schedulers.Trigger;
import hocket.schedulers.commands.Command;
import hocket.schedulers.commands.Steering;
import hocket.workbench.command.Ran;
import hocket.workbench.files.experiment.ExperimentFile;
import hocket.workbench.live.http.Connections;
import hocket.workbench.live.views.LiveView;
import hocket.workbench.runs.CommandContext;
import hocket.workbench.runs.RunFolder;
import hocket.workbench.training.RunRequest;
import hocket.workbench.training.StopRequest;
import hocket.workbench.training.Training;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A GAN on points in the plane that trains in this process, and is served, until it is ended. */
public final class ServedToy {
    public static final String FILE = """
            name: points
            threads: 1
            network: {class: TOYS.PointGan}
            feeds: {points: {class: TOYS.Points, batch: 8}}
            turns:
              d: {program: discriminator, updates: {"discriminator/**": {adam: {rate: 1e-3}}}}
              g: {program: generator, updates: {"generator/**": {adam: {rate: 1e-3}}}}
            plan: {sequence: [d, g]}
            budget: {rounds: 1000000}
            on: [{every: {rounds: 40}, do: [save]}]
            samples: draw
            """.replace("TOYS.", "hocket.workbench.testing.Toys.");

    private static final long LONGEST_SECONDS = 20;

    private final Path here;
    private final LiveServer server;
    private final LiveView liveView;
    private final StringWriter said = new StringWriter();
    private final FutureTask<Integer> trained;

    /** Begins it; when this returns, it trains. */
    public ServedToy(Path here, Connections.Limits limits) throws IOException, InterruptedException {
        this(here, limits, FILE);
    }

    /** The same of another file, of such networks and turns. */
    ServedToy(Path here, Connections.Limits limits, String text) throws IOException, InterruptedException {
        this(here, limits, text, 1);
    }

    /** @param rounds that are awaited: none of one that waits for rows */
    ServedToy(Path here, Connections.Limits limits, String text, int rounds) throws IOException, InterruptedException {
        this.here = here;
        Files.writeString(here.resolve("points.yaml"), text);
        server = LiveServer.open(new LiveServer.Listening("127.0.0.1", 0, List.of()), limits);
        CountDownLatch began = new CountDownLatch(rounds);
        LiveView[] self = new LiveView[1];
        self[0] = new LiveView(run -> {
            server.show(self[0]);
            return server;
        });
        liveView = self[0];
        CommandContext commandContext = new CommandContext(Ran.terminal(said, said, false), here);
        ExperimentFile file = ExperimentFile.read("points.yaml", List.of(), commandContext.surroundings(List.of()));
        Training training = new Training(
                        new RunRequest(
                                commandContext,
                                file,
                                ExperimentFile.TRAIN,
                                folder(),
                                List.of(),
                                RunRequest.Flags.QUIET,
                                RunRequest.Beginning.FIRST),
                        new StopRequest())
                .observedBy(liveView)
                .ring(Ring.on(Trigger.everyRounds(1), run -> slowly(began)));
        trained = new FutureTask<>(training::run);
        Thread thread = new Thread(trained, "training");
        thread.setDaemon(true);
        thread.start();
        if (!began.await(LONGEST_SECONDS, TimeUnit.SECONDS)) {
            try {
                trained.get(0, TimeUnit.SECONDS);
            } catch (ExecutionException | TimeoutException e) {
                throw new AssertionError("it did not begin", e);
            }
            throw new AssertionError("it did not begin: " + said);
        }
    }

    private static void slowly(CountDownLatch began) {
        began.countDown();
        try {
            Thread.sleep(1); // so that it takes thousands of turns, not millions, until it is ended
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public LiveServer server() {
        return server;
    }

    public LiveView attended() {
        return liveView;
    }

    RunFolder folder() {
        return new RunFolder(here.resolve("run"));
    }

    public long step() {
        return liveView.facts().at().step();
    }

    /** Waits until it has taken more turns. */
    public void continues() throws InterruptedException {
        long before = step();
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(LONGEST_SECONDS);
        while (step() <= before) {
            if (System.nanoTime() > until || trained.isDone()) {
                throw new AssertionError("it does not go on: " + said);
            }
            Thread.sleep(5);
        }
    }

    /** Asks to end where a round does, as a run of a budget does, and waits. */
    public void end() throws InterruptedException, ExecutionException, TimeoutException {
        Steering steering = liveView.steering().orElseThrow();
        while (true) {
            try {
                steering.ask(new Command.Pause(), "a test").get(LONGEST_SECONDS, TimeUnit.SECONDS);
            } catch (ExecutionException e) {
                // it was paused before
            }
            if (steering.look(run -> run.position().step()).get(LONGEST_SECONDS, TimeUnit.SECONDS) % 2 == 0) {
                break;
            }
            steering.ask(new Command.Resume(), "a test").get(LONGEST_SECONDS, TimeUnit.SECONDS);
        }
        steering.ask(new Command.Stop(), "a test").get(LONGEST_SECONDS, TimeUnit.SECONDS);
        awaitEnd();
    }

    void awaitEnd() throws InterruptedException, ExecutionException, TimeoutException {
        trained.get(LONGEST_SECONDS, TimeUnit.SECONDS);
    }

    /** The digest that it ended with. */
    String digest() {
        return digest("run");
    }

    /** The digest of the same, unserved, after so many turns. */
    String digestAlone(long turns) {
        Ran ran = Ran.hocket(here, "run", "points.yaml", "--out", "alone", "--set", "turns=" + turns);
        if (ran.status() != 0) {
            throw new AssertionError(ran.err());
        }
        return digest("alone");
    }

    private String digest(String run) {
        Ran ran = Ran.hocket(here, "digest", run);
        if (ran.status() != 0) {
            throw new AssertionError(ran.err());
        }
        return ran.out();
    }
}
