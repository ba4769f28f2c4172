package hocket.schedulers;

import static hocket.schedulers.Budget.epochs;
import static hocket.schedulers.Budget.rounds;
import static hocket.schedulers.Plan.sequence;
import static hocket.schedulers.Resample.EACH_TURN;
import static hocket.schedulers.Trigger.atEnd;
import static hocket.schedulers.Trigger.everyRounds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hocket.programs.Loss;
import hocket.programs.Mode;
import hocket.programs.Program;
import hocket.schedulers.checkpoint.Checkpoints;
import hocket.schedulers.evaluation.Evaluation;
import hocket.schedulers.evaluation.Validation;
import hocket.schedulers.rings.KeepBest;
import hocket.schedulers.rings.NestedRun;
import hocket.schedulers.rings.StopWhen;
import hocket.schedulers.rings.TriggeredAction;
import hocket.schedulers.state.State;
import hocket.schedulers.state.Stateful;
import hocket.schedulers.triggers.Improves;
import hocket.schedulers.triggers.Plateau;
import hocket.scopes.Parameters;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What rings that fail, or leave too much out, or ask for the same, make of a run; and runs that go back or stop early. */
@Tag("engine")
class RingFailuresTest {
    @TempDir
    Path here = Path.of("");

    private final List<String> seen = new ArrayList<>();

    private static Setup setup(Toy.Gan gan, Budget budget) {
        return Setup.of(gan.graph(), sequence(gan.d().times(2), gan.g(), gan.ema()), budget)
                .copy("generator/**", "ema/generator/**")
                .feed(Toy.rows("image", 24, 4).batches(8), EACH_TURN);
    }

    private static Definition gan(Budget budget) {
        return () -> setup(Toy.gan(), budget);
    }

    @Test
    void aRingThatLeavesOutAllThatMovesIsNamedInsteadOfRunningForEver() {
        try (LiveRun run = gan(rounds(3)).begin(7, 1)) {
            run.scheduler().ring(new Ring() {
                @Override
                public String name() {
                    return "idle";
                }

                @Override
                public void epoch(Run now, Next next) {}
            });
            assertThatThrownBy(run::run)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("no turn was taken in an epoch from round 0 on")
                    .hasMessageContaining("[idle]");
        }
    }

    @Test
    void whatFailsAtTheEndDoesNotCostTheCheckpointOfTheEnd() throws IOException {
        for (boolean finalise : new boolean[] {true, false}) {
            Path folder = here.resolve("at" + finalise);
            try (LiveRun run = gan(rounds(3)).begin(7, 1)) {
                run.scheduler().saveTo(folder).ring(new Ring() {
                    @Override
                    public Optional<Trigger> trigger() {
                        return Optional.of(atEnd());
                    }

                    @Override
                    public void due(Run now) {
                        throw new IllegalStateException("at the end");
                    }

                    @Override
                    public void finalise(Run now, Next next) {
                        if (finalise) {
                            throw new IllegalStateException("before the end");
                        }
                        next.proceed();
                    }
                });
                assertThatThrownBy(run::run)
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessage(finalise ? "before the end" : "at the end");
                assertThat(Checkpoints.readLatest(folder).whole("round")).isEqualTo(3);
            }
        }
    }

    @Test
    void whatFailsWhenARunIsStoppedDoesNotCostItsCheckpoint() throws IOException {
        try (LiveRun run = gan(rounds(50)).begin(7, 1)) {
            run.scheduler()
                    .saveTo(here)
                    .ring(new StopWhen(() -> run.scheduler().position().round() >= 2))
                    .ring(new Ring() {
                        @Override
                        public void run(Run now, Next next) {
                            next.proceed();
                            throw new IllegalStateException("of a ring inside");
                        }
                    });
            assertThatThrownBy(run::run).hasMessage("of a ring inside");
            assertThat(Checkpoints.readLatest(here).whole("round")).isEqualTo(2);
        }
    }

    private static Validation validation(Toy.Gan gan, String name) {
        Loss loss = Loss.of(gan.d().program().targets().get(0));
        return new Validation(Toy.rows("image", 24, 4).batches(8), Program.compile(name, Mode.EVAL, loss), "loss");
    }

    @Test
    void twoThingsOfOneKindInOneRoundAreBothDoneAndOneThingOnce() {
        Toy.Gan gan = Toy.gan();
        Validation one = validation(gan, "one");
        Validation other = validation(gan, "other");
        try (LiveRun run = ((Definition) () -> setup(gan, rounds(2))).begin(7, 1)) {
            run.scheduler()
                    .ring(TriggeredAction.validate(everyRounds(1), one))
                    .ring(TriggeredAction.validate(everyRounds(2), one))
                    .ring(TriggeredAction.validate(everyRounds(2), other))
                    .listen(event -> {
                        if (event instanceof Event.Validated) {
                            seen.add("round " + event.at().round());
                        }
                    });
            run.run();
        }
        assertThat(seen).containsExactly("round 1", "round 2", "round 2");
    }

    @Test
    void aNestedRunIsWholeEachTimeAndCheckedBeforeTheFirstTurn() {
        List<Double> validated = new ArrayList<>();
        Definition inner = () -> {
            Toy.Gan gan = Toy.gan();
            return Setup.of(gan.graph(), Turn.evaluate("test", gan.d().program()), rounds(1))
                    .feed(Toy.rows("image", 24, 4).batches(8), EACH_TURN)
                    .validated(validation(gan, "inner"));
        };
        Definition heard = () -> inner.setup().ring(new Ring() {
            @Override
            public void heard(Run run, Event event) {
                if (event instanceof Event.Validated of) {
                    validated.add(of.mean());
                }
            }
        });
        try (LiveRun run = gan(rounds(6)).begin(7, 1)) {
            run.scheduler().ring(new NestedRun("test", everyRounds(2), heard));
            run.run();
        }
        assertThat(validated).as("of rounds 2, 4, 6").hasSize(3).doesNotHaveDuplicates();

        Definition unfed = () ->
                Setup.of(Toy.gan().graph(), Turn.evaluate("test", Toy.gan().d().program()), epochs("none", 1));
        try (LiveRun run = gan(rounds(6)).begin(7, 1)) {
            run.scheduler().ring(new NestedRun("test", everyRounds(2), unfed));
            assertThatThrownBy(run::run).isInstanceOf(IllegalArgumentException.class);
            assertThat(run.scheduler().position().step()).isZero();
        }
    }

    @Test
    void inferenceCanBeLookedAtAndNothingElseIsTaken() {
        Toy.Gan gan = Toy.gan();
        Turn.Descend d = gan.d().observes(gan.fake());
        Definition definition = () -> Setup.of(gan.graph(), d, rounds(2))
                .copy("generator/**", "ema/generator/**")
                .feed(Toy.rows("image", 24, 4).batches(8), EACH_TURN);
        try (LiveRun run = definition.begin(7, 1)) {
            run.scheduler().without(Learn.NAME);
            String before = run.parameters().digest();
            run.run();
            assertThat(run.scheduler().count("d")).isEqualTo(2);
            assertThat(run.scheduler().observed(d, gan.fake()).shape().get(0)).isEqualTo(8);
            assertThatThrownBy(() -> run.scheduler().step(gan.ema()))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("turn ema would write");
            assertThat(run.parameters().digest()).isEqualTo(before);
        }
    }

    @Test
    void aRunThatIsPausedInItsLastRoundIsNotDone() {
        String whole;
        try (LiveRun run = gan(epochs("image", 1)).begin(7, 1)) {
            run.run();
            whole = run.parameters().digest();
        }
        try (LiveRun run = gan(epochs("image", 1)).begin(7, 1)) {
            run.scheduler().listen(event -> {
                if (event instanceof Event.Descended && event.at().step() == 4) {
                    run.scheduler().now().pause(); // the draw that ends the epoch, in the middle of the second round
                }
            });
            run.run();
            assertThat(run.scheduler().position().round()).isEqualTo(1);
            assertThat(run.scheduler().done()).isFalse();
            run.run();
            assertThat(run.scheduler().done()).isTrue();
            assertThat(run.parameters().digest()).isEqualTo(whole);
        }
    }

    @Test
    void aTriggerTakesUpItsOwnMemoryAndNoOthers() {
        State saved;
        try (LiveRun run = gan(rounds(8)).begin(7, 1)) {
            run.scheduler().saveTo(here).ring(TriggeredAction.save(Trigger.everyEpochs("image", 2)));
            run.run();
            saved = run.scheduler().save();
        }
        try (LiveRun run = gan(rounds(12)).begin(7, 1)) {
            run.scheduler().saveTo(here.resolve("other")).ring(TriggeredAction.save(everyRounds(3)));
            run.scheduler().restore(saved);
            run.run();
            assertThat(run.scheduler().position().round()).isEqualTo(12);
        }
    }

    @Test
    void aTriggerOnWhatALoopByHandComesToReportIsLookedAtWhenItDoes() {
        Toy.Gan gan = Toy.gan();
        Source rows = Toy.rows("image", 24, 4).batches(8);
        try (Parameters parameters = gan.parameters(7);
                Scheduler scheduler = Scheduler.over(parameters, 1)) {
            scheduler.on(new Plateau("d/loss", Improves.Better.LEAST, 0, 1e9, 1), run -> seen.add("plateau"));
            scheduler.run(rounds(3), () -> scheduler.step(gan.d(), rows));
        }
        assertThat(seen).isNotEmpty();
    }

    /** Retries a diverging round from where it began, so often in all. */
    private static final class Retry extends CountingRing {
        @Override
        public void round(Run run, Next next) {
            State before = run.scheduler().save();
            try {
                next.proceed();
                throw new IllegalStateException("again");
            } catch (IllegalStateException e) {
                long times = count + 1;
                if (times > 2) {
                    throw e;
                }
                run.scheduler().restore(before); // which takes count back, too
                count = times;
                next.proceed();
            }
        }
    }

    @Test
    void aRingThatGoesBackRemembersThatItDid() {
        try (LiveRun run = gan(rounds(5)).begin(7, 1)) {
            run.scheduler().ring(new Retry());
            assertThatThrownBy(run::run).hasMessage("again");
            assertThat(run.scheduler().position().round()).isEqualTo(3);
        }
    }

    @Test
    void theBestInMemoryOutlivesAResume() {
        SortedMap<Long, Double> merits = new TreeMap<>(List.of(1L, 2L, 3L, 4L).stream()
                .collect(java.util.stream.Collectors.toMap(round -> round, round -> round == 2 ? 9.0 : 1.0 * round)));
        State saved;
        State best;
        try (LiveRun run = gan(rounds(3)).begin(7, 1)) {
            KeepBest keep = best(run, merits);
            run.scheduler().ring(keep);
            run.run();
            saved = run.scheduler().save();
            best = keep.best().orElseThrow();
            assertThat(best.whole("round")).isEqualTo(2);
        }
        try (LiveRun run = gan(rounds(4)).begin(7, 1)) {
            KeepBest keep = best(run, merits);
            run.scheduler().ring(keep);
            run.scheduler().restore(saved);
            run.run();
            assertThat(keep.best()).contains(best);
            run.scheduler().restore(best);
            assertThat(keep.best()).contains(best);
        }
    }

    private static KeepBest best(LiveRun run, SortedMap<Long, Double> merits) {
        Evaluation by = new Evaluation() {
            @Override
            public SortedMap<String, Double> scores(Parameters parameters) {
                return new TreeMap<>(java.util.Map.of(
                        "merit", merits.get(run.scheduler().position().round())));
            }

            @Override
            public Optional<Merit> merit() {
                return Optional.of(new Merit("merit", true));
            }
        };
        return new KeepBest(everyRounds(1), by, OptionalInt.empty());
    }

    @Test
    void aDefinitionThatKeepsItsSourceIsRefusedInsteadOfTrainingNothing() {
        Source kept = Toy.rows("image", 24, 4).batches(8);
        Definition careless = () -> {
            Toy.Gan gan = Toy.gan();
            return Setup.of(gan.graph(), gan.d(), epochs("image", 2)).feed(kept, EACH_TURN);
        };
        try (LiveRun run = careless.begin(7, 1)) {
            run.run();
        }
        try (LiveRun run = careless.begin(7, 1)) {
            assertThatThrownBy(run::run)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("source image has given 2 epochs already");
        }
    }

    @Test
    void aRingThatSaysNothingWhereItMustIsNamed() {
        try (LiveRun run = gan(rounds(1)).begin(7, 1)) {
            assertThatThrownBy(() -> run.scheduler().ring(new Nameless()))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("Nameless: name() gives null");
            assertThatThrownBy(() -> run.scheduler().ring(new Forgetful()))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("ring forgetful: save() of")
                    .hasMessageContaining("gives null");
        }
    }

    @SuppressWarnings("NullAway") // what it is for
    private static final class Nameless implements Ring {
        @Override
        public String name() {
            return null;
        }
    }

    @SuppressWarnings("NullAway") // what it is for
    private static final class Forgetful implements Ring, Stateful {
        @Override
        public State save() {
            return null;
        }

        @Override
        public void restore(State state) {}
    }
}
