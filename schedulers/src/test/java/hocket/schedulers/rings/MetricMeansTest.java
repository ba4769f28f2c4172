package hocket.schedulers.rings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

import hocket.programs.Graph;
import hocket.schedulers.Budget;
import hocket.schedulers.Event;
import hocket.schedulers.Event.Position;
import hocket.schedulers.Plan;
import hocket.schedulers.Recorder;
import hocket.schedulers.Run;
import hocket.schedulers.Scheduler;
import hocket.schedulers.Setup;
import hocket.schedulers.Turn;
import hocket.scopes.Parameters;
import hocket.scopes.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class MetricMeansTest {
    private final List<String> recorded = new ArrayList<>();
    private final Recorder recorder = new Recorder() {
        @Override
        public void scalar(Position at, String turn, String name, double value) {
            recorded.add(at.round() + " " + turn + " " + name + " " + value);
        }

        @Override
        public void interim(Position at, String turn, String name, double value) {
            recorded.add("interim " + at.round() + " " + turn + " " + name + " " + value);
        }

        @Override
        public void images(Position at, String name, Tensor images) {}

        @Override
        public void text(Position at, String name, String text) {}
    };
    private static final RecordedRounds USUAL = RecordedRounds.USUAL;
    private static final RecordedRounds SPARSE = new RecordedRounds(50, 0);
    private static final long SECOND = 1_000_000_000L;
    private long now;
    private final MetricMeans means = new MetricMeans(recorder, USUAL, () -> now);

    @Test
    void theFirstRoundsHaveAPointEachAndLaterOnesTheMeanOfAHundredthOfAllSoFarUpToFifty() {
        assertThat(lossesOf(100, USUAL)).hasSize(100).startsWith("1 d loss 1.0", "2 d loss 2.0");
        assertThat(lossesOf(202, USUAL))
                .hasSize(201)
                .endsWith("199 d loss 199.0", "200 d loss 200.0", "202 d loss 201.5");
        assertThat(lossesOf(10_000, USUAL)).hasSize(800).endsWith("9950 d loss 9925.5", "10000 d loss 9975.5");
    }

    @Test
    void whoAsksForAPointEverySoManyRoundsHasThose() {
        assertThat(lossesOf(10, new RecordedRounds(4, 0))).containsExactly("4 d loss 2.5", "8 d loss 6.5");
        assertThat(lossesOf(300, new RecordedRounds(1, 0))).hasSize(300);
    }

    @Test
    @Tag("engine")
    void pointsDependOnTheRoundAloneAndNotOnHowLongTheRunIsMeantToBe() {
        assertThat(rounds(1000)).startsWith(rounds(300).toArray(new String[0]));
    }

    /** What a run of so many rounds of a second each records, points a hundred rounds apart. */
    private List<String> slow(double seconds, int rounds) {
        recorded.clear();
        now = 0;
        MetricMeans slow = new MetricMeans(recorder, new RecordedRounds(100, seconds), () -> now);
        for (long round = 1; round <= rounds; round++) {
            now += round == 1 ? 1000 * SECOND : SECOND; // the first compiles
            hear(slow, descended(round, metrics("gap", round), rate(1)));
            hear(slow, new Event.RoundEnded(at(round)));
        }
        return List.copyOf(recorded);
    }

    @Test
    void aSlowRunHasInterimPointsWhichChangeNoOther() {
        List<String> slow = slow(30, 200);
        assertThat(slow.stream().filter(line -> !line.startsWith("interim")))
                .containsExactlyElementsOf(slow(0, 200))
                .contains("100 d loss 50.5", "200 d loss 150.5");
        assertThat(slow.stream().filter(line -> line.endsWith("loss 16.0") || line.contains(" 100 d loss")))
                .containsExactly("interim 30 d loss 16.0", "interim 100 d loss 96.0");
        assertThat(slow(0, 200)).noneMatch(line -> line.startsWith("interim"));
    }

    @Test
    void aRateThatChangesOnceIsRecordedAtTheTurnThatUsedItFirst() {
        for (long round = 1; round <= 7000; round++) {
            hear(means, descended(round, Event.Metrics.none(), rate(round <= 6010 ? 1 : 0.5)));
            hear(means, new Event.RoundEnded(at(round)));
        }
        assertThat(recorded.stream().filter(line -> line.contains("rate")))
                .containsExactly("1 d rate 1.0", "6010 d rate 0.5");
    }

    @Test
    void aRateThatFallsWithEveryTurnIsRecordedWithThePoints() {
        for (long round = 1; round <= 6000; round++) {
            hear(means, descended(round, Event.Metrics.none(), rate(1.0 / round)));
            hear(means, new Event.RoundEnded(at(round)));
        }
        assertThat(recorded.stream().filter(line -> line.contains("rate")).count())
                .isEqualTo(
                        recorded.stream().filter(line -> line.contains("loss")).count());
    }

    @Test
    void aRateThatJumpsAgainAndAgainIsRecordedAFewTimesBetweenTwoPoints() {
        MetricMeans rare = new MetricMeans(recorder, new RecordedRounds(1000, 0), () -> now);
        for (long round = 1; round <= 3000; round++) {
            hear(rare, descended(round, Event.Metrics.none(), rate(round / 2)));
            hear(rare, new Event.RoundEnded(at(round)));
        }
        assertThat(recorded.stream().filter(line -> line.contains("rate"))).hasSize(1 + 2 * (10 + 1));
    }

    private static void hear(MetricMeans means, Event event) {
        event.tell(mock(Run.class), means);
    }

    private static Event.Descended descended(long round, Event.Metrics metrics, Event.Metrics settings) {
        return new Event.Descended(at(round - 1), "d", round, 2, metrics, settings);
    }

    private List<String> lossesOf(long rounds, RecordedRounds often) {
        recorded.clear();
        MetricMeans all = new MetricMeans(recorder, often, () -> 0);
        for (long round = 1; round <= rounds; round++) {
            hear(all, descended(round, Event.Metrics.none(), Event.Metrics.none()));
            hear(all, new Event.RoundEnded(at(round)));
        }
        return recorded.stream().filter(line -> line.contains("loss")).toList();
    }

    @Test
    void askedForInBetweenWhatIsThereIsRecordedOnce() {
        hear(means, new Event.Descended(at(20), "d", 3, 1, Event.Metrics.none(), Event.Metrics.none()));
        means.record(at(21));
        means.record(at(21));
        assertThat(recorded).containsExactly("21 d loss 3.0", "21 d gradient_norm 1.0");
    }

    @Test
    @Tag("engine")
    void whatTurnsOfJavaReportedIsAveragedUnderEachNameAndOfACountTheLastIsKept() {
        MetricMeans sparse = new MetricMeans(recorder, SPARSE, () -> 0);
        Turn collect = Turn.act("collect", run -> {
            long round = run.position().round();
            run.report("steps", 100 * (round + 1));
            if (round != 61) {
                run.report("episode_return", round);
            }
        });
        Turn wait = Turn.act("wait", run -> {});
        Setup setup = Setup.of(new Graph(), Plan.sequence(collect, wait), Budget.rounds(63));
        try (Parameters parameters = setup.initialise(0);
                Scheduler scheduler = setup.schedule(parameters)) {
            scheduler.listen(event -> {
                if (event.at().round() >= 60) {
                    hear(sparse, event);
                }
            });
            scheduler.run();
            sparse.record(at(63));
            sparse.record(at(63));
        }
        assertThat(recorded).containsExactly("63 collect episode_return 61.0", "63 collect steps 6300.0");
    }

    @Test
    void whatIsHeldBackIsSavedSoThatWhoGoesOnRecordsTheSame() {
        MetricMeans now = new MetricMeans(recorder, SPARSE, () -> 0);
        for (long round = 1; round <= 100; round++) {
            hear(now, new Event.Descended(at(round - 1), "g", 0.1 * round, 0.3, metrics("gap", round / 3.0), rate(1)));
            hear(now, new Event.Acted(at(round - 1), "collect", metrics("steps", 7.0 * round)));
            hear(
                    now,
                    new Event.Descended(
                            at(round - 1),
                            "d",
                            round == 30 ? Double.NaN : round,
                            2,
                            metrics("gap", 1),
                            rate(round / 40)));
            hear(now, new Event.RoundEnded(at(round)));
        }
        List<String> whole = List.copyOf(recorded);
        recorded.clear();
        now = new MetricMeans(recorder, SPARSE, () -> 0);
        for (long round = 1; round <= 100; round++) {
            hear(now, new Event.Descended(at(round - 1), "g", 0.1 * round, 0.3, metrics("gap", round / 3.0), rate(1)));
            now = goneOn(now);
            hear(now, new Event.Acted(at(round - 1), "collect", metrics("steps", 7.0 * round)));
            hear(
                    now,
                    new Event.Descended(
                            at(round - 1),
                            "d",
                            round == 30 ? Double.NaN : round,
                            2,
                            metrics("gap", 1),
                            rate(round / 40)));
            now = goneOn(now);
            hear(now, new Event.RoundEnded(at(round)));
        }
        assertThat(recorded).isEqualTo(whole).contains("50 d loss NaN", "50 collect steps 350.0");
    }

    private MetricMeans goneOn(MetricMeans before) {
        MetricMeans after = new MetricMeans(recorder, SPARSE, () -> 0);
        after.restore(before.save());
        return after;
    }

    private static Event.Metrics metrics(String name, double value) {
        return Event.Metrics.of(new TreeMap<>(Map.of(name, value)));
    }

    private static Event.Metrics rate(double value) {
        return metrics("rate", value);
    }

    private List<String> rounds(long count) {
        recorded.clear();
        MetricMeans all = new MetricMeans(recorder, USUAL, () -> 0);
        Turn collect =
                Turn.act("collect", run -> run.report("steps", run.position().round() + 1));
        Setup setup = Setup.of(new Graph(), collect, Budget.rounds(count));
        try (Parameters parameters = setup.initialise(0);
                Scheduler scheduler = setup.schedule(parameters)) {
            scheduler.listen(event -> hear(all, event)).run();
        }
        return List.copyOf(recorded);
    }

    private static Position at(long round) {
        return new Position(round, round, 0);
    }
}
