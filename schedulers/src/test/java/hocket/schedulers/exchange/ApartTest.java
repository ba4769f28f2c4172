package hocket.schedulers.exchange;

import static hocket.schedulers.Plan.sequence;
import static hocket.schedulers.exchange.DividedTest.gan;
import static hocket.schedulers.exchange.DividedTest.images;
import static hocket.schedulers.exchange.DividedTest.together;
import static hocket.schedulers.optimizers.Optimizers.adam;
import static hocket.schedulers.optimizers.Optimizers.chain;
import static hocket.schedulers.optimizers.Optimizers.clipByGlobalNorm;
import static hocket.schedulers.optimizers.Optimizers.sgd;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import hocket.schedulers.Action;
import hocket.schedulers.Budget;
import hocket.schedulers.Event;
import hocket.schedulers.Plan;
import hocket.schedulers.Resample;
import hocket.schedulers.Schedule;
import hocket.schedulers.ScheduleView;
import hocket.schedulers.Scheduler;
import hocket.schedulers.Setup;
import hocket.schedulers.Trigger;
import hocket.schedulers.Turn;
import hocket.schedulers.optimizers.UpdateRule;
import hocket.schedulers.optimizers.rates.Rate;
import hocket.schedulers.plans.Repeat;
import hocket.schedulers.state.Saved;
import hocket.schedulers.state.State;
import hocket.schedulers.turns.ParameterServerTurns;
import hocket.scopes.Declaration;
import hocket.scopes.ElementType;
import hocket.scopes.Parameters;
import hocket.scopes.Streams;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Processes that move weights each by itself, and take their means. */
@Tag("engine")
class ApartTest {
    private static final ElementType TYPE = ElementType.FLOAT32;

    /** What a process came to. */
    private record Came(Map<String, double[]> parameters, List<String> events, List<Boolean> settled, State state) {}

    private static Map<String, Consistency> averaged(String selection, int rounds) {
        return Map.of(selection, new Consistency.Averaged(rounds));
    }

    /** Two turns of the GAN, its generator's average, and the consistency of one of them. */
    private static Plan plan(DividedTest.Gan gan, UpdateRule rule, int critics) {
        Turn.Descend d = Turn.of("d", gan.d().program()).updates("discriminator/**", rule);
        Turn.Descend g = Turn.of("g", gan.g().program()).updates("generator/**", rule);
        return sequence(d.times(critics), g, Turn.follow("ema", "generator/**", "ema/generator/**", 0.9));
    }

    private static Came trained(
            DividedTest.Gan gan,
            Plan plan,
            DataParallelSplit dataParallelSplit,
            int batch,
            int rounds,
            Optional<State> from) {
        return trained(gan, plan, dataParallelSplit, batch, rounds, from, event -> {});
    }

    private static Came trained(
            DividedTest.Gan gan,
            Plan plan,
            DataParallelSplit dataParallelSplit,
            int batch,
            int rounds,
            Optional<State> from,
            Consumer<Event> listener) {
        List<Declaration> declarations = new ArrayList<>(gan.graph().declarations());
        gan.graph().declarations().stream()
                .filter(each -> each.path().text().startsWith("generator/"))
                .forEach(each -> declarations.add(
                        each.at(hocket.scopes.Path.of("ema/" + each.path().text()))));
        try (Parameters parameters = Parameters.initialise(declarations, Streams.seed(7));
                Scheduler scheduler = Scheduler.over(parameters, 2, dataParallelSplit)) {
            List<String> events = new ArrayList<>();
            List<Boolean> settled = new ArrayList<>();
            scheduler
                    .plan(plan)
                    .feed(images(TYPE).batches("image", batch), Resample.EACH_TURN)
                    .listen(event -> {
                        if (event instanceof Event.Descended turn) {
                            events.add(
                                    turn.turn() + " " + turn.loss() + " " + turn.gradientNorm() + " " + turn.metrics());
                            settled.add(scheduler.isSettled());
                        }
                    });
            scheduler.listen(listener);
            from.ifPresent(scheduler::restore);
            scheduler.run(Budget.rounds(rounds));
            Map<String, double[]> all = new java.util.TreeMap<>();
            for (Declaration each : declarations) {
                all.put(
                        each.path().text(),
                        parameters.tensor(each.path().text()).doubles());
            }
            return new Came(all, events, settled, scheduler.save());
        }
    }

    private static void assertSame(Came one, Came other) {
        one.parameters()
                .forEach((path, values) ->
                        assertThat(other.parameters().get(path)).as(path).containsExactly(values));
    }

    /**
     * By SGD, the mean of weights that were moved once each is the weight moved by the mean gradient: float32, eight rounds of
     * losses about 1, each rounding some 1e-7. Where it is taken behind a round's last turn, no other sees what was apart.
     */
    @ParameterizedTest
    @ValueSource(strings = {"discriminator/**", "generator/**"})
    void theMeanAfterEachUpdateIsThatOfOneProcess(String selection) throws Exception {
        DividedTest.Gan gan = gan(TYPE, false, false);
        Plan plan = selection.startsWith("g")
                ? plan(gan, sgd(0.3), 1)
                : Turn.of("d", gan.d().program()).updates(selection, sgd(0.3));
        Came one = trained(gan, plan, DataParallelSplit.NONE, 12, 8, Optional.empty());
        List<Came> several = together(
                3,
                1,
                dataParallelSplit -> trained(
                        gan, plan, dataParallelSplit.consistent(averaged(selection, 1)), 12, 8, Optional.empty()));
        one.parameters()
                .forEach(
                        (path, values) -> assertThat(several.get(0).parameters().get(path))
                                .as(path)
                                .containsExactly(values, within(1e-5)));
        assertSame(several.get(0), several.get(1));
        assertSame(several.get(0), several.get(2));
    }

    /** Figures, too: decisions hang on them. */
    @ParameterizedTest
    @CsvSource({"1, 2, 7", "3, 1, 7", "4, 2, 8"})
    void allReportTheSameAndAreTheSameAtTheEnd(int rounds, int workers, int budget) throws Exception {
        DividedTest.Gan gan = gan(TYPE, true, true);
        Plan plan = plan(gan, adam(0.01), 2);
        List<Came> several = together(
                2,
                workers,
                dataParallelSplit -> trained(
                        gan, plan, dataParallelSplit.consistent(averaged("**", rounds)), 13, budget, Optional.empty()));
        assertThat(several.get(1).events()).isEqualTo(several.get(0).events());
        assertThat(several.get(0).settled()).doesNotContain(true);
        assertSame(several.get(0), several.get(1));
        assertThat(several.get(1).state()).isEqualTo(several.get(0).state());
        Came together = trained(gan, plan, DataParallelSplit.among(2 * workers), 13, budget, Optional.empty());
        assertThat(several.get(0).parameters().get("discriminator/logit/weight"))
                .isNotEqualTo(together.parameters().get("discriminator/logit/weight"));
    }

    /** One that goes on from where the mean was taken, goes on to the same bits; so does one process, from its own way on. */
    @Test
    void whatWasSavedBehindAMeanGoesOnToTheSameBits() throws Exception {
        DividedTest.Gan gan = gan(TYPE, false, false);
        Plan plan = plan(gan, adam(0.01), 2);
        DataParallelSplit way = DataParallelSplit.NONE.consistent(averaged("generator/**", 2));
        List<Came> whole = together(
                2,
                1,
                dataParallelSplit ->
                        trained(gan, plan, way.through(dataParallelSplit.exchange()), 12, 10, Optional.empty()));
        State half = together(
                        2,
                        1,
                        dataParallelSplit ->
                                trained(gan, plan, way.through(dataParallelSplit.exchange()), 12, 4, Optional.empty()))
                .get(0)
                .state();
        List<Came> again = together(
                2,
                1,
                dataParallelSplit ->
                        trained(gan, plan, way.through(dataParallelSplit.exchange()), 12, 10, Optional.of(half)));
        assertSame(whole.get(0), again.get(0));
        assertThat(again.get(1).state()).isEqualTo(whole.get(0).state());
        assertThat(again.get(0).events()).isEqualTo(whole.get(0).events().subList(12, 30));
        trained(gan, plan, way, 12, 10, Optional.of(half)); // one process takes it, too
    }

    @Test
    void whatWouldPartProcessesIsRefused() {
        DividedTest.Gan gan = gan(TYPE, false, false);
        Setup looking = Setup.of(gan.graph(), gan.d(), Budget.rounds(1));
        assertThatThrownBy(() -> checked(looking, averaged("discriminator/**", 2)))
                .hasMessageContaining("turn d looks at ")
                .hasMessageContaining("; each process would see that of its own rows");
        Turn.Descend d = Turn.of("d", gan.d().program()).updates("discriminator/**", sgd(0.1));
        assertThatThrownBy(() -> checked(
                        Setup.of(gan.graph(), d.unlessAbove("score", 3), Budget.rounds(1)),
                        averaged("discriminator/**", 2)))
                .hasMessageStartingWith("turn d updates nothing where score is above a limit; ");
        Setup acting = Setup.of(gan.graph(), sequence(d, Turn.act("look", run -> {})), Budget.rounds(1));
        assertThatThrownBy(() -> checked(acting, averaged("**", 2))).hasMessageStartingWith("turn look is Java, which");
        checked(acting, Map.of("**", new Consistency.Synchronous()));
        assertThatThrownBy(() -> checked(acting, averaged("discriminater/**", 2)))
                .hasMessageStartingWith("selection discriminater/** matches no weight that a turn updates");
        assertThatThrownBy(() -> checked(acting, averaged("discriminator/in/*", 2)))
                .hasMessageStartingWith("must be the same for all weights that turn d updates, and is \"")
                .hasMessageContaining("the mean after each 2 rounds\" for discriminator/in/bias");
        assertThatThrownBy(() -> new Consistency.Averaged(0)).hasMessage("average: must be at least 1, was 0");
        checked(Setup.of(gan.graph(), d, Budget.rounds(1)), averaged("**", 1));
    }

    private static void checked(Setup setup, Map<String, Consistency> by) {
        setup.divided(DataParallelSplit.among(2).consistent(by)).checkConsistency();
    }

    private static ParameterServerTurns server(DividedTest.Gan gan, Plan plan, Map<String, Consistency> by) {
        Setup setup = Setup.of(gan.graph(), plan, Budget.rounds(1))
                .copy("generator/**", "ema/generator/**")
                .divided(DataParallelSplit.among(1).consistent(by));
        return new ParameterServerTurns(setup, 2, 1);
    }

    /** A process whose only fellow has what it has, and pushes nothing. */
    private static Exchange twin(ParameterServerTurns server) {
        Exchange alone = new Meeting(1, server).of(0);
        return new Exchange() {
            @Override
            public int rank() {
                return 0;
            }

            @Override
            public int processes() {
                return 2;
            }

            @Override
            public Channel open(String name, ElementType type, int count) {
                Channel channel = alone.open(name, type, count);
                return new Channel() {
                    @Override
                    public ByteBuffer numbers() {
                        return channel.numbers();
                    }

                    @Override
                    public void sum() {
                        for (int i = 0; i < count; i++) {
                            type.put(numbers(), i, 2 * type.get(numbers(), i));
                        }
                    }
                };
            }

            @Override
            public Kept keep(String name, ByteBuffer initial) {
                return alone.keep(name, initial);
            }
        };
    }

    /** Server or worker, who moves the weights of a turn does it to the same bits, and a run goes on from what was saved. */
    @Test
    void aServersOptimizerIsTheWorkers() throws Exception {
        DividedTest.Gan gan = gan(TYPE, true, true);
        Plan plan = plan(gan, chain(clipByGlobalNorm(0.5), adam(0.01).rate(Rate.linear(0.02, 0.001, 2, 20))), 2);
        Map<String, Consistency> stale = Map.of("**", new Consistency.Stale(1_000_000));
        try (ParameterServerTurns nothing = server(gan, plan, Map.of());
                ParameterServerTurns whole = server(gan, plan, stale);
                ParameterServerTurns first = server(gan, plan, stale);
                ParameterServerTurns second = server(gan, plan, stale)) {
            DataParallelSplit divided = DataParallelSplit.NONE.consistent(stale);
            Came own = trained(
                    gan,
                    plan,
                    DataParallelSplit.NONE.consistent(averaged("**", 1)).through(twin(nothing)),
                    12,
                    8,
                    Optional.empty());
            Came moved = trained(gan, plan, divided.through(twin(whole)), 12, 8, Optional.empty());
            assertSame(own, moved);
            for (String turn : List.of("d", "g")) {
                assertThat(moved.state().state("turns").state(turn).without("rates"))
                        .isEqualTo(own.state()
                                .state("turns")
                                .state(turn)
                                .without("rates")
                                .without("figures"));
            }
            State half = trained(gan, plan, divided.through(twin(first)), 12, 3, Optional.empty())
                    .state();
            Came again = trained(gan, plan, divided.through(twin(second)), 12, 8, Optional.of(half));
            assertSame(moved, again);
            assertThat(again.state()).isEqualTo(moved.state());
        }
    }

    /** How far ahead of the other each was, at most, when it had taken a turn: as far as the other had told by then. */
    @ParameterizedTest
    @ValueSource(ints = {0, 3})
    void nobodyIsFurtherAheadThanAllowedAndAllEndAlike(int most) throws Exception {
        DividedTest.Gan gan = gan(TYPE, false, false);
        Plan plan = plan(gan, adam(0.01), 1);
        Map<String, Consistency> stale =
                Map.of("discriminator/**", new Consistency.Stale(most), "generator/**", new Consistency.Stale(1000));
        try (ParameterServerTurns server = server(gan, plan, stale)) {
            AtomicLongArray begun = new AtomicLongArray(2);
            AtomicLong lead = new AtomicLong();
            List<Came> both = together(new Meeting(2, server), 2, 1, dataParallelSplit -> {
                int rank = dataParallelSplit.exchange().rank();
                return trained(gan, plan, dataParallelSplit.consistent(stale), 12, 30, Optional.empty(), event -> {
                    if (event instanceof Event.Descended turn && turn.turn().equals("d")) {
                        // The other may have pushed one more than it has told of here.
                        lead.accumulateAndGet(begun.incrementAndGet(rank) - begun.get(1 - rank) - 1, Math::max);
                    }
                });
            });
            assertSame(both.get(0), both.get(1));
            assertThat(lead.get()).isLessThanOrEqualTo(most);
            assertThat(both.get(0)
                            .state()
                            .state("turns")
                            .state("d")
                            .state("counts")
                            .items())
                    .allSatisfy((link, count) -> assertThat(count).isEqualTo(new Saved.Whole(60)));
        }
    }

    /** One that was asked to stop is not waited for; all come to the same where they end. */
    @Test
    void nobodyWaitsForOneThatEndsBeforeItsTime() throws Exception {
        DividedTest.Gan gan = gan(TYPE, false, false);
        Plan plan = plan(gan, adam(0.01), 1);
        Map<String, Consistency> stale = Map.of("**", new Consistency.Stale(2));
        try (ParameterServerTurns server = server(gan, plan, stale)) {
            List<Came> both = together(new Meeting(2, server), 2, 1, dataParallelSplit -> {
                int rounds = dataParallelSplit.exchange().rank() == 0 ? 5 : 20;
                return trained(gan, plan, dataParallelSplit.consistent(stale), 12, rounds, Optional.empty());
            });
            assertSame(both.get(0), both.get(1));
        }
    }

    /** Who ended a run and begins the next is waited for again: by the same plan, and by one that has a turn more. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whoRunsOnIsWaitedForAgain(boolean more) throws Exception {
        DividedTest.Gan gan = gan(TYPE, false, false);
        Map<String, Consistency> stale =
                Map.of("discriminator/**", new Consistency.Stale(0), "generator/**", new Consistency.Stale(1000));
        Plan plan = plan(gan, adam(0.01), 1);
        try (ParameterServerTurns server = server(gan, plan, stale)) {
            AtomicLongArray taken = new AtomicLongArray(2);
            AtomicLong lead = new AtomicLong();
            Turn.Descend d = Turn.of("d", gan.d().program()).updates("discriminator/**", adam(0.01));
            Turn.Descend g = Turn.of("g", gan.g().program()).updates("generator/**", adam(0.01));
            List<double[]> both = together(new Meeting(2, server), 2, 1, dataParallelSplit -> {
                int rank = dataParallelSplit.exchange().rank();
                try (Parameters parameters = Parameters.initialise(gan.graph().declarations(), Streams.seed(7));
                        Scheduler scheduler = Scheduler.over(parameters, 1, dataParallelSplit.consistent(stale))) {
                    scheduler
                            .plan(d)
                            .feed(images(TYPE).batches("image", 12), Resample.EACH_TURN)
                            .listen(event -> {
                                if (event instanceof Event.Descended turn
                                        && turn.turn().equals("d")) {
                                    lead.accumulateAndGet(
                                            taken.incrementAndGet(rank) - taken.get(1 - rank) - 1, Math::max);
                                    slowly(rank);
                                }
                            });
                    scheduler.run(Budget.rounds(5));
                    if (more) {
                        scheduler.plan(sequence(d, g));
                    }
                    scheduler.run(Budget.rounds(30));
                    return parameters.tensor("discriminator/logit/weight").doubles();
                }
            });
            assertThat(both.get(0)).isEqualTo(both.get(1));
            assertThat(lead.get()).isZero();
        }
    }

    /** One of two takes longer, and would be left behind. */
    private static void slowly(int rank) {
        if (rank == 1) {
            LockSupport.parkNanos(2_000_000);
        }
    }

    /** The first turn five times, then both in turn. */
    private record LateSecond() implements Schedule<LateSecond.Nothing> {
        record Nothing() {}

        @Override
        public Nothing start() {
            return new Nothing();
        }

        @Override
        public Choice<Nothing> next(Nothing nothing, ScheduleView view) {
            return new Choice<>(view.step() < 5 || view.step() % 2 == 0 ? "d" : "g", nothing);
        }
    }

    /** One that comes late in a plan was left, at the end of a run, before it was ever taken. */
    @Test
    void aTurnThatIsFirstTakenInTheSecondRunIsWaitedFor() throws Exception {
        DividedTest.Gan gan = gan(TYPE, false, false);
        Map<String, Consistency> stale =
                Map.of("discriminator/**", new Consistency.Stale(1000), "generator/**", new Consistency.Stale(0));
        Turn.Descend d = Turn.of("d", gan.d().program()).updates("discriminator/**", adam(0.01));
        Turn.Descend g = Turn.of("g", gan.g().program()).updates("generator/**", adam(0.01));
        Plan plan = Plan.choose(new LateSecond(), d, g);
        try (ParameterServerTurns server = server(gan, plan, stale)) {
            AtomicLongArray taken = new AtomicLongArray(2);
            AtomicLong lead = new AtomicLong();
            together(new Meeting(2, server), 2, 1, dataParallelSplit -> {
                int rank = dataParallelSplit.exchange().rank();
                try (Parameters parameters = Parameters.initialise(gan.graph().declarations(), Streams.seed(7));
                        Scheduler scheduler = Scheduler.over(parameters, 1, dataParallelSplit.consistent(stale))) {
                    scheduler
                            .plan(plan)
                            .feed(images(TYPE).batches("image", 12), Resample.EACH_TURN)
                            .listen(event -> {
                                if (event instanceof Event.Descended turn
                                        && turn.turn().equals("g")) {
                                    lead.accumulateAndGet(
                                            taken.incrementAndGet(rank) - taken.get(1 - rank) - 1, Math::max);
                                    slowly(rank);
                                }
                            });
                    scheduler.run(Budget.rounds(5));
                    scheduler.run(Budget.rounds(30));
                    return scheduler.count("g");
                }
            });
            assertThat(lead.get()).isZero();
        }
    }

    /** Those of a turn are on one server, which takes the keys that are alike modulo the number of servers. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void turnsAreSpreadOverServers(int servers) {
        Set<Integer> keys = new HashSet<>();
        for (int turn = 0; turn < 7; turn++) {
            int rules = ParameterServerTurns.key(2 * turn, servers);
            int weights = ParameterServerTurns.key(2 * turn + 1, servers);
            assertThat(weights).isEqualTo(rules + servers);
            assertThat(rules % servers).isEqualTo(turn % servers);
            assertThat(keys.add(rules) && keys.add(weights)).isTrue();
        }
    }

    @Test
    void whatHangsOnFiguresIsNotForServers() {
        DividedTest.Gan gan = gan(TYPE, false, false);
        Map<String, Consistency> stale = Map.of("**", new Consistency.Stale(2));
        String why = ", and processes whose weights servers update are in different turns";
        Turn.Descend d = Turn.of("d", gan.d().program()).updates("discriminator/**", sgd(0.1));
        Turn.Descend g = Turn.of("g", gan.g().program()).updates("generator/**", sgd(0.1));
        Setup setup = Setup.of(gan.graph(), sequence(d, g), Budget.rounds(1));
        checked(setup, stale);
        assertThatThrownBy(() ->
                        checked(setup.on(Trigger.everyRounds(2), new Action.Scale(Map.of("d/rate", 0.5))), stale))
                .hasMessage("on: settings are changed" + why);
        assertThatThrownBy(() -> checked(
                        Setup.of(
                                gan.graph(),
                                sequence(
                                        new Repeat(
                                                view -> view.average("d/loss", 3)
                                                                .isEmpty()
                                                        ? 1
                                                        : 2,
                                                d),
                                        g),
                                Budget.rounds(1)),
                        stale))
                .hasMessage("the plan depends on metrics of turns" + why);
        assertThatThrownBy(() -> new Consistency.Stale(-1)).hasMessage("stale: must be at least 0, was -1");
    }

    /** No rehearsal goes through as many rounds as it takes. */
    @Test
    void aPlanThatComesToHangOnFiguresLateIsRefusedThere() throws Exception {
        DividedTest.Gan gan = gan(TYPE, false, false);
        Map<String, Consistency> stale = Map.of("**", new Consistency.Stale(2));
        Turn.Descend d = Turn.of("d", gan.d().program()).updates("discriminator/**", sgd(0.1));
        Plan late = new Repeat(
                view -> view.round() < 100 || view.average("d/loss", 3).isEmpty() ? 1 : 2, d);
        checked(Setup.of(gan.graph(), late, Budget.rounds(200)), stale);
        try (ParameterServerTurns server = server(gan, late, stale)) {
            List<String> both = together(new Meeting(2, server), 2, 1, dataParallelSplit -> {
                try (Parameters parameters = Parameters.initialise(gan.graph().declarations(), Streams.seed(7));
                        Scheduler scheduler = Scheduler.over(parameters, 1, dataParallelSplit.consistent(stale))) {
                    scheduler.plan(late).feed(images(TYPE).batches("image", 12), Resample.EACH_TURN);
                    try {
                        scheduler.run(Budget.rounds(200));
                        return "nothing is said";
                    } catch (IllegalStateException e) {
                        return scheduler.count("d") + ": " + e.getMessage();
                    }
                }
            });
            assertThat(both)
                    .containsOnly("100: the plan depends on d/loss, and processes whose weights servers update are in"
                            + " different turns");
        }
    }
}
