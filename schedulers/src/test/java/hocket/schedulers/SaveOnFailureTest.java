package hocket.schedulers;

import static hocket.schedulers.Budget.rounds;
import static hocket.schedulers.Plan.choose;
import static hocket.schedulers.Plan.sequence;
import static hocket.schedulers.Plan.simultaneous;
import static hocket.schedulers.Plan.trial;
import static hocket.schedulers.Resample.EACH_ROUND;
import static hocket.schedulers.Resample.EACH_TURN;
import static hocket.schedulers.Trigger.everyRounds;
import static hocket.schedulers.optimizers.Optimizers.sgd;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hocket.schedulers.checkpoint.Checkpoints;
import hocket.schedulers.feeds.ForwardingSource;
import hocket.schedulers.feeds.WaitFailedException;
import hocket.schedulers.rings.SaveOnFailure;
import hocket.schedulers.state.State;
import hocket.scopes.Parameters;
import hocket.scopes.Streams;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A run in which something throws once is saved where it stands, and goes on to the bits of one in which nothing did. */
@Tag("engine")
class SaveOnFailureTest {
    private static final int END = 9;

    @TempDir
    Path here = Path.of("");

    /** Throws one time of many. */
    private static final class Once {
        private final int times;
        private int left;

        Once(int before) {
            this(before, 1);
        }

        Once(int before, int times) {
            left = before;
            this.times = times;
        }

        void go() {
            left--;
            if (left < 0 && left >= -times) {
                throw new IllegalStateException("this once");
            }
        }
    }

    /** A GAN's scheduler in which something may throw. */
    private record Case(
            String name, int before, BiFunction<Toy.Gan, Once, Plan> plan, Resample draw, boolean bySource) {
        Scheduler begin(Parameters parameters, Toy.Gan gan, Once once) {
            Source rows = Toy.rows("image", 42, 4).batches(8);
            Source failing = new ForwardingSource(rows) {
                @Override
                public int next(Streams streams, Sink sink) {
                    once.go();
                    return super.next(streams, sink);
                }
            };
            return Scheduler.over(parameters, 1).plan(plan.apply(gan, once)).feed(bySource ? failing : rows, draw);
        }

        @Override
        public String toString() {
            return name;
        }
    }

    private static Turn.Descend d(Toy.Gan gan, Once once) {
        return Turn.of("d", gan.d().program()).updates("discriminator/**", sgd(1).rate(trainingProgress -> {
            once.go();
            return 0.01;
        }));
    }

    /** Discriminator and generator in turn. */
    private record InTurn(Once once) implements Schedule<InTurn.Count> {
        /** Choices so far. */
        record Count(long choices) {}

        @Override
        public Count start() {
            return new Count(0);
        }

        @Override
        public Choice<Count> next(Count state, ScheduleView view) {
            once.go();
            return new Choice<>(state.choices() % 2 == 0 ? "d" : "g", new Count(state.choices() + 1));
        }

        @Override
        public String toString() {
            return "in turn";
        }
    }

    /** The discriminator in the first half of each epoch, the generator in the second. */
    private record ByEpoch() implements Schedule<ByEpoch.None> {
        /** Nothing. */
        record None() {}

        @Override
        public None start() {
            return new None();
        }

        @Override
        public Choice<None> next(None state, ScheduleView view) {
            return new Choice<>(view.epoch("image") % 1 < 0.5 ? "d" : "g", state);
        }
    }

    private static Turn.Descend byEpoch(Turn.Descend turn, String weights, Once once) {
        return Turn.of(turn.name(), turn.program()).shares(weights, sgd(1).rate(trainingProgress -> {
            once.go();
            return trainingProgress.epoch() < 1 ? 0.01 : 0.02;
        }));
    }

    /** Where each turn draws, and what it does follows from the epoch: by its rate, and by who takes it. */
    static Stream<Case> cases() {
        return Stream.concat(
                others(),
                IntStream.range(5, 13)
                        .boxed()
                        .flatMap(before -> Stream.of(EACH_TURN, EACH_ROUND)
                                .map(resample -> new Case(
                                        "epochs of draws " + resample + ", after " + before,
                                        before,
                                        (gan, once) -> choose(
                                                new ByEpoch(),
                                                byEpoch(gan.d(), "discriminator/**", once),
                                                Turn.of("g", gan.d().program())
                                                        .shares("discriminator/**", sgd(1).rate(trainingProgress -> {
                                                            once.go();
                                                            return trainingProgress.epoch() < 1 ? 0.02 : 0.01;
                                                        }))),
                                        resample,
                                        false))));
    }

    private static Stream<Case> others() {
        BiFunction<Toy.Gan, Once, Plan> rate =
                (gan, once) -> sequence(d(gan, once).times(3), gan.g(), gan.ema());
        return Stream.of(
                new Case("a source", 7, (gan, once) -> sequence(gan.d().times(3), gan.g(), gan.ema()), EACH_TURN, true),
                new Case(
                        "a source of a round",
                        4,
                        (gan, once) -> sequence(gan.d().times(3), gan.g()),
                        EACH_ROUND,
                        true),
                new Case("a rate, once rows are drawn", 7, rate, EACH_TURN, false),
                new Case("a rate, once rows of the round are drawn", 7, rate, EACH_ROUND, false),
                new Case(
                        "a rate of turns taken together",
                        5,
                        (gan, once) -> simultaneous(gan.g(), d(gan, once)),
                        EACH_TURN,
                        false),
                new Case(
                        "a source within a trial",
                        6,
                        (gan, once) -> sequence(trial(simultaneous(gan.d(), gan.g()), gan.d(), gan.g())),
                        EACH_TURN,
                        true),
                new Case("a schedule", 5, (gan, once) -> choose(new InTurn(once), gan.d(), gan.g()), EACH_TURN, false));
    }

    private static State whole(Case what, Toy.Gan gan) {
        try (Parameters parameters = gan.parameters(7);
                Scheduler scheduler = what.begin(parameters, gan, new Once(Integer.MAX_VALUE))) {
            scheduler.run(rounds(END));
            return scheduler.save();
        }
    }

    @ParameterizedTest
    @MethodSource("cases")
    void whatThrewOnceInATurnThatWroteNothingGoesOnToTheSameBits(Case what) throws IOException {
        Toy.Gan gan = Toy.gan();
        State whole = whole(what, gan);
        try (Parameters parameters = gan.parameters(7);
                Scheduler scheduler = what.begin(parameters, gan, new Once(what.before))) {
            scheduler.saveTo(here).ring(new SaveOnFailure());
            assertThatThrownBy(() -> scheduler.run(rounds(END))).hasStackTraceContaining("this once");
            assertThat(scheduler.position().step()).isPositive();
            assertThat(Checkpoints.readLatest(here).whole("step"))
                    .isEqualTo(scheduler.position().step());

            scheduler.run(rounds(END));
            assertThat(scheduler.save()).isEqualTo(whole);
        }
        try (Parameters parameters = gan.parameters(7);
                Scheduler scheduler = what.begin(parameters, gan, new Once(Integer.MAX_VALUE))) {
            scheduler.resumeFrom(here);
            scheduler.run(rounds(END));
            assertThat(scheduler.save()).isEqualTo(whole);
        }
    }

    @Test
    void whatThrewTwiceReadsTheSameRowsTheThirdTime() {
        Case what = new Case("twice", 0, (gan, once) -> sequence(d(gan, once), gan.g()), EACH_TURN, false);
        Toy.Gan gan = Toy.gan();
        State whole = whole(what, gan);
        try (Parameters parameters = gan.parameters(7);
                Scheduler scheduler = what.begin(parameters, gan, new Once(4, 2))) {
            assertThatThrownBy(() -> scheduler.run(rounds(END))).hasStackTraceContaining("this once");
            assertThatThrownBy(() -> scheduler.run(rounds(END))).hasStackTraceContaining("this once");
            scheduler.run(rounds(END));
            assertThat(scheduler.save()).isEqualTo(whole);
        }
    }

    @Test
    void aTurnWhoseScheduleHadChangedASettingIsNotSaved() {
        Once once = new Once(4);
        Schedule<ByEpoch.None> halves = new Schedule<>() {
            @Override
            public ByEpoch.None start() {
                return new ByEpoch.None();
            }

            @Override
            public Choice<ByEpoch.None> next(ByEpoch.None state, ScheduleView view) {
                return new Choice<>("g", state).set("g/rate", view.setting("g/rate") * 0.5);
            }
        };
        assertNotSaved(
                new Case("settings", 0, (gan, ignored) -> choose(halves, gan.d(), gan.g()), EACH_TURN, false),
                Toy.gan(),
                scheduler -> scheduler.ring(new Ring() {
                    @Override
                    public void turn(Run run, List<Turn> turns, Next rest) {
                        once.go();
                        rest.proceed();
                    }
                }));
    }

    @Test
    void whatComesBehindAPlanInALoopByHandIsNotSaved() {
        Toy.Gan gan = Toy.gan();
        Once once = new Once(3);
        try (Parameters parameters = gan.parameters(7);
                Scheduler scheduler = Scheduler.over(parameters, 1)
                        .plan(gan.d())
                        .feed(Toy.rows("image", 42, 4).batches(8), EACH_TURN)
                        .saveTo(here)
                        .ring(new SaveOnFailure())) {
            assertThatThrownBy(() -> scheduler.loop(() -> {
                        while (true) {
                            scheduler.proceed();
                            once.go();
                        }
                    }))
                    .hasMessage("this once");
            assertThat(here).isEmptyDirectory();
        }
    }

    @Test
    void aTurnOfJavaThatThrewMayHaveChangedAnythingAndIsNotSaved() {
        Toy.Gan gan = Toy.gan();
        Once once = new Once(2);
        assertNotSaved(
                new Case(
                        "act",
                        0,
                        (gan0, ignored) -> sequence(gan0.d(), Turn.act("fail", run -> once.go())),
                        EACH_TURN,
                        false),
                gan,
                run -> {});
    }

    @Test
    void aTurnOfJavaThatWaitedInVainIsSavedAndGoesOnToTheSameBits() throws IOException {
        Toy.Gan gan = Toy.gan();
        BiFunction<Toy.Gan, Once, Plan> waiting = (gan0, once) -> sequence(gan0.d(), Turn.act("wait", run -> {
            try {
                once.go();
            } catch (IllegalStateException e) {
                throw new WaitFailedException("all are lost");
            }
        }));
        Case what = new Case("wait", 2, waiting, EACH_TURN, false);
        State whole = whole(what, gan);
        try (Parameters parameters = gan.parameters(7);
                Scheduler scheduler = what.begin(parameters, gan, new Once(2))) {
            scheduler.saveTo(here).ring(new SaveOnFailure());
            assertThatThrownBy(() -> scheduler.run(rounds(END))).hasMessage("all are lost");
            assertThat(scheduler.position().step()).isEqualTo(5); // between the third of one turn and of the other
        }
        try (Parameters parameters = gan.parameters(7);
                Scheduler scheduler = what.begin(parameters, gan, new Once(Integer.MAX_VALUE))) {
            scheduler.resumeFrom(here);
            assertThat(scheduler.position().step()).isEqualTo(5);
            scheduler.run(rounds(END));
            assertThat(scheduler.save()).isEqualTo(whole);
        }
    }

    @Test
    void whatIsBesideTrainingAndThrewIsNotSaved() {
        assertNotSaved(
                new Case("beside", 0, (gan, once) -> gan.d(), EACH_TURN, false),
                Toy.gan(),
                scheduler -> scheduler.on(everyRounds(2), run -> {
                    throw new IllegalStateException("this once");
                }));
    }

    @Test
    void aSourceThatThrewBehindItsRowsIsNotSaved() {
        Once once = new Once(4);
        Source rows = Toy.rows("image", 42, 4).batches(8);
        Source moved = new ForwardingSource(rows) {
            @Override
            public int next(Streams streams, Sink sink) {
                int count = super.next(streams, sink);
                once.go();
                return count;
            }
        };
        Toy.Gan gan = Toy.gan();
        try (Parameters parameters = gan.parameters(7);
                Scheduler scheduler =
                        Scheduler.over(parameters, 1).plan(gan.d()).feed(moved, EACH_TURN)) {
            assertFailsUnsaved(scheduler);
        }
    }

    private void assertNotSaved(Case what, Toy.Gan gan, Consumer<Scheduler> more) {
        try (Parameters parameters = gan.parameters(7);
                Scheduler scheduler = what.begin(parameters, gan, new Once(Integer.MAX_VALUE))) {
            more.accept(scheduler);
            assertFailsUnsaved(scheduler);
        }
    }

    private void assertFailsUnsaved(Scheduler scheduler) {
        scheduler.saveTo(here).ring(new SaveOnFailure());
        assertThatThrownBy(() -> scheduler.run(rounds(END))).hasMessage("this once");
        assertThat(scheduler.position().step()).isPositive();
        assertThat(here).isEmptyDirectory();
    }
}
