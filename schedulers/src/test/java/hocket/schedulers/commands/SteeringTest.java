package hocket.schedulers.commands;

import static hocket.schedulers.Budget.rounds;
import static hocket.schedulers.Plan.sequence;
import static hocket.schedulers.Plan.trial;
import static hocket.schedulers.Resample.EACH_TURN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hocket.schedulers.Definition;
import hocket.schedulers.Event;
import hocket.schedulers.LiveRun;
import hocket.schedulers.Plan;
import hocket.schedulers.Scheduler;
import hocket.schedulers.Setup;
import hocket.schedulers.Toy;
import hocket.schedulers.Trigger;
import hocket.schedulers.Turn;
import hocket.schedulers.checkpoint.Checkpoints;
import hocket.schedulers.rings.TriggeredAction;
import hocket.schedulers.state.State;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A run does what it is asked between turns, and does it again, to the bit, by its journal. */
@Tag("engine")
@Timeout(60)
class SteeringTest {
    private static final String GENERATOR_TWICE = "[d, g, g]";

    /** In memory. */
    private static final class Kept implements Steering.Journal {
        final List<Steering.Applied> lines = new ArrayList<>();

        @Override
        public void write(Steering.Applied applied) {
            lines.add(applied);
        }

        @Override
        public void takeBack() {
            lines.remove(lines.size() - 1);
        }
    }

    private final Kept journal = new Kept();
    private final AtomicBoolean ends = new AtomicBoolean();
    private final Steering steering = new Steering(journal, ends::get);
    private final List<String> heard = new ArrayList<>();

    private int runs;

    @TempDir
    private Path folder;

    private static Definition gan(boolean onTrial) {
        return () -> {
            Toy.Gan gan = Toy.gan();
            Plan round =
                    onTrial ? sequence(trial(sequence(gan.d(), gan.g()), 0.5), gan.d()) : sequence(gan.d(), gan.g());
            return Setup.of(gan.graph(), round, rounds(12))
                    .feed(Toy.rows("image", 12, 4).batches(4), EACH_TURN)
                    .plansReadBy(text -> {
                        if (!text.equals(GENERATOR_TWICE)) {
                            throw new IllegalArgumentException("no plan: " + text);
                        }
                        return sequence(gan.d(), gan.g(), gan.g());
                    });
        };
    }

    /** Gives what is asked for whenever so many turns were taken. */
    private State run(Definition definition, Steering by, Map<Long, List<Command>> at) {
        try (LiveRun run = definition.begin(7, 1)) {
            run.scheduler()
                    .steeredBy(by)
                    .saveTo(folder.resolve("run-" + ++runs))
                    .listen(event -> {
                        heard.add(event.getClass().getSimpleName() + " "
                                + event.at().step());
                        if (event instanceof Event.Descended) {
                            at.getOrDefault(event.at().step() + 1, List.of())
                                    .forEach(command -> by.ask(command, "test"));
                        }
                    });
            at.getOrDefault(0L, List.of()).forEach(command -> by.ask(command, "test"));
            run.run();
            return run.scheduler().save();
        }
    }

    private static final Map<Long, List<Command>> SESSION = Map.of(
            0L, List.of(new Command.Change("g/rate", 3e-3)),
            3L, List.of(new Command.Pause(), new Command.Change("d/rate", 1e-3), new Command.Step(Command.Unit.TURN)),
            4L, List.of(new Command.Step(Command.Unit.ROUND)),
            6L, List.of(new Command.Fork("other"), new Command.Resume()),
            9L, List.of(new Command.Replan(GENERATOR_TWICE), new Command.Change("d/beta1", 0.4), new Command.Save()),
            20L, List.of(new Command.Save()));

    @Test
    void aSessionIsDoneAgainByItsJournalToTheBit() {
        State steered = run(gan(false), steering, SESSION);
        Kept again = new Kept();
        State repeated = run(gan(false), new Steering(again, () -> false).replaying(journal.lines), Map.of());
        State untouched = run(gan(false), new Steering(Steering.Journal.none(), () -> false), Map.of());
        assertThat(repeated).isEqualTo(steered);
        assertThat(withoutCount(untouched)).isNotEqualTo(withoutCount(steered));
        assertThat(again.lines).isEqualTo(journal.lines);
        assertThat(journal.lines.stream()
                        .map(line -> line.number() + " " + line.at().step() + " " + line.command()))
                .contains("7 6 Resume[]", "8 9 Replan[plan=[d, g, g]]"); // the plan waits for its round
    }

    /** Other processes take the same turns, and hear of no command. */
    @Test
    void amongSeveralItSavesAndAsksAllToStopAndRefusesWhatOthersWouldHaveToKnow() {
        AtomicInteger asked = new AtomicInteger();
        steering.amongSeveral("there are others", asked::incrementAndGet);
        List<CompletableFuture<Steering.Outcome>> refused = Stream.of(
                        new Command.Pause(),
                        new Command.Resume(),
                        new Command.Step(Command.Unit.TURN),
                        new Command.Change("d/rate", 1e-3),
                        new Command.Replan(GENERATOR_TWICE))
                .map(command -> steering.ask(command, "test"))
                .toList();
        CompletableFuture<Steering.Outcome> saved = steering.ask(new Command.Save(), "test");
        CompletableFuture<Steering.Outcome> stopped = steering.ask(new Command.Stop(), "test");
        State steered = run(gan(false), steering, Map.of());
        assertThat(refused)
                .allSatisfy(each -> assertThatThrownBy(each::join)
                        .hasCauseInstanceOf(IllegalStateException.class)
                        .hasRootCauseMessage("there are others"));
        assertThat(saved.join().message()).isEqualTo("saved turn 0");
        assertThat(stopped.join().message()).isEqualTo("all processes of the run are asked to stop");
        assertThat(asked).hasValue(1);
        assertThat(heard).contains("Ended 24"); // that it ends, they agree on
        assertThat(journal.lines)
                .extracting(Steering.Applied::command)
                .containsExactly(new Command.Save(), new Command.Stop());
        assertThat(withoutCount(steered))
                .isEqualTo(withoutCount(run(gan(false), new Steering(Steering.Journal.none(), () -> false), Map.of())));
    }

    private static State withoutCount(State state) {
        return state.without("steering");
    }

    @Test
    void oneThatGoesOnFromACheckpointBehindCommandsKnowsOfThem() throws Exception {
        State whole = run(gan(false), steering, SESSION);
        State saved = Checkpoints.newest(folder.resolve("run-1")).state();
        try (LiveRun run = gan(false).begin(7, 1)) {
            Steering second = new Steering(new Kept(), () -> false);
            run.scheduler().steeredBy(second);
            run.scheduler().restore(saved);
            assertThat(second.applied()).isPositive();
            assertThat(run.scheduler().planned())
                    .hasToString(
                            sequence(Toy.gan().d(), Toy.gan().g(), Toy.gan().g())
                                    .toString());
            run.run();
            assertThat(run.scheduler().save()).isEqualTo(whole);
        }
    }

    @Test
    void aPlanThatWaitsForItsRoundIsSavedWithTheRun() throws Exception {
        State whole = run(gan(false), steering, SESSION);
        try (LiveRun run = gan(false).begin(7, 1)) {
            run.scheduler().steeredBy(new Steering(new Kept(), () -> false).replaying(journal.lines));
            run.scheduler().saveTo(folder.resolve("on"));
            run.scheduler().restore(Checkpoints.read(folder.resolve("run-1"), 9));
            assertThat(run.scheduler().planned()).hasToString("sequence(d, g)");
            run.run();
            assertThat(run.scheduler().save()).isEqualTo(whole);
        }
    }

    @Test
    void aReplayThatGoesOnFromACheckpointLeavesOutWhatThatKnows() throws Exception {
        State whole = run(gan(false), steering, SESSION);
        State saved = Checkpoints.newest(folder.resolve("run-1")).state();
        try (LiveRun run = gan(false).begin(7, 1)) {
            run.scheduler().steeredBy(new Steering(new Kept(), () -> false).replaying(journal.lines));
            run.scheduler().restore(saved);
            run.run();
            assertThat(run.scheduler().save()).isEqualTo(whole);
        }
    }

    @Test
    void aJournalOfAnotherRunIsRefused() {
        Steering.Applied elsewhere =
                new Steering.Applied(1, new Event.Position(3, 7, 0), new Command.Change("d/rate", 1e-3), "test");
        assertThatThrownBy(() -> run(gan(false), steering.replaying(List.of(elsewhere)), Map.of()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("command 1 of the journal")
                .hasMessageContaining("turn 3 in round 7");
    }

    @Test
    void whatIsRefusedChangesNothingAndIsNotWrittenDown() {
        List<CompletableFuture<Steering.Outcome>> asked = new ArrayList<>();
        for (Command command : List.of(
                new Command.Resume(),
                new Command.Change("d/rat", 1),
                new Command.Change("d/beta1", 2),
                new Command.Replan("nonsense"))) {
            asked.add(steering.ask(command, "test"));
        }
        State same = run(gan(false), steering, Map.of());
        assertThat(asked)
                .allSatisfy(answer -> assertThatThrownBy(answer::join)
                        .isInstanceOf(CompletionException.class)
                        .hasRootCauseInstanceOf(RuntimeException.class));
        assertThatThrownBy(asked.get(1)::join).hasMessageContaining("d/rate");
        assertThat(journal.lines).isEmpty();
        assertThat(same).isEqualTo(run(gan(false), new Steering(journal, () -> false), Map.of()));
    }

    @Test
    void aPausedRunWaitsCanBeLookedAtAndTakesOneTurnOrRound() throws Exception {
        CompletableFuture<Steering.Outcome> paused = steering.ask(new Command.Pause(), "person");
        Thread training = new Thread(() -> run(gan(false), steering, Map.of()), "training");
        training.start();
        assertThat(paused.get(30, TimeUnit.SECONDS).message()).isEqualTo("paused in round 0");
        assertThat(steering.isPaused()).isTrue();
        assertThat(stepNow()).isZero();
        steering.ask(new Command.Step(Command.Unit.TURN), "person").get(30, TimeUnit.SECONDS);
        assertThat(pausedStep()).isEqualTo(1);
        steering.ask(new Command.Step(Command.Unit.ROUND), "person").get(30, TimeUnit.SECONDS);
        assertThat(pausedStep()).isEqualTo(2);
        assertThatThrownBy(() -> steering.ask(new Command.Pause(), "person").join())
                .hasMessageContaining("paused already");
        steering.ask(new Command.Resume(), "person").get(30, TimeUnit.SECONDS);
        training.join();
        assertThat(heard)
                .contains("Paused 0", "Resumed 0", "Paused 1", "Resumed 1", "Paused 2", "Resumed 2", "Ended 24");
        assertThatThrownBy(() -> steering.ask(new Command.Save(), "person").get(30, TimeUnit.SECONDS))
                .hasRootCauseMessage("the run has ended");
    }

    private long stepNow() throws Exception {
        return steering.look(run -> run.position().step()).get(30, TimeUnit.SECONDS);
    }

    private long pausedStep() throws Exception {
        while (!steering.isPaused()) {
            Thread.onSpinWait();
        }
        return stepNow();
    }

    @Test
    void aRunThatIsPausedEndsWhereItIsToldTo() throws Exception {
        CompletableFuture<Steering.Outcome> paused = steering.ask(new Command.Pause(), "person");
        Thread training = new Thread(() -> run(gan(false), steering, Map.of()), "training");
        training.start();
        paused.get(30, TimeUnit.SECONDS);
        ends.set(true); // Ctrl-C
        training.join();
        assertThat(heard).contains("Ended 0");
    }

    @Test
    void oneThatIsStoppedGoesOnAndItsReplayIsTheWhole() throws Exception {
        Map<Long, List<Command>> stops =
                Map.of(5L, List.of(new Command.Change("d/rate", 1e-3), new Command.Save(), new Command.Stop()));
        State stopped = run(gan(false), steering, stops);
        State whole;
        try (LiveRun run = gan(false).begin(7, 1)) {
            Steering second = new Steering(journal, () -> false);
            run.scheduler().steeredBy(second);
            run.scheduler().restore(stopped);
            second.ask(new Command.Start(), "test");
            run.run();
            whole = run.scheduler().save();
        }
        assertThat(stopped.whole("step")).isEqualTo(5);
        assertThat(journal.lines.stream().map(Steering.Applied::number)).containsExactly(1L, 2L, 3L, 4L);
        State repeated = run(gan(false), new Steering(new Kept(), () -> false).replaying(journal.lines), Map.of());
        assertThat(repeated).isEqualTo(whole);
        State untilThere =
                run(gan(false), new Steering(new Kept(), () -> false).replaying(journal.lines.subList(0, 3)), Map.of());
        assertThat(untilThere).isEqualTo(stopped);
    }

    @Test
    void aTrialIsTakenWhole() {
        run(gan(true), steering, Map.of(1L, List.of(new Command.Change("d/rate", 1e-3))));
        assertThat(journal.lines).extracting(line -> line.at().step()).containsExactly(2L);
    }

    @Test
    void roundsOfOnesOwnAreSteeredBetweenThem() {
        try (LiveRun run = gan(false).begin(7, 1)) {
            Scheduler scheduler = run.scheduler().steeredBy(steering).saveTo(folder);
            scheduler.ring(TriggeredAction.save(Trigger.everyRounds(2)));
            Turn d = run.setup().descending().get(0);
            scheduler.listen(event -> {
                if (event instanceof Event.Descended) {
                    steering.ask(new Command.Change("d/rate", 1e-3 * event.at().step() + 1e-3), "test");
                }
            });
            scheduler.run(rounds(3), () -> {
                scheduler.step(d);
                scheduler.step(d);
            });
        }
        assertThat(journal.lines).extracting(line -> line.at().step()).containsExactly(2L, 2L, 4L, 4L);
    }

    @Test
    void aQuestionThatIsWithdrawnIsNotLookedInto() {
        AtomicInteger looked = new AtomicInteger();
        CompletableFuture<Integer> cancelled = steering.look(run -> looked.addAndGet(1));
        CompletableFuture<Integer> timedOut = steering.look(run -> looked.addAndGet(10));
        CompletableFuture<Integer> awaited = steering.look(run -> looked.addAndGet(100));
        cancelled.cancel(false);
        timedOut.completeExceptionally(new TimeoutException());
        run(gan(false), steering, Map.of());
        assertThat(looked).hasValue(100);
        assertThat(awaited).isCompletedWithValue(100);
    }

    /** A replay of the journal would repeat what never happened. */
    @Test
    void aCommandThatEndsTheRunByAnErrorIsNotJournalled() {
        Definition failing = () -> gan(false).setup().plansReadBy(text -> {
            throw new StackOverflowError("an example");
        });
        CompletableFuture<?> answer = steering.ask(new Command.Replan(GENERATOR_TWICE), "test");
        assertThatThrownBy(() -> run(failing, steering, Map.of())).isInstanceOf(StackOverflowError.class);
        assertThat(answer).isCompletedExceptionally();
        assertThat(journal.lines).isEmpty();
    }

    @Test
    void aRequesterHearsOfAnErrorThatEndsTheRun() {
        CompletableFuture<Long> answer = steering.look(run -> {
            throw new StackOverflowError("an example");
        });
        assertThatThrownBy(() -> run(gan(false), steering, Map.of())).isInstanceOf(StackOverflowError.class);
        assertThat(answer)
                .failsWithin(0, TimeUnit.SECONDS)
                .withThrowableThat()
                .withMessageContaining("the run breaks off: java.lang.StackOverflowError: an example");
    }

    @Test
    void notMoreThanSomeHundredQuestionsWaitForTheEndOfATurn() {
        List<CompletableFuture<Long>> waiting = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            waiting.add(steering.look(run -> run.position().step()));
        }
        assertThatThrownBy(() -> steering.look(run -> 0).join())
                .hasMessageContaining("200 questions and commands already wait for its end: ask again after it");
        waiting.remove(0).cancel(false);
        waiting.add(steering.look(run -> run.position().step()));
        run(gan(false), steering, Map.of());
        assertThat(waiting).allSatisfy(answer -> assertThat(answer).isCompletedWithValue(0L));
    }
}
