package hocket.workbench.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import hocket.schedulers.Event;
import hocket.schedulers.Next;
import hocket.schedulers.Ring;
import hocket.schedulers.Run;
import hocket.schedulers.Trigger;
import hocket.workbench.command.Ran;
import hocket.workbench.files.experiment.ExperimentFile;
import hocket.workbench.runs.CommandContext;
import hocket.workbench.runs.RunFolder;
import hocket.workbench.sweeps.SeedSweep;
import hocket.workbench.training.reports.StopNotice;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import sun.misc.Signal;
import sun.misc.SignalHandler;

class StopTest {
    @TempDir
    Path here = Path.of("");

    private final StringWriter err = new StringWriter();
    private final List<Integer> ended = new ArrayList<>();
    private final CommandContext commandContext = new CommandContext(Ran.terminal(err, err, false), Path.of(""));

    private StopRequest stop() {
        return new StopRequest(commandContext.terminal()::remark, commandContext.terminal()::remark, ended::add);
    }

    private int run(StopRequest stopRequest, String runner, Ring ring, String... changes) {
        ExperimentFile file = ExperimentFile.read("tiny-gan", List.of(changes), commandContext.surroundings(List.of()));
        Training run = new Training(
                new RunRequest(
                        commandContext,
                        file,
                        runner,
                        new RunFolder(here.resolve("run")),
                        List.of(changes),
                        RunRequest.Flags.NONE,
                        RunRequest.Beginning.FIRST),
                stopRequest);
        return run.ring(ring).run();
    }

    @ParameterizedTest
    @CsvSource({"INT, 130", "TERM, 143", "HUP, 129"})
    @Timeout(120)
    void aSignalAsksOnceAndGivesTheStatusOfAProcessThatItEnded(String name, int status) throws InterruptedException {
        Signal signal = new Signal(name);
        SignalHandler before = Signal.handle(signal, raised -> {});
        Signal.handle(signal, before);
        assumeTrue(before != SignalHandler.SIG_IGN, "these tests were told to ignore " + name + ", as nohup does HUP");
        try (StopRequest stopRequest = StopRequest.onSignals(commandContext.terminal(), true)) {
            stopRequest.at(new StopNotice(stopRequest, 0));
            assertThat(stopRequest.isRequested()).isFalse();
            Signal.raise(signal);
            while (!stopRequest.isRequested()) {
                Thread.sleep(5); // signals come on a thread of their own
            }
            assertThat(stopRequest.status()).isEqualTo(status);
        }
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void whoAsksBeforeAnythingIsTrainedDoesNotWait() {
        stop().request(2);
        assertThat(ended).containsExactly(130);
        assertThat(err.toString()).isEqualTo("hocket: stopped before anything was trained\n");
    }

    private static final String SAVING = "on=[{every: {rounds: 40}, do: [save]}]";

    /** What is lost would depend on how far a checkpoint has come that is written meanwhile. */
    private static final String WAITING = "checkpoints.background=false";

    @Test
    @Tag("engine")
    void itIsSaidAtOnceThatItStopsAndTheSecondTimeWhatIsLost() {
        StopRequest stopRequest = stop();
        String[] said = new String[2];
        Ring asking = Ring.on(Trigger.everyRounds(41), run -> {
            stopRequest.request(2);
            said[0] = err.toString();
            stopRequest.request(2);
            said[1] = err.toString().substring(said[0].length());
        });
        assertThat(run(stopRequest, ExperimentFile.TRAIN, asking, "epochs=3", SAVING, WAITING))
                .isEqualTo(130);
        assertThat(said[0])
                .endsWith("stopping: finishing this turn, then saving\n"
                        + "a second request ends immediately: everything since turn 120 is lost\n");
        assertThat(said[1]).isEqualTo("hocket: ended immediately: everything since turn 120 is lost\n");
        assertThat(ended).containsExactly(130);
        assertThat(err.toString()).contains("; saved\nnext     ");
    }

    @Test
    void aTerminalThatGoesAwayAsksOnlyOnce() {
        for (int first : new int[] {1, 15}) {
            StopRequest stopRequest = stop();
            stopRequest.at(new StopNotice(stopRequest, 0));
            stopRequest.request(first);
            stopRequest.request(1);
            assertThat(ended).isEmpty();
            assertThat(stopRequest.status()).isEqualTo(128 + first);
        }
        StopRequest stopRequest = stop();
        stopRequest.at(new StopNotice(stopRequest, 0));
        stopRequest.request(1);
        stopRequest.request(15);
        assertThat(ended).containsExactly(143);
    }

    /** Asks to stop when a turn ends that began there. */
    private record AskingAfter(StopRequest stop, long turn) implements Ring {
        @Override
        public void heard(Run run, Event event) {
            if (event instanceof Event.Descended && event.at().step() == turn) {
                stop.request(2);
                stop.request(2);
            }
        }

        @Override
        public void run(Run run, Next next) {
            next.proceed();
        }
    }

    @Test
    @Tag("engine")
    void theFirstTurnBehindACheckpointIsLost() {
        StopRequest stopRequest = stop();
        run(stopRequest, ExperimentFile.TRAIN, new AskingAfter(stopRequest, 120), "epochs=3", SAVING, WAITING);
        assertThat(err.toString()).contains("hocket: ended immediately: everything since turn 120 is lost\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"seed 2, 2 of 2", "seeds.json"})
    @Tag("engine")
    void betweenSeedsAndBehindThemNothingIsLost(String moment) {
        List<String> said = new ArrayList<>();
        StopRequest stopRequest = new StopRequest(said::add, said::add, ended::add);
        seeds(stopRequest, moment, false);
        assertThat(ended).containsExactly(130);
        assertThat(said)
                .containsExactly(
                        "hocket: ended immediately: nothing is lost, and the same command with --resume continues");
    }

    @Test
    @Tag("engine")
    void beforeSeedsGoOnNothingIsLost() {
        seeds(stop(), "2 of 2", false);
        List<String> said = new ArrayList<>();
        seeds(new StopRequest(said::add, said::add, ended::add), "1 of 2: is there already", true);
        assertThat(ended).containsExactly(130, 130);
        assertThat(said)
                .containsExactly(
                        "hocket: ended immediately: nothing is lost, and the same command with --resume continues");
    }

    /** Two seeds in a folder; asks to stop when something is said. */
    private void seeds(StopRequest stopRequest, String moment, boolean resume) {
        StringWriter asking = new StringWriter() {
            @Override
            public void write(String text, int from, int length) {
                if (text.contains(moment) && !stopRequest.isRequested()) {
                    stopRequest.request(2);
                }
            }
        };
        List<String> settings = List.of("network.width=4", "evaluation.samples=100", "rounds=3", "on=[]", "seed=1");
        new SeedSweep(
                        new CommandContext(Ran.terminal(asking, asking, false), here),
                        new SeedSweep.Configuration("gaussian-ring", List.of(), settings, List.of()),
                        2,
                        0,
                        SeedSweep.Options.NONE,
                        resume,
                        false)
                .into(here.resolve("s"), stopRequest);
    }

    @Test
    @Tag("engine")
    void withoutACheckpointAllIsLost() {
        StopRequest stopRequest = stop();
        run(stopRequest, ExperimentFile.TRAIN, Ring.on(Trigger.everyRounds(2), run -> {
            stopRequest.request(2);
            stopRequest.request(2);
        }));
        assertThat(err.toString()).contains("hocket: ended immediately: everything is lost, as nothing is saved yet\n");
    }

    @Test
    void whileItIsJudgedOnlyScoresAreLost() {
        StopRequest stopRequest = stop();
        new StopNotice(stopRequest, 7).scoring(() -> {
            stopRequest.request(15);
            stopRequest.request(15);
        });
        assertThat(err.toString())
                .isEqualTo("stopping: computing the scores first\n"
                        + "a second request ends immediately, without scores\n"
                        + "hocket: ended immediately: scores are missing; the trained state is saved\n");
        assertThat(ended).containsExactly(143);
    }

    /** Asks to stop before the runner takes its first rows. */
    private record Asking(StopRequest stop) implements Ring {
        @Override
        public void run(Run run, Next next) {
            stop.request(2);
            next.proceed();
        }
    }

    @Test
    @Tag("engine")
    void aRunnerThatTrainsNothingSavesNothingAndClaimsNothing() {
        StopRequest stopRequest = stop();
        String runners = "runners={infer: {class: Infer, program: draw, rows: 7}}";
        assertThat(run(stopRequest, "infer", new Asking(stopRequest), runners)).isEqualTo(130);
        assertThat(err.toString())
                .contains(
                        "stopping; a second request ends immediately\n",
                        "stopped after 0 of 7 rows: ",
                        " is not written\n")
                .doesNotContain("saved", "--resume");
        assertThat(Files.exists(here.resolve("run/draw.npy"))).isFalse();
        assertThat(Files.exists(here.resolve("run/checkpoints/LATEST"))).isFalse();
    }
}
