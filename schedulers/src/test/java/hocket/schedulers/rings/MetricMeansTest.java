package hocket.schedulers.rings;

import static org.assertj.core.api.Assertions.assertThat;

import hocket.programs.Graph;
import hocket.schedulers.Budget;
import hocket.schedulers.Event;
import hocket.schedulers.Event.Position;
import hocket.schedulers.Plan;
import hocket.schedulers.Recorder;
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
        public void images(Position at, String name, Tensor images) {}

        @Override
        public void text(Position at, String name, String text) {}
    };
    private final MetricMeans means = new MetricMeans(recorder);

    @Test
    void everyRoundAtFirstThenTheMeanOfFifty() {
        for (long round = 1; round <= 100; round++) {
            means.accept(new Event.Descended(at(round - 1), "d", round, 2, Event.Metrics.none(), Event.Metrics.none()));
            means.accept(new Event.RoundEnded(at(round)));
        }
        assertThat(recorded).hasSize(2 * 12);
        assertThat(recorded).startsWith("1 d loss 1.0", "1 d gradient_norm 2.0", "2 d loss 2.0");
        assertThat(recorded)
                .endsWith("50 d loss 30.5", "50 d gradient_norm 2.0", "100 d loss 75.5", "100 d gradient_norm 2.0");
    }

    @Test
    void askedForInBetweenWhatIsThereIsRecordedOnce() {
        means.accept(new Event.Descended(at(20), "d", 3, 1, Event.Metrics.none(), Event.Metrics.none()));
        means.record(at(21));
        means.record(at(21));
        assertThat(recorded).containsExactly("21 d loss 3.0", "21 d gradient_norm 1.0");
    }

    @Test
    @Tag("engine")
    void whatTurnsOfJavaReportedIsAveragedUnderEachNameAndOfACountTheLastIsKept() {
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
                    means.accept(event);
                }
            });
            scheduler.run();
            means.record(at(63));
            means.record(at(63));
        }
        assertThat(recorded).containsExactly("63 collect episode_return 61.0", "63 collect steps 6300.0");
    }

    @Test
    @Tag("engine")
    void fewRoundsWithATurnOfJavaAreRecordedMoreOften() {
        assertThat(rounds(30)).hasSize(30);
        recorded.clear();
        assertThat(rounds(1000)).hasSize(10 + 198).contains("15 collect steps 15.0", "1000 collect steps 1000.0");
        recorded.clear();
        assertThat(rounds(20_000)).hasSize(10 + 400);
    }

    @Test
    void whatIsHeldBackIsSavedSoThatWhoGoesOnRecordsTheSame() {
        MetricMeans now = means;
        for (long round = 1; round <= 100; round++) {
            now.accept(new Event.Descended(at(round - 1), "g", 0.1 * round, 0.3, metrics("gap", round / 3.0), rate(1)));
            now.accept(new Event.Acted(at(round - 1), "collect", metrics("steps", 7.0 * round)));
            now.accept(new Event.Descended(
                    at(round - 1), "d", round == 30 ? Double.NaN : round, 2, metrics("gap", 1), rate(round / 40)));
            now.accept(new Event.RoundEnded(at(round)));
        }
        List<String> whole = List.copyOf(recorded);
        recorded.clear();
        now = new MetricMeans(recorder);
        for (long round = 1; round <= 100; round++) {
            now.accept(new Event.Descended(at(round - 1), "g", 0.1 * round, 0.3, metrics("gap", round / 3.0), rate(1)));
            now = goneOn(now);
            now.accept(new Event.Acted(at(round - 1), "collect", metrics("steps", 7.0 * round)));
            now.accept(new Event.Descended(
                    at(round - 1), "d", round == 30 ? Double.NaN : round, 2, metrics("gap", 1), rate(round / 40)));
            now = goneOn(now);
            now.accept(new Event.RoundEnded(at(round)));
        }
        assertThat(recorded).isEqualTo(whole).contains("50 d loss NaN", "50 collect steps 350.0");
    }

    private MetricMeans goneOn(MetricMeans before) {
        MetricMeans after = new MetricMeans(recorder);
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
        Turn collect =
                Turn.act("collect", run -> run.report("steps", run.position().round() + 1));
        Setup setup = Setup.of(new Graph(), collect, Budget.rounds(count));
        try (Parameters parameters = setup.initialise(0);
                Scheduler scheduler = setup.schedule(parameters)) {
            scheduler.listen(means).run();
        }
        return recorded;
    }

    private static Position at(long round) {
        return new Position(round, round, 0);
    }
}
