package hocket.workbench.training.reports;

import static org.assertj.core.api.Assertions.assertThat;

import hocket.programs.Graph;
import hocket.programs.Layers;
import hocket.programs.Mode;
import hocket.programs.Network;
import hocket.programs.Operators;
import hocket.programs.Program;
import hocket.programs.Value;
import hocket.schedulers.Budget;
import hocket.schedulers.Event;
import hocket.schedulers.Phase;
import hocket.schedulers.Plan;
import hocket.schedulers.Ring;
import hocket.schedulers.Run;
import hocket.schedulers.Scheduler;
import hocket.schedulers.Setup;
import hocket.schedulers.Trigger;
import hocket.schedulers.Turn;
import hocket.schedulers.optimizers.Optimizers;
import hocket.schedulers.rings.TriggeredAction;
import hocket.scopes.Parameters;
import hocket.scopes.Shape;
import hocket.workbench.command.Ran;
import hocket.workbench.files.experiment.ExperimentSpec.PrintSpec;
import hocket.workbench.terminal.Terminal;
import hocket.workbench.training.Worker;
import java.io.StringWriter;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("engine")
class ProgressTest {
    private static final long ROUND_NANOS = 10_000_000;

    private long now;
    private double part = 1;
    private List<Worker> workers = List.of();

    @Test
    void inPlaceTheLineIsRedrawnFiveTimesASecond() {
        String shown = shown(true, 1000);
        assertThat(shown.split("\r", -1)).hasSize(1 + 10_000 / 200);
        assertThat(shown).contains("round 500/1,000  [#########.........]", "100 it/s  0:05 left\033[K");
        assertThat(shown).doesNotContain("\n");
    }

    @Test
    void inAPipeALineComesAtTenthsThatTakeTwoSecondsAndAfterTenSeconds() {
        assertThat(shown(false, 1000).lines()).hasSize(5);
        assertThat(shown(false, 2000).lines()).hasSize(10);
        assertThat(shown(false, 40_000).lines()).hasSize(40);
        assertThat(shown(false, 1000)).doesNotContain("\r", "\033");
    }

    @Test
    void whatATurnOfJavaReportsIsShownAndTheRateIsOfItsSteps() {
        Turn collect = Turn.act("collect", run -> {
            now += ROUND_NANOS;
            run.report("steps", 2048 * (run.position().round() + 1));
            if (run.position().round() % 3 == 0) {
                run.report("episode_return", 123.4);
            }
        });
        String shown = shown(true, 1000, collect);
        assertThat(shown)
                .contains("round 500/1,000  [####....]  return 123.4  steps 1.02M  205k steps/s  0:05 left\033[K")
                .doesNotContain("it/s");
        assertThat(shown.split("\r", -1))
                .allMatch(line -> line.replace("\033[K", "").length() < 80);
    }

    @Test
    void ofSeveralProcessesItSaysHowFarTheLastIsBehindAndWhichPartOfTheTimeTheyWait() {
        workers = List.of(
                new Worker(0, 200L, 100.0, 0L, 0.08, 1L, false, null),
                new Worker(1, 197L, 100.0, 3L, 0.16, 1L, false, null));
        assertThat(shown(true, 1000))
                .contains("round 500/1,000  [#####......]  lag 3  waits 12 %  100 it/s  0:05 left\033[K");
        workers = List.of(new Worker(0, 200L, 100.0, 0L, 0.08, 1L, false, null));
        assertThat(shown(true, 1000)).contains("]  waits 8 %  100 it/s").doesNotContain("lag");
        workers = List.of(
                new Worker(0, null, null, null, null, null, false, null),
                new Worker(1, null, null, null, null, null, false, null));
        assertThat(shown(true, 1000)).doesNotContain("lag", "waits", "NaN", "null");
    }

    @Test
    void theRoundInWhichProgramsAreCompiledSaysNothingOfTheOthers() {
        Turn slowAtFirst =
                Turn.act("wait", run -> now += run.position().round() == 0 ? 300 * ROUND_NANOS : ROUND_NANOS);
        List<String> lines = List.of(shown(true, 150, slowAtFirst).split("\r"));
        assertThat(lines.get(1)).contains("round 1/150").doesNotContain("it/s", "left");
        assertThat(lines.get(2)).contains("round 21/150", "100 it/s  0:01 left");
        assertThat(lines.get(lines.size() - 1)).containsPattern("100(\\.0)? it/s  0:00 left");
    }

    @Test
    void aPauseSaysNothingOfTheRateAndTheTimeThatIsLeft() {
        Ring pausing = TriggeredAction.of("pause", Trigger.everyRounds(500), run -> {
            run.emit(new Event.Paused(run.position()));
            now += 1_000_000 * ROUND_NANOS;
            run.emit(new Event.Resumed(run.position()));
        });
        List<String> lines = List.of(shown(true, 1000, Turn.act("wait", run -> now += ROUND_NANOS), pausing)
                .split("\r"));
        assertThat(lines.stream().filter(line -> line.contains("left")).toList())
                .hasSizeGreaterThan(20)
                .allSatisfy(line -> assertThat(line).containsPattern("100(\\.0)? it/s  0:(0\\d|10) left"));
    }

    @Test
    void theRateIsOfTheLastSecondsAndNotOfLongAgo() {
        Turn slowAtLast =
                Turn.act("wait", run -> now += run.position().round() < 900 ? ROUND_NANOS : 100 * ROUND_NANOS);
        List<String> lines = shown(false, 1000, slowAtLast).lines().toList();
        assertThat(lines.get(3)).contains("round 800/1,000", "100 it/s");
        assertThat(lines.get(lines.size() - 1)).contains("1.00 it/s");
    }

    @Test
    void aPhaseShowsItsOwnTurnsAndTheRewardThatJavaReports() {
        Graph graph = new Graph();
        Turn.Descend first = descending(graph, "first");
        Turn.Descend second = descending(graph, "second");
        Turn wait = Turn.act("wait", run -> now += ROUND_NANOS);
        Turn write = Turn.act("write", run -> {
            now += ROUND_NANOS;
            run.report("reward", 1.5);
        });
        Setup setup = Setup.of(
                        graph,
                        List.of(
                                new Phase("a", Plan.sequence(wait, first), Budget.rounds(100)),
                                new Phase("b", Plan.sequence(write, second), Budget.rounds(100))))
                .batch(4);
        now = 0;
        String[] lines = shown(setup, List.of(first, second), true).split("\r");
        assertThat(lines[lines.length / 4]).contains("first 0").doesNotContain("second", "reward");
        assertThat(lines[lines.length - 1]).contains("reward 1.5", "second 0").doesNotContain("first");
    }

    private static Turn.Descend descending(Graph graph, String name) {
        Value x = graph.noise(name + "_x", Shape.of(1));
        Network<Value, Value> net = graph.module(name, in -> Layers.dense("out", in, 1));
        return Turn.of(name, Program.compile(name, Mode.TRAIN, Operators.mean(Operators.square(net.apply(x)))))
                .updates(name + "/**", Optimizers.sgd(0));
    }

    /** A ring that is due each round, as those that only look whether the run is to end. */
    private static final Ring LOOKS = new Ring() {
        @Override
        public Optional<Trigger> trigger() {
            return Optional.of(Trigger.everyRounds(1));
        }
    };

    @Test
    void aRingThatOnlyLooksEachRoundLeavesTheLineAsItIs() {
        StringWriter err = new StringWriter();
        Terminal terminal = Ran.terminal(err, err, true);
        shown(terminal, Turn.act("wait", run -> now += ROUND_NANOS), LOOKS, new WaitNotice(terminal, () -> now));
        assertThat(err).hasToString(shown(true, 20));
    }

    @Test
    void whatTakesLongIsNamedUntilItIsDone() {
        StringWriter notices = new StringWriter();
        WaitNotice waitNotice = new WaitNotice(Ran.terminal(notices, notices, true), () -> now);
        Ring scores = new Ring() {
            @Override
            public String name() {
                return "score";
            }

            @Override
            public Optional<Trigger> trigger() {
                return Optional.of(Trigger.everyRounds(1));
            }

            @Override
            public void due(Run run) {
                now += 400_000_000;
                waitNotice.look();
                assertThat(notices.toString()).isEmpty();
                now += 600_000_000;
                waitNotice.look();
                assertThat(notices.toString()).contains("score  0:01");
            }
        };
        shown(true, 1, Turn.act("wait", run -> {}), scores, waitNotice);
        assertThat(notices.toString()).endsWith("\r\033[K");
    }

    @Test
    void theTimeLeftIsThatOfThePartThatIsTrained() {
        assertThat(shown(false, 2000).lines().filter(line -> line.contains("round 600/2,000")))
                .singleElement()
                .asString()
                .contains("0:14 left");
        part = 0.5;
        assertThat(shown(false, 2000).lines().filter(line -> line.contains("round 600/2,000")))
                .singleElement()
                .asString()
                .contains("0:04 left");
    }

    private String shown(boolean inPlace, long rounds) {
        return shown(inPlace, rounds, Turn.act("wait", run -> now += ROUND_NANOS));
    }

    private String shown(boolean inPlace, long rounds, Turn turn, Ring... others) {
        now = 0;
        return shown(Setup.of(new Graph(), turn, Budget.rounds(rounds)), List.of(), inPlace, others);
    }

    private void shown(Terminal terminal, Turn turn, Ring... others) {
        now = 0;
        shown(Setup.of(new Graph(), turn, Budget.rounds(20)), List.of(), terminal, others);
    }

    private String shown(Setup setup, List<Turn.Descend> turns, boolean inPlace, Ring... others) {
        StringWriter err = new StringWriter();
        shown(setup, turns, Ran.terminal(err, err, inPlace), others);
        return err.toString();
    }

    private void shown(Setup setup, List<Turn.Descend> turns, Terminal terminal, Ring... others) {
        try (Parameters parameters = setup.initialise(0);
                Scheduler scheduler = setup.schedule(parameters)) {
            scheduler.ring(new ProgressDisplay(
                    "waiting",
                    turns,
                    new PrintSpec(0.2, 10),
                    part,
                    Display.on(terminal),
                    () -> now,
                    new WorkerStatus(() -> workers)));
            List.of(others).forEach(scheduler::ring);
            scheduler.run();
        }
    }
}
