package hocket.schedulers;

import static hocket.programs.Layers.batchNorm;
import static hocket.programs.Layers.dense;
import static hocket.programs.Operators.dropout;
import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.square;
import static hocket.schedulers.Budget.epochs;
import static hocket.schedulers.Budget.rounds;
import static hocket.schedulers.Plan.sequence;
import static hocket.schedulers.Resample.EACH_TURN;
import static hocket.schedulers.Trigger.atEnd;
import static hocket.schedulers.Trigger.everyRounds;
import static hocket.schedulers.optimizers.Optimizers.adam;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hocket.programs.Graph;
import hocket.programs.Loss;
import hocket.programs.Mode;
import hocket.programs.Network;
import hocket.programs.Program;
import hocket.programs.Session;
import hocket.programs.Session.Feeds;
import hocket.programs.Value;
import hocket.schedulers.evaluation.Evaluation;
import hocket.schedulers.evaluation.Validation;
import hocket.schedulers.rings.TriggeredAction;
import hocket.schedulers.state.State;
import hocket.scopes.Parameters;
import hocket.scopes.Shape;
import hocket.scopes.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What is around what, in which order, and what a ring may do with the rest. */
@Tag("engine")
class RingTest {
    private final List<String> seen = new ArrayList<>();

    private static Definition gan(Budget budget) {
        return () -> {
            Toy.Gan gan = Toy.gan();
            return Setup.of(gan.graph(), sequence(gan.d().times(2), gan.g(), gan.ema()), budget)
                    .copy("generator/**", "ema/generator/**")
                    .feed(Toy.rows("image", 24, 4).batches(8), EACH_TURN);
        };
    }

    /** Says when it is entered and left. */
    private final class Saying implements Ring {
        private final String name;
        private final int order;

        Saying(String name, int order) {
            this.name = name;
            this.order = order;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public int order() {
            return order;
        }

        private void say(String what, Next next) {
            seen.add(name + ":" + what);
            next.proceed();
            seen.add(name + "/" + what);
        }

        @Override
        public void run(Run run, Next next) {
            say("run", next);
        }

        @Override
        public void initialise(Run run, Next next) {
            say("initialise", next);
        }

        @Override
        public void epoch(Run run, Next next) {
            say("epoch", next);
        }

        @Override
        public void round(Run run, Next next) {
            say("round", next);
        }

        @Override
        public void turn(Run run, List<Turn> turns, Next next) {
            say(turns.toString(), next);
        }

        @Override
        public void finalise(Run run, Next next) {
            say("finalise", next);
        }
    }

    @Test
    void ringsAreAroundEachPartOfARunByTheirOrder() {
        try (LiveRun run = gan(rounds(2)).begin(7, 1)) {
            run.scheduler()
                    .ring(new Saying("in", 5))
                    .ring(new Saying("out", -5))
                    .on(everyRounds(2), now -> seen.add("due"))
                    .on(atEnd(), now -> seen.add("end"));
            assertThat(run.scheduler().rings().stream().map(Ring::name))
                    .containsExactly("save", "out", everyRounds(2).toString(), atEnd().toString(), "in", "learn");
            run.run();
        }
        String turns = "out:[d] in:[d] in/[d] out/[d] ".repeat(2)
                + "out:[g] in:[g] in/[g] out/[g] out:[ema] in:[ema] in/[ema] out/[ema] ";
        String round = "out:round in:round " + turns + "in/round out/round ";
        assertThat(String.join(" ", seen))
                .isEqualTo("out:run in:run out:initialise in:initialise in/initialise out/initialise "
                        + "out:epoch in:epoch " + round // an epoch is three draws, a round two: it ends with the second
                        + round + "in/epoch out/epoch due "
                        + "out:finalise in:finalise end in/finalise out/finalise in/run out/run");
    }

    @Test
    void anEpochEndsWithTheRoundThatCompletesIt() {
        try (LiveRun run = gan(epochs("image", 2)).begin(7, 1)) {
            run.scheduler().ring(new Ring() {
                @Override
                public void epoch(Run now, Next next) {
                    next.proceed();
                    seen.add("epoch of round " + now.position().round());
                }

                @Override
                public Optional<Trigger> trigger() {
                    return Optional.of(Trigger.everyEpochOf("image"));
                }

                @Override
                public void due(Run now) {
                    seen.add("due");
                }
            });
            run.run();
        }
        assertThat(seen).containsExactly("epoch of round 2", "due", "epoch of round 3", "due");
    }

    /** Fails in some rounds before they begin, and takes them again; counts how often. */
    private static final class Retry extends CountingRing {
        @Override
        public void round(Run run, Next next) {
            try {
                if (run.position().round() % 3 == 1) {
                    throw new IllegalStateException("of its own making");
                }
                next.proceed();
            } catch (IllegalStateException e) {
                count++;
                next.proceed();
            }
        }
    }

    @Test
    void whatARingRemembersIsSavedAndRestoredWithTheRun() {
        State whole;
        try (LiveRun run = gan(rounds(8)).begin(7, 1)) {
            run.scheduler().ring(new Retry());
            run.run();
            whole = run.scheduler().save();
            assertThat(whole.state("rings").state("retry").whole("count")).isEqualTo(3); // rounds 1, 4, 7
        }
        State middle;
        try (LiveRun run = gan(rounds(8)).begin(7, 1)) {
            run.scheduler().ring(new Retry()).on(everyRounds(5), Run::stop);
            run.run();
            middle = run.scheduler().save();
        }
        for (boolean ringFirst : new boolean[] {true, false}) {
            try (LiveRun run = gan(rounds(8)).begin(7, 1)) {
                if (ringFirst) {
                    run.scheduler().ring(new Retry()).restore(middle);
                } else {
                    run.scheduler().restore(middle);
                    run.scheduler().ring(new Retry());
                }
                run.run();
                assertThat(run.scheduler().save()).isEqualTo(whole);
            }
        }
        try (LiveRun run = gan(rounds(8)).begin(7, 1)) {
            run.scheduler().ring(new Retry());
            State beginning = run.scheduler().save();
            run.run();
            run.scheduler().restore(beginning.without("rings")); // saved by a run that had none
            run.run();
            assertThat(run.scheduler().save()).isEqualTo(whole);
        }
    }

    @Test
    void aRoundThatIsLeftOutCountsAndTrainsNothingAndOneMoreTrainsOneMore() {
        try (LiveRun run = gan(rounds(6)).begin(7, 1)) {
            run.scheduler().ring(new Ring() {
                @Override
                public void round(Run now, Next next) {
                    if (now.position().round() == 0) {
                        return;
                    }
                    next.proceed();
                    if (now.position().round() == 3) {
                        next.proceed();
                    }
                }
            });
            run.run();
            assertThat(run.scheduler().position().round()).isEqualTo(6);
            assertThat(run.scheduler().count("g")).isEqualTo(5);
        }
    }

    @Test
    void oneMoreRoundThanTheBudgetIsNotTaken() {
        try (LiveRun run = gan(rounds(2)).begin(7, 1)) {
            run.scheduler().ring(new Ring() {
                @Override
                public void round(Run now, Next next) {
                    next.proceed();
                    next.proceed();
                    next.proceed();
                }
            });
            run.run();
            assertThat(run.scheduler().count("g")).isEqualTo(2);
        }
    }

    @Test
    void aRoundThatFailedInATurnIsTakenAgainFromWhatWasSaved() {
        String undisturbed;
        try (LiveRun run = gan(rounds(4)).begin(7, 1)) {
            run.run();
            undisturbed = run.parameters().digest();
        }
        try (LiveRun run = gan(rounds(4)).begin(7, 1)) {
            List<Long> failing = new ArrayList<>(List.of(6L)); // in the middle of the second round
            run.scheduler()
                    .ring(new Ring() {
                        @Override
                        public void round(Run now, Next next) {
                            State before = now.scheduler().save();
                            try {
                                next.proceed();
                            } catch (IllegalStateException e) {
                                seen.add(String.valueOf(e.getMessage()));
                                now.scheduler().restore(before);
                                next.proceed();
                            }
                        }
                    })
                    .listen(event -> {
                        if (failing.remove(event.at().step())) {
                            throw new IllegalStateException("a listener's");
                        }
                    });
            run.run();
            assertThat(seen).containsExactly("a listener's");
            assertThat(run.parameters().digest()).isEqualTo(undisturbed);
        }
    }

    @Test
    void aFailureThatIsOnlyCaughtDoesNotGoUnnoticed() {
        try (LiveRun run = gan(rounds(4)).begin(7, 1)) {
            run.scheduler()
                    .ring(new Ring() {
                        @Override
                        public void round(Run now, Next next) {
                            try {
                                next.proceed();
                            } catch (UnsupportedOperationException e) {
                                seen.add("caught");
                            }
                        }
                    })
                    .listen(event -> {
                        if (event instanceof Event.Descended && event.at().step() == 5) {
                            throw new UnsupportedOperationException();
                        }
                    });
            assertThatThrownBy(run::run)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("an error left the last turn half done");
            assertThat(seen).containsExactly("caught");
        }
    }

    @Test
    void aTurnThatARingLeavesOutIsNotTakenAndOneByHandSaysSo() {
        Ring withoutG = new Ring() {
            @Override
            public void turn(Run now, List<Turn> turns, Next next) {
                if (!turns.get(0).name().equals("g")) {
                    next.proceed();
                }
            }
        };
        try (LiveRun run = gan(rounds(3)).begin(7, 1)) {
            run.scheduler().ring(withoutG).run();
            assertThat(run.scheduler().count("d")).isEqualTo(6);
            assertThat(run.scheduler().count("g")).isZero();
            Turn g = run.setup().turnsByName().get("g");
            assertThatThrownBy(() -> run.scheduler().step(java.util.Objects.requireNonNull(g)))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("a ring skipped turn g");
        }
    }

    @Test
    void aPlanRoundsOfJavaAndALoopByHandGiveTheSameBitsWithTheSameRings() {
        List<State> ends = new ArrayList<>();
        for (int way = 0; way < 3; way++) {
            Toy.Gan gan = Toy.gan();
            Source images = Toy.rows("image", 24, 4).batches(8);
            try (Parameters parameters = gan.parameters(7);
                    Scheduler scheduler = Scheduler.over(parameters, 1)) {
                scheduler.feed(images, EACH_TURN).ring(new Retry()).ring(new Saying("all", 0));
                Runnable round = () -> {
                    scheduler.step(gan.d());
                    scheduler.step(gan.d());
                    scheduler.step(gan.g());
                };
                if (way == 0) {
                    scheduler.plan(sequence(gan.d().times(2), gan.g())).run(rounds(7));
                } else if (way == 1) {
                    scheduler.run(rounds(7), round);
                } else {
                    scheduler.loop(() -> {
                        for (int i = 0; i < 7; i++) {
                            scheduler.round(round);
                        }
                    });
                }
                ends.add(scheduler.save().without("plan").without("cursor"));
            }
        }
        assertThat(ends.get(1)).isEqualTo(ends.get(0));
        assertThat(ends.get(2)).isEqualTo(ends.get(0));
        assertThat(seen.stream().filter("all:[d]"::equals).count()).isEqualTo(3 * 14);
        assertThat(seen.stream().filter("all/run"::equals).count()).isEqualTo(3);
    }

    @Test
    void aStopEndsALoopByHandWhichSeesIt() {
        Toy.Gan gan = Toy.gan();
        try (Parameters parameters = gan.parameters(7);
                Scheduler scheduler = Scheduler.over(parameters, 1)) {
            scheduler
                    .feed(Toy.rows("image", 24, 4).batches(8), EACH_TURN)
                    .on(everyRounds(3), Run::stop)
                    .on(atEnd(), now -> seen.add("end"));
            scheduler.loop(() -> {
                while (!scheduler.isAskedToEnd()) {
                    scheduler.round(() -> scheduler.step(gan.d()));
                }
            });
            assertThat(scheduler.position().round()).isEqualTo(3);
            assertThat(seen).containsExactly("end");
        }
    }

    @Test
    void aRingMayCatchWhatFailsBesideTraining() {
        try (LiveRun run = gan(rounds(3)).begin(7, 1)) {
            run.scheduler()
                    .on(everyRounds(2), now -> {
                        throw new IllegalStateException("no picture");
                    })
                    .ring(new Ring() {
                        @Override
                        public void beside(Run now, Ring due, Next next) {
                            try {
                                next.proceed();
                            } catch (IllegalStateException e) {
                                seen.add(due + ": " + e.getMessage());
                            }
                        }
                    });
            run.run();
            assertThat(seen).containsExactly("on " + everyRounds(2) + ": no picture");
        }
    }

    @Test
    void innerRingsAreDueFirstSoThatTheOutermostSavesAllOfIt() {
        record Due(String name, int order, List<String> seen) implements Ring {
            @Override
            public Optional<Trigger> trigger() {
                return Optional.of(everyRounds(1));
            }

            @Override
            public void due(Run run) {
                seen.add(name);
            }
        }
        try (LiveRun run = gan(rounds(1)).begin(7, 1)) {
            run.scheduler()
                    .ring(new Due("save", -100, seen))
                    .ring(new Due("a", 0, seen))
                    .ring(new Due("b", 0, seen))
                    .ring(new Due("best", 10, seen));
            run.run();
        }
        assertThat(seen).containsExactly("best", "a", "b", "save");
    }

    @Test
    void theSameOnionWithoutLearningInfersAndWritesNothing() {
        Graph graph = new Graph();
        Value x = graph.input("x", Shape.of(4));
        Network<Value, Value> net =
                graph.module("net", in -> dropout("drop", batchNorm("norm", dense("out", in, 3)), 0.5));
        Loss loss = Loss.of(mean(square(net.apply(x))));
        Turn.Descend fit =
                Turn.of("fit", Program.compile("fit", Mode.TRAIN, loss)).updates("net/**", adam(1e-2));
        Definition training = () ->
                Setup.of(graph, fit, epochs("x", 2)).feed(Toy.rows("x", 24, 4).batches("x", 8, false), EACH_TURN);
        State learnt;
        try (LiveRun run = training.begin(7, 1)) {
            run.run();
            learnt = run.scheduler().save();
        }
        List<Double> losses = new ArrayList<>();
        try (LiveRun run = training.begin(7, 1)) {
            run.scheduler().restore(learnt);
            String before = run.parameters().digest();
            run.scheduler().without(Learn.NAME).listen(event -> {
                if (event instanceof Event.Descended turn) {
                    losses.add(turn.loss());
                }
            });
            run.scheduler().run(rounds(9)); // six of them have been
            assertThat(run.parameters().digest()).isEqualTo(before);
            Tensor rows = tensor(24, 4);
            try (Session session = Session.over(graph, run.parameters())) {
                for (int batch = 0; batch < 3; batch++) {
                    float[] some = java.util.Arrays.copyOfRange(rows.floats(), batch * 32, (batch + 1) * 32);
                    double expected = session.run(
                                    Program.compile("as_eval", Mode.EVAL, loss),
                                    Feeds.of("x", Tensor.of(Shape.of(8, 4), some)))
                            .get(0)
                            .scalar();
                    assertThat(losses.get(batch)).isEqualTo(expected);
                }
            }
        }
        assertThat(losses).hasSize(3);
    }

    private static Tensor tensor(int count, int width) {
        float[] values = new float[count * width];
        for (int i = 0; i < values.length; i++) {
            values[i] = (float) Math.sin(i * 0.7) + i % width;
        }
        return Tensor.of(Shape.of(count, width), values);
    }

    @Test
    void withoutLearningTurnsTakenTogetherAveragesAndJavaChangeNothing() {
        Definition definition = () -> {
            Toy.Gan gan = Toy.gan();
            return Setup.of(
                            gan.graph(),
                            sequence(
                                    Plan.simultaneous(gan.d(), gan.g()),
                                    gan.ema(),
                                    Turn.act("act", now -> seen.add("acted"))),
                            rounds(4))
                    .copy("generator/**", "ema/generator/**")
                    .feed(Toy.rows("image", 24, 4).batches(8), EACH_TURN);
        };
        try (LiveRun run = definition.begin(7, 1)) {
            String before = run.parameters().digest();
            run.scheduler()
                    .without("learn")
                    .listen(event -> seen.add(event.getClass().getSimpleName()));
            run.run();
            assertThat(run.parameters().digest()).isEqualTo(before);
        }
        assertThat(seen).doesNotContain("acted", "Followed");
        assertThat(seen.stream().filter("Descended"::equals).count()).isEqualTo(8);
    }

    @Test
    void whatIsNotAroundCannotBeTakenAway() {
        try (LiveRun run = gan(rounds(1)).begin(7, 1)) {
            assertThatThrownBy(() -> run.scheduler().without("lern"))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("no ring is called lern")
                    .hasMessageContaining("learn");
        }
    }

    @Test
    void whoLooksBesideTrainingDoesSoWithTheRunsThreadsAndWhatWasCompiledForTheRun() {
        Toy.Gan gan = Toy.gan();
        List<Session> sessions = new ArrayList<>();
        List<Tensor> samples = new ArrayList<>();
        List<Double> validated = new ArrayList<>();
        Program draw = Program.compile("draw", Mode.EVAL, gan.fake());
        Validation validation = new Validation(
                Toy.rows("image", 24, 4).batches(8),
                Program.compile("judge", Mode.EVAL, gan.d().program().targets().get(0)),
                "loss");
        Evaluation evaluation = new Evaluation() {
            @Override
            public SortedMap<String, Double> scores(Parameters parameters) {
                throw new AssertionError("a run has a session");
            }

            @Override
            public SortedMap<String, Double> scores(Session session) {
                sessions.add(session);
                session.run(draw, Session.Feeds.rows(2)); // others draw the same all the same
                return new TreeMap<>(Map.of("good", 1.0));
            }
        };
        try (Parameters parameters = gan.parameters(7);
                Scheduler scheduler = Scheduler.over(parameters, 3)) {
            scheduler.plan(gan.d()).feed(Toy.rows("image", 24, 4).batches(8), Resample.EACH_TURN);
            scheduler.ring(TriggeredAction.score(Trigger.everyRounds(1), evaluation));
            scheduler.ring(TriggeredAction.samples(Trigger.everyRounds(1), draw));
            scheduler.ring(TriggeredAction.validate(Trigger.everyRounds(1), validation));
            scheduler.listen(event -> {
                if (event instanceof Event.Sampled sampled) {
                    samples.add(sampled.samples());
                } else if (event instanceof Event.Validated of) {
                    validated.add(of.mean());
                }
            });
            scheduler.run(Budget.rounds(3));
            assertThat(sessions)
                    .hasSize(3)
                    .allSatisfy(session -> assertThat(session).isSameAs(sessions.get(0)));
            assertThat(sessions.get(0).threads()).isEqualTo(3);
            assertThat(samples).hasSize(3).containsOnly(samples.get(0)); // of a generator that no turn trains
            assertThat(validated).hasSize(3).doesNotHaveDuplicates();
        }
        assertThatThrownBy(() -> sessions.get(0).run(draw, Session.Feeds.rows(2)))
                .hasMessage("the session is closed");
    }
}
