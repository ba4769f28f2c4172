package hocket.schedulers;

import static hocket.programs.Layers.dense;
import static hocket.programs.Operators.mean;
import static hocket.schedulers.Budget.epochs;
import static hocket.schedulers.Budget.rounds;
import static hocket.schedulers.Plan.choose;
import static hocket.schedulers.Plan.sequence;
import static hocket.schedulers.Plan.simultaneous;
import static hocket.schedulers.Resample.EACH_ROUND;
import static hocket.schedulers.Resample.EACH_TURN;
import static hocket.schedulers.Trigger.atEnd;
import static hocket.schedulers.Trigger.everyEpochOf;
import static hocket.schedulers.Trigger.everyEpochs;
import static hocket.schedulers.Trigger.everyRounds;
import static hocket.schedulers.Trigger.everySeconds;
import static hocket.schedulers.optimizers.Optimizers.sgd;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import hocket.programs.Graph;
import hocket.programs.Mode;
import hocket.programs.Program;
import hocket.programs.Value;
import hocket.schedulers.optimizers.UpdateRule;
import hocket.schedulers.triggers.AtRounds;
import hocket.scopes.Parameters;
import hocket.scopes.Scope;
import hocket.scopes.Shape;
import hocket.scopes.Streams;
import hocket.scopes.Tensor;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** In which order things happen in a run, how often, and until when. */
@Tag("engine")
class RunTest {
    private final Toy.Gan gan = Toy.gan();
    private final Parameters parameters = gan.parameters(7);
    private final Scheduler scheduler = Scheduler.over(parameters, 1);
    private final List<String> seen = new ArrayList<>();

    @AfterEach
    void close() {
        scheduler.close();
        parameters.close();
    }

    private Turn act(String name) {
        return Turn.act(name, run -> seen.add(name));
    }

    private static Source images(int count, int batch) {
        return Toy.rows("image", count, 4).batches(batch);
    }

    @Test
    void aBudgetCountsFromTheVeryStartAndARunAnswersWhatItDidOfIt() {
        scheduler.plan(act("a"));
        assertThat(scheduler.run(rounds(5))).isEqualTo(5);
        assertThat(scheduler.run(rounds(5))).isZero();
        assertThat(scheduler.run(rounds(7))).isEqualTo(2);
        assertThat(scheduler.run(rounds(scheduler.position().round() + 5))).isEqualTo(5);
        assertThat(seen).hasSize(12);
        assertThat(scheduler.run(rounds(13), () -> scheduler.step(act("b")))).isEqualTo(1);
        scheduler.phases(List.of(new Phase("p", act("c"), rounds(16))));
        assertThat(scheduler.run()).isEqualTo(3);
        assertThat(scheduler.run()).isZero();
    }

    @Test
    void partsAreTakenInTheirOrderAndAsOftenAsTheySay() {
        Plan plan = sequence(act("a").times(2), sequence(act("b"), act("c")).times(2), act("d"));
        scheduler.plan(plan).run(rounds(2));
        assertThat(String.join("", seen)).isEqualTo("aabcbcdaabcbcd");
        assertThat(scheduler.position()).isEqualTo(new Event.Position(14, 2, 0));
    }

    @Test
    void aScheduleChoosesByWhatItRememberedAndSees() {
        record Zigzag() implements Schedule<Zigzag.Count> {
            record Count(int next) {}

            @Override
            public Count start() {
                return new Count(0);
            }

            @Override
            public Choice<Count> next(Count count, ScheduleView view) {
                assertThat(view.step()).isEqualTo(count.next());
                assertThat(view.round()).isEqualTo(count.next() / 2);
                assertThat(view.count("a") + view.count("b")).isEqualTo(count.next());
                return new Choice<>(count.next() % 3 == 0 ? "a" : "b", new Count(count.next() + 1));
            }
        }
        Plan one = choose(new Zigzag(), act("a"), act("b"));
        scheduler.plan(sequence(one, one)).run(rounds(3));
        assertThat(String.join("", seen)).isEqualTo("abbabb");
    }

    @Test
    void aScheduleThatChoosesAnotherTurnIsAnErrorThatNamesThem() {
        record Stray() implements Schedule<Balance.Streak> {
            @Override
            public Balance.Streak start() {
                return new Balance.Streak("", 0);
            }

            @Override
            public Choice<Balance.Streak> next(Balance.Streak state, ScheduleView view) {
                return new Choice<>("c", state);
            }
        }
        scheduler.plan(choose(new Stray(), act("a"), act("b")));
        assertThatThrownBy(() -> scheduler.run(rounds(1)))
                .hasMessage("schedule Stray[] chose c; it may choose from [a, b]");
        assertThat(scheduler.position().step()).isZero();
    }

    @Test
    void theBalancingScheduleOfTheDesignPlaysBothSidesAgainAndAgain() {
        scheduler.plan(choose(new Balance(1.2, 10), gan.d(), gan.g())).feed(images(64, 16), EACH_TURN);
        scheduler.listen(event -> {
            if (event instanceof Event.Descended turn) {
                seen.add(turn.turn());
            }
        });
        scheduler.run(rounds(1000));
        String played = String.join("", seen);
        assertThat(played).hasSize(1000).doesNotContain("d".repeat(11)).doesNotContain("g".repeat(11));
        for (int from = 0; from < 1000; from += 100) {
            assertThat(played.substring(from, from + 100)).contains("d", "g");
        }
    }

    @Test
    void theViewOfASeriesIsTheMeanOfItsLastValues() {
        List<Double> losses = new ArrayList<>();
        scheduler.plan(sequence(gan.d(), gan.g())).feed(images(64, 16), EACH_TURN);
        assertThat(scheduler.average("d/loss", 10)).isEmpty();
        scheduler.listen(event -> {
            if (event instanceof Event.Descended turn && turn.turn().equals("d")) {
                losses.add(turn.loss());
            }
        });
        scheduler.run(rounds(30));
        assertThat(scheduler.average("d/loss", 10))
                .hasValue(losses.subList(20, 30).stream().reduce(0.0, Double::sum) / 10);
        assertThat(scheduler.average("d/loss", 1)).hasValue(losses.get(29));
        assertThat(scheduler.average("d/gap", 1000)).isPresent();
        assertThat(scheduler.average("g/gradient_norm", 1000)).isPresent();
        assertThatThrownBy(() -> scheduler.average("d/los", 10))
                .hasMessage("no turn reports d/los; did you mean d/loss?");
        assertThatThrownBy(() -> scheduler.average("d/loss", 0)).hasMessage("a window must be 1 to 1000 values, was 0");
    }

    @Test
    void aRoundOfAPausedRunIsRefusedUntilItGoesOn() {
        Turn other = act("a");
        Turn pause = Turn.act("pause", run -> run.pause());
        scheduler.round(() -> scheduler.step(other));
        scheduler.round(() -> scheduler.step(pause));
        assertThat(scheduler.isAskedToEnd()).isTrue();
        assertThatThrownBy(() -> scheduler.round(() -> scheduler.step(other)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("asked to end");
        scheduler.loop(() -> scheduler.round(() -> scheduler.step(other)));
        assertThat(seen.stream().filter("a"::equals)).hasSize(2);
    }

    @Test
    void eventsComeInOrderWithTheirPositions() {
        scheduler.plan(sequence(gan.d(), simultaneous(gan.d(), gan.g()), gan.ema(), act("look")));
        scheduler.feed(images(12, 4), EACH_TURN);
        scheduler.listen(event -> seen.add(event.getClass().getSimpleName()
                + (event instanceof Event.Descended turn ? " " + turn.turn() : "") + " "
                + event.at().step() + " " + event.at().round() + " "
                + Math.round(300 * event.at().epoch()) / 100));
        scheduler.run(rounds(2));
        seen.removeIf("look"::equals);
        assertThat(seen)
                .containsExactly(
                        "Started 0 0 0",
                        "Descended d 0 0 0",
                        "Descended d 1 0 1",
                        "Descended g 2 0 1",
                        "Followed 3 0 2",
                        "Acted 4 0 2",
                        "RoundEnded 5 1 2",
                        "EpochEnded 5 1 3",
                        "Descended d 5 1 2",
                        "Descended d 6 1 3",
                        "Descended g 7 1 3",
                        "Followed 8 1 4",
                        "Acted 9 1 4",
                        "RoundEnded 10 2 4",
                        "Ended 10 2 4");
    }

    @Test
    void aDescendedEventReportsLossNormAndMetricsFromBeforeTheUpdate() {
        Event.Descended event = (Event.Descended) scheduler.step(gan.d(), images(12, 4));
        assertThat(event.metrics().names()).containsExactly("gap");
        assertThat(event.metrics().get("gap")).isFinite();
        assertThat(event.metrics()).hasToString("gap " + event.metrics().get("gap"));
        assertThatThrownBy(() -> event.metrics().get("gape")).hasMessage("there is no metric gape; there is [gap]");
        double squares = 0;
        for (var path : scheduler.writes().paths("d")) {
            if (!path.text().endsWith("mean") && !path.text().endsWith("variance")) {
                for (double g : scheduler.gradient(gan.d(), path.text()).doubles()) {
                    squares += g * g;
                }
            }
        }
        assertThat(event.gradientNorm()).isCloseTo(Math.sqrt(squares), within(1e-6));
    }

    @Test
    void triggersFireAtTheEndOfTheRoundInWhichTheyAreDue() {
        scheduler.plan(gan.d()).feed(images(12, 4), EACH_TURN);
        scheduler.on(everyRounds(4), run -> seen.add("4th " + run.position().round()));
        scheduler.on(
                everyEpochOf("image"), run -> seen.add("epoch " + run.position().round()));
        scheduler.on(
                everyEpochs("image", 2),
                run -> seen.add("epochs " + run.position().round()));
        scheduler.on(atEnd(), run -> seen.add("end " + run.position().round()));
        scheduler.run(epochs("image", 3));
        assertThat(seen).containsExactly("epoch 3", "4th 4", "epoch 6", "epochs 6", "4th 8", "epoch 9", "end 9");
    }

    @Test
    void aRunThatIsToStopDoesWhatIsDueAtItsEndAndOneThatPausesDoesNot() {
        scheduler.plan(gan.d()).feed(images(12, 4), EACH_TURN);
        scheduler.on(atEnd(), run -> seen.add("end " + run.position().round()));
        scheduler.on(new AtRounds(List.of(2L)), Run::stop);
        scheduler.on(new AtRounds(List.of(4L)), Run::pause);
        scheduler.run(rounds(10));
        assertThat(seen).containsExactly("end 2");
        scheduler.run(rounds(10));
        assertThat(scheduler.position().round()).isEqualTo(4);
        scheduler.run(rounds(10));
        assertThat(seen).containsExactly("end 2", "end 10");
    }

    @Test
    void secondsAreReadFromTheClockAndSteerNothing() {
        InstantSource clock = mock(InstantSource.class);
        AtomicLong now = new AtomicLong(1_000_000);
        when(clock.millis()).thenAnswer(call -> now.get());
        scheduler.clock(clock).plan(Turn.act("second", run -> now.addAndGet(1000)));
        scheduler.on(everySeconds(2.5), run -> seen.add("" + run.position().round()));
        scheduler.run(rounds(10));
        assertThat(seen).containsExactly("3", "6", "9");
    }

    @Test
    void aRunEndsWithTheRoundInWhichItsBudgetIsReachedOrItIsAskedTo() {
        Plan plan = act("a").times(3);
        scheduler.plan(plan).run(Budget.turns(7));
        assertThat(scheduler.position()).isEqualTo(new Event.Position(9, 3, 0));
        scheduler.run(rounds(3));
        assertThat(scheduler.position().round()).isEqualTo(3);
        List<Boolean> complete = new ArrayList<>();
        scheduler.listen(event -> {
            if (event instanceof Event.Ended ended) {
                complete.add(ended.complete());
            }
        });
        scheduler.on(everyRounds(5), Run::stop).on(atEnd(), run -> seen.add("end"));
        scheduler.run(rounds(8));
        assertThat(scheduler.position().round()).isEqualTo(5);
        assertThat(seen).endsWith("end");
        scheduler.run(rounds(8));
        assertThat(scheduler.position().round()).isEqualTo(8);
        assertThat(complete).containsExactly(false, true);
        assertThat(scheduler.done(rounds(16))).isEqualTo(0.5);
    }

    @Test
    void anEpochLeavesOutTheRowsThatDoNotFillABatch() {
        Source source = images(10, 4);
        scheduler.plan(gan.d()).feed(source, EACH_TURN).run(epochs("image", 3));
        assertThat(scheduler.position().step()).isEqualTo(6);
        assertThat(source.epoch()).isEqualTo(3);
    }

    @Test
    void anEpochShowsEachRowOnceInAnOrderThatFollowsFromSeedNameAndEpoch() {
        List<List<Integer>> orders = new ArrayList<>();
        for (int variant = 0; variant < 4; variant++) {
            Source source = Rows.of("row", Tensor.of(Shape.of(6), 0L, 1, 2, 3, 4, 5))
                    .batches(variant == 2 ? "other" : "row", 2);
            orders.add(draw(source, Streams.seed(variant == 3 ? 8 : 7), 6));
        }
        assertThat(orders.get(0).subList(0, 6)).containsExactlyInAnyOrder(0, 1, 2, 3, 4, 5);
        assertThat(orders.get(0).subList(6, 12))
                .containsExactlyInAnyOrder(0, 1, 2, 3, 4, 5)
                .isNotEqualTo(orders.get(0).subList(0, 6));
        assertThat(orders.get(1)).isEqualTo(orders.get(0));
        assertThat(orders.get(2)).isNotEqualTo(orders.get(0));
        assertThat(orders.get(3)).isNotEqualTo(orders.get(0));
        Source inOrder =
                Rows.of("row", Tensor.of(Shape.of(6), 0L, 1, 2, 3, 4, 5)).batchesInOrder("row", 4);
        assertThat(draw(inOrder, Streams.seed(7), 2)).containsExactly(0, 1, 2, 3, 0, 1, 2, 3);
    }

    private static List<Integer> draw(Source source, Streams streams, int times) {
        List<Integer> drawn = new ArrayList<>();
        for (int i = 0; i < times; i++) {
            ByteBuffer buffer = ByteBuffer.allocate(32).order(ByteOrder.nativeOrder());
            int rows = source.next(streams, (column, count) -> buffer);
            for (int r = 0; r < rows; r++) {
                drawn.add((int) buffer.getLong(8 * r));
            }
        }
        return drawn;
    }

    @Test
    void aSourceIsDrawnAnewForEveryTurnOrOnceARound() {
        Source each = images(24, 4);
        scheduler.plan(gan.d().times(3)).feed(each, EACH_TURN).run(rounds(2));
        assertThat(each.epoch()).isEqualTo(1);
        try (Parameters others = gan.parameters(7);
                Scheduler other = Scheduler.over(others, 1)) {
            Source once = images(24, 4);
            other.plan(gan.d().times(3)).feed(once, EACH_ROUND).run(rounds(2));
            assertThat(once.epoch()).isEqualTo(2.0 / 6);
        }
    }

    @Test
    void theTurnsOfARoundReadTheSameRowsWhereASourceIsDrawnOnceARound() {
        Graph graph = new Graph();
        Value x = graph.input("x", Shape.of(1));
        Value loss;
        try (Scope<Value> module = graph.module("net")) {
            loss = mean(dense("out", x, 1));
        }
        Program program = Program.compile("p", Mode.TRAIN, loss);
        Turn.Descend first = Turn.of("first", program).shares("net/**", still());
        Turn.Descend second = Turn.of("second", program).shares("net/**", still());
        for (Resample resample : Resample.values()) {
            List<Double> losses = new ArrayList<>();
            try (Parameters store = Toy.store(graph, 7);
                    Scheduler own = Scheduler.over(store, 1)) {
                own.plan(sequence(first, second))
                        .feed(Toy.rows("x", 40, 1).batches(4), resample)
                        .listen(event -> {
                            if (event instanceof Event.Descended turn) {
                                losses.add(turn.loss());
                            }
                        });
                own.run(rounds(2));
            }
            assertThat(losses.get(0).equals(losses.get(1))).isEqualTo(resample == EACH_ROUND);
            assertThat(losses.get(1)).isNotEqualTo(losses.get(2));
        }
    }

    private static UpdateRule still() {
        return sgd(0);
    }

    @Test
    void aLoopOfOnesOwnTakesTurnsAndEndsRounds() {
        Source images = images(16, 4);
        scheduler.on(
                everyEpochOf("image"), run -> seen.add("epoch " + run.position().step()));
        for (int i = 0; i < 6; i++) {
            scheduler.step(gan.d(), images);
            Event.Descended g = (Event.Descended) scheduler.step(gan.g());
            assertThat(g.at()).isEqualTo(new Event.Position(2 * i + 1, i, (i + 1) / 4.0));
            scheduler.endRound();
        }
        assertThat(scheduler.position()).isEqualTo(new Event.Position(12, 6, 1.5));
        assertThat(seen).containsExactly("epoch 8");
    }

    @Test
    void inALoopOfOnesOwnASourceDrawnOnceARoundIsDrawnAnewAfterEachRound() {
        Source images = images(12, 4);
        scheduler.feed(images, EACH_ROUND);
        scheduler.step(gan.d());
        scheduler.step(gan.d());
        assertThat(images.epoch()).isEqualTo(1.0 / 3);
        scheduler.endRound();
        scheduler.step(gan.d(), images);
        assertThat(images.epoch()).isEqualTo(2.0 / 3);
    }

    @Test
    void aLoopOfOnesOwnAndAPlanGiveTheSameBits() {
        scheduler
                .plan(sequence(gan.d(), gan.g()))
                .feed(images(12, 4), EACH_TURN)
                .run(rounds(5));
        try (Parameters others = gan.parameters(7);
                Scheduler own = Scheduler.over(others, 1)) {
            Source images = images(12, 4);
            for (int i = 0; i < 5; i++) {
                own.step(gan.d(), images);
                own.step(gan.g());
            }
            assertThat(others.digest()).isEqualTo(parameters.digest());
        }
    }

    @Test
    void aRefusedPlanLeavesTheSchedulerAsItWas() {
        assertThatThrownBy(() ->
                        scheduler.plan(sequence(gan.d(), Turn.of("g", gan.g().program()))))
                .hasMessageStartingWith("turn g updates nothing");
        scheduler
                .plan(sequence(gan.d(), gan.g()))
                .feed(images(12, 4), EACH_TURN)
                .run(rounds(1));
        assertThatThrownBy(
                        () -> scheduler.plan(Turn.of("d", gan.d().program()).updates("discriminator/in/**", still())))
                .hasMessage("another turn was called d before");
        scheduler.run(rounds(2));
        assertThat(scheduler.position().step()).isEqualTo(4);
    }

    @Test
    void aClosedSchedulerSaysSo() {
        scheduler.close();
        scheduler.close();
        assertThatThrownBy(() -> scheduler.step(gan.g())).hasMessage("the scheduler is closed");
        assertThatThrownBy(scheduler::save).hasMessage("the scheduler is closed");
        parameters.digest();
    }
}
