package hocket.workbench.live;

import hocket.schedulers.Command;
import hocket.schedulers.Ring;
import hocket.schedulers.Steering;
import hocket.schedulers.Trigger;
import hocket.workbench.Ran;
import hocket.workbench.experiment.ExperimentFile;
import hocket.workbench.runs.RunFolder;
import hocket.workbench.runs.Workplace;
import hocket.workbench.training.RunRequest;
import hocket.workbench.training.Stop;
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
final class ServedToy {
    static final String FILE = """
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
            """.replace("TOYS.", "hocket.workbench.experiment.Toys.");

    private static final long LONGEST_SECONDS = 20;

    private final Path here;
    private final LiveServer server;
    private final Attended attended;
    private final StringWriter said = new StringWriter();
    private final FutureTask<Integer> trained;

    /** Begins it; when this returns, it trains. */
    ServedToy(Path here, Connections.Limits limits) throws IOException, InterruptedException {
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
        Attended[] self = new Attended[1];
        self[0] = new Attended(run -> {
            server.show(self[0]);
            return server;
        });
        attended = self[0];
        Workplace workplace = new Workplace(Ran.terminal(said, said, false), here);
        ExperimentFile file = ExperimentFile.read("points.yaml", List.of(), workplace.surroundings(List.of()));
        Training training = new Training(
                        new RunRequest(
                                workplace,
                                file,
                                ExperimentFile.TRAIN,
                                folder(),
                                List.of(),
                                RunRequest.Flags.QUIET,
                                RunRequest.Beginning.FIRST),
                        new Stop())
                .attendedBy(attended)
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

    LiveServer server() {
        return server;
    }

    Attended attended() {
        return attended;
    }

    RunFolder folder() {
        return new RunFolder(here.resolve("run"));
    }

    long step() {
        return attended.facts().at().step();
    }

    /** Waits until it has taken more turns. */
    void goesOn() throws InterruptedException {
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
    void end() throws InterruptedException, ExecutionException, TimeoutException {
        Steering steering = attended.steering().orElseThrow();
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
