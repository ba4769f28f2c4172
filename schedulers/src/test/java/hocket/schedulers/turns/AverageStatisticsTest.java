package hocket.schedulers.turns;

import static hocket.programs.Layers.batchNorm;
import static hocket.programs.Layers.conditionalBatchNorm;
import static hocket.programs.Layers.dense;
import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.shift;
import static hocket.programs.Operators.square;
import static hocket.programs.Operators.tanh;
import static hocket.schedulers.Budget.rounds;
import static hocket.schedulers.Plan.sequence;
import static hocket.schedulers.Resample.EACH_TURN;
import static hocket.schedulers.optimizers.Optimizers.adam;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import hocket.programs.Graph;
import hocket.programs.Mode;
import hocket.programs.Program;
import hocket.programs.Session;
import hocket.programs.Session.Feeds;
import hocket.programs.Value;
import hocket.schedulers.Event;
import hocket.schedulers.Rows;
import hocket.schedulers.Run;
import hocket.schedulers.Scheduler;
import hocket.schedulers.Source;
import hocket.schedulers.Toy;
import hocket.schedulers.Trigger;
import hocket.schedulers.Turn;
import hocket.schedulers.checkpoint.Checkpoints;
import hocket.schedulers.evaluation.Evaluation;
import hocket.schedulers.feeds.ForwardingSource;
import hocket.schedulers.rings.KeepBest;
import hocket.schedulers.rings.SaveOnFailure;
import hocket.schedulers.rings.TriggeredAction;
import hocket.schedulers.state.State;
import hocket.scopes.ElementType;
import hocket.scopes.Parameters;
import hocket.scopes.Scope;
import hocket.scopes.Shape;
import hocket.scopes.Snapshot;
import hocket.scopes.Streams;
import hocket.scopes.Tensor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an average of weights is read with. */
class AverageStatisticsTest {
    private static final String MEAN = "ema/generator/norm/mean";
    private static final String VARIANCE = "ema/generator/norm/variance";

    /** Images of which somebody counts how often they are drawn for estimates, and that can fail from some time on. */
    private static final class Drawn extends ForwardingSource {
        private final AtomicBoolean failing;
        private final AtomicInteger draws;
        private final boolean fresh;

        Drawn(AtomicBoolean failing, AtomicInteger draws, boolean fresh) {
            super(images());
            this.failing = failing;
            this.draws = draws;
            this.fresh = fresh;
        }

        @Override
        public int next(Streams streams, Sink sink) {
            if (failing.get()) {
                throw new UncheckedIOException(new IOException("the disk is gone"));
            }
            draws.addAndGet(fresh ? 1 : 0);
            return super.next(streams, sink);
        }

        @Override
        public Optional<Source> fresh() {
            return Optional.of(new Drawn(failing, draws, true));
        }
    }

    /** A network that normalises data, and its average. */
    private record Encoder(Graph graph, Turn.Descend learn, Turn.Follow ema) {
        static Encoder of(int batches) {
            Graph graph = new Graph();
            Value image = graph.input("image", Shape.of(4));
            Value code;
            try (Scope<Value> encoder = graph.module("encoder")) {
                code = batchNorm("norm", image);
            }
            Turn.Descend learn = Turn.of("learn", Program.compile("learn", Mode.TRAIN, mean(square(code))))
                    .updates("encoder/**", adam(1e-2));
            return new Encoder(
                    graph,
                    learn,
                    Turn.average("ema", "encoder/**", "ema/encoder/**", 0.9).statisticsBatches(batches));
        }

        Parameters parameters() {
            return Toy.store(graph, 7).copy("encoder/**", "ema/encoder/**");
        }

        Scheduler scheduler(Parameters parameters, Source source) {
            return Scheduler.over(parameters, 2).plan(sequence(learn, ema)).feed(source, EACH_TURN);
        }
    }

    private final Toy.Gan gan = Toy.gan();
    private final Program draw = Program.compile("draw", Mode.EVAL, gan.fake()).reading("generator", "ema/generator");

    private static Source images() {
        return Toy.rows("image", 42, 4).batches(8);
    }

    private Scheduler scheduler(Parameters parameters, Turn.Follow ema) {
        return Scheduler.over(parameters, 2)
                .plan(sequence(gan.d(), gan.g(), ema))
                .feed(images(), EACH_TURN);
    }

    private static double[] read(Scheduler scheduler, String path) {
        return scheduler.asSaved(() -> scheduler.parameters().tensor(path)).doubles();
    }

    /** A read lends the store the statistics, which is no change of it. */
    @Test
    void aTurnOfJavaMayReadAnAverage() {
        Encoder encoder = Encoder.of(4);
        Program code = Program.compile(
                        "code",
                        Mode.EVAL,
                        mean(Objects.requireNonNull(encoder.graph().value("encoder/norm"))))
                .reading("encoder", "ema/encoder");
        List<Double> read = new ArrayList<>();
        Turn look = Turn.act(
                "look",
                run -> read.add(run.session()
                        .run(code, Feeds.of("image", Tensor.filled(Shape.of(2, 4), ElementType.FLOAT32, 1)))
                        .get(0)
                        .scalar()));
        try (Parameters parameters = encoder.parameters();
                Scheduler scheduler = encoder.scheduler(parameters, images())) {
            scheduler.plan(sequence(encoder.learn(), encoder.ema(), look)).run(rounds(3));
        }
        assertThat(read).hasSize(3).doesNotHaveDuplicates();
    }

    @Test
    void anAverageHasTheStatisticsOfItsOwnWeightsWhileItIsRead() {
        try (Parameters parameters = gan.parameters(7);
                Scheduler scheduler = scheduler(parameters, gan.ema().statisticsBatches(2000))) {
            assertTheAverageHasItsOwnStatistics(parameters, scheduler);
        }
    }

    @Test
    void soHasAnAverageWithAConditionalNorm() {
        Graph graph = new Graph();
        Value label = graph.input("label", Shape.scalar(), ElementType.INT64);
        Value y;
        try (Scope<Value> generator = graph.module("generator")) {
            Value h = dense("in", graph.noise("noise", Shape.of(3)), 4);
            y = conditionalBatchNorm("norm", h, label, 2);
        }
        Turn.Descend learn = Turn.of("learn", Program.compile("learn", Mode.TRAIN, mean(square(shift(tanh(y), -0.5)))))
                .updates("generator/**", adam(1e-2));
        Turn.Follow ema =
                Turn.average("ema", "generator/**", "ema/generator/**", 0.9).statisticsBatches(2000);
        Source labels = Rows.of("label", Tensor.of(Shape.of(8), 0L, 1L, 1L, 0L, 1L, 0L, 0L, 1L))
                .batches(8);
        try (Parameters parameters = Toy.store(graph, 7).copy("generator/**", "ema/generator/**");
                Scheduler scheduler =
                        Scheduler.over(parameters, 2).plan(sequence(learn, ema)).feed(labels, EACH_TURN)) {
            assertTheAverageHasItsOwnStatistics(parameters, scheduler);
        }
    }

    /** The norm's input is W z + b of standard normal z: mean b, variance the sum of squares of W's row. */
    private static void assertTheAverageHasItsOwnStatistics(Parameters parameters, Scheduler scheduler) {
        scheduler.run(rounds(40));
        double[] copied = parameters.tensor(VARIANCE).doubles();
        assertThat(copied)
                .isEqualTo(parameters.tensor("generator/norm/variance").doubles());
        double[] weight = parameters.tensor("ema/generator/in/weight").doubles();
        double[] bias = parameters.tensor("ema/generator/in/bias").doubles();
        double[] means = read(scheduler, MEAN);
        double[] variances = read(scheduler, VARIANCE);
        for (int unit = 0; unit < bias.length; unit++) {
            double variance = 0;
            for (int i = 0; i < 3; i++) {
                variance += weight[3 * unit + i] * weight[3 * unit + i];
            }
            // 16,000 rows: five standard errors of a mean are 0.04 deviations, of a variance 5.6 %
            assertThat(means[unit]).isCloseTo(bias[unit], within(0.04 * Math.sqrt(variance)));
            assertThat(variances[unit]).isCloseTo(variance, within(0.056 * variance));
        }
        assertThat(parameters.tensor(VARIANCE).doubles()).isEqualTo(copied);
    }

    @Test
    void samplesAndCheckpointsHaveTheSameStatistics() {
        try (Parameters parameters = gan.parameters(7);
                Scheduler scheduler = scheduler(parameters, gan.ema())) {
            scheduler.run(rounds(40));
            float[] drawn =
                    scheduler.now().session().run(draw, Feeds.rows(6)).get(0).floats();
            Snapshot saved = scheduler.save().state("parameters").snapshot();
            float[] copies;
            try (Parameters again = gan.parameters(7);
                    Scheduler reader = Scheduler.over(again, 2)) {
                again.restore(parameters.snapshot());
                copies = reader.now().session().run(draw, Feeds.rows(6)).get(0).floats();
                again.restore(saved);
                assertThat(reader.now()
                                .session()
                                .run(draw, Feeds.rows(6))
                                .get(0)
                                .floats())
                        .isEqualTo(drawn);
            }
            assertThat(drawn).isNotEqualTo(copies);
            scheduler.asSaved(
                    () -> { // readers may be inside readers
                        assertThat(scheduler
                                        .now()
                                        .session()
                                        .run(draw, Feeds.rows(6))
                                        .get(0)
                                        .floats())
                                .isEqualTo(drawn);
                        return true;
                    });
            assertThat(parameters.tensor(MEAN).doubles())
                    .isEqualTo(parameters.tensor("generator/norm/mean").doubles());
        }
    }

    /** The plan's last turn reads the average's running values: it would show if somebody who looked had changed them. */
    @Test
    void lookingSavingAndResumingChangeNoBitOfTraining() {
        List<String> alone = new ArrayList<>();
        List<String> watched = new ArrayList<>();
        State undisturbed = train(alone, run -> {}, null);
        State looked = train(
                watched,
                run -> {
                    run.session().run(draw, Feeds.rows(3));
                    run.scheduler().save();
                },
                null);
        assertThat(watched).isEqualTo(alone);
        assertThat(looked).isEqualTo(undisturbed);
        List<String> resumed = new ArrayList<>();
        assertThat(train(resumed, run -> {}, half())).isEqualTo(undisturbed);
        assertThat(resumed).isEqualTo(alone.subList(alone.size() / 2, alone.size()));
    }

    private State half() {
        State[] half = new State[1];
        train(
                new ArrayList<>(),
                run -> {
                    if (run.position().round() == 10) {
                        half[0] = run.scheduler().save();
                    }
                },
                null);
        return half[0];
    }

    private State train(List<String> seen, Consumer<Run> looks, @Nullable State from) {
        Turn.Descend target = Turn.evaluate(
                "target",
                Program.compile("target", Mode.EVAL, mean(square(gan.fake()))).reading("generator", "ema/generator"));
        try (Parameters parameters = gan.parameters(7);
                Scheduler scheduler = Scheduler.over(parameters, 2)
                        .plan(sequence(target, gan.d(), gan.g(), gan.ema(), target))
                        .feed(images(), EACH_TURN)) {
            scheduler.on(Trigger.everyRounds(1), looks);
            scheduler.listen(event -> {
                if (event instanceof Event.Descended turn) {
                    seen.add(turn.turn() + " " + turn.loss());
                }
            });
            if (from != null) {
                scheduler.restore(from);
            }
            scheduler.run(rounds(20));
            return scheduler.save();
        }
    }

    @Test
    void aStateOfATimeBeforeIsReadAsItWas() {
        try (Parameters parameters = gan.parameters(7);
                Scheduler scheduler = scheduler(parameters, gan.ema().statisticsBatches(0))) {
            scheduler.run(rounds(5));
            State former = scheduler.save();
            assertThat(former.state("turns").state("ema").has("statistics")).isFalse();
            assertThat(former.state("parameters").tensor(MEAN))
                    .isEqualTo(former.state("parameters").tensor("generator/norm/mean"));
            try (Parameters again = gan.parameters(7);
                    Scheduler now = scheduler(again, gan.ema())) {
                now.restore(former);
                assertThat(again.digest()).isEqualTo(parameters.digest());
            }
        }
    }

    /** An encoder of data: its batches are the first ones of the source, whose own cursor stays. */
    @Test
    void whatReadsDataIsEstimatedFromTheBeginningOfItsSource() {
        Encoder encoder = Encoder.of(5);
        try (Parameters parameters = encoder.parameters();
                Scheduler scheduler = encoder.scheduler(parameters, images())) {
            scheduler.run(rounds(3));
            double epoch = scheduler.position().epoch();
            Feeds first = images().draw(encoder.learn().program(), parameters.streams(), 5);
            float[] rows = Objects.requireNonNull(first.tensors().get("image")).floats();
            double[] means = new double[4];
            for (int i = 0; i < rows.length; i++) {
                means[i % 4] += rows[i] * 4.0 / rows.length;
            }
            // 40 rows of numbers below 4, summed up in float
            assertThat(read(scheduler, "ema/encoder/norm/mean")).containsExactly(means, within(1e-5));
            assertThat(scheduler.position().epoch()).isEqualTo(epoch);
        }
    }

    /** An estimate needs rows, which the engine or the disk may refuse. The next round does not. */
    @Test
    void aRunWhoseEstimateFailsIsSavedWithTheStatisticsOfTrainingAndGoesOnToTheSameBits(
            @TempDir java.nio.file.Path here) throws IOException {
        Encoder encoder = Encoder.of(5);
        AtomicBoolean failing = new AtomicBoolean();
        List<Event> heard = new ArrayList<>();
        try (Parameters parameters = encoder.parameters();
                Scheduler scheduler = encoder.scheduler(parameters, new Drawn(failing, new AtomicInteger(), false))) {
            scheduler.saveTo(here).ring(new SaveOnFailure());
            scheduler.on(Trigger.everyRounds(3), run -> failing.set(true));
            scheduler.listen(heard::add);
            assertThatThrownBy(() -> scheduler.run(rounds(6)))
                    .hasStackTraceContaining("the disk is gone")
                    .satisfies(e -> assertThat(e.getSuppressed()).isEmpty());
            assertThat(Checkpoints.readLatest(here).whole("step")).isEqualTo(6);
            assertThat(heard)
                    .filteredOn(Event.NotEstimated.class::isInstance)
                    .singleElement()
                    .satisfies(event ->
                            assertThat(((Event.NotEstimated) event).why()).hasStackTraceContaining("the disk is gone"));
        }
        try (Parameters parameters = encoder.parameters();
                Scheduler resumed = encoder.scheduler(parameters, images());
                Parameters others = encoder.parameters();
                Scheduler whole = encoder.scheduler(others, images())) {
            resumed.resumeFrom(here);
            resumed.run(rounds(6));
            whole.run(rounds(6));
            assertThat(resumed.save()).isEqualTo(whole.save());
        }
    }

    @Test
    void goingBackToAStateEstimatesNothing() {
        Encoder encoder = Encoder.of(5);
        AtomicInteger draws = new AtomicInteger();
        try (Parameters parameters = encoder.parameters();
                Scheduler scheduler = encoder.scheduler(parameters, new Drawn(new AtomicBoolean(), draws, false))) {
            scheduler.run(rounds(2));
            State saved = scheduler.save();
            assertThat(draws).hasValue(5);
            scheduler.run(rounds(3));
            scheduler.restore(saved);
            assertThat(draws).hasValue(5);
            assertThat(scheduler.save()).isEqualTo(saved);
        }
    }

    /** One that computes programs in a session of its own, as a user's may. */
    private final class Own implements Evaluation {
        @Override
        public SortedMap<String, Double> scores(Parameters parameters) {
            try (Session session = Session.over(parameters, 1)) {
                double sum = 0;
                for (float value : session.run(draw, Feeds.rows(6)).get(0).floats()) {
                    sum += value;
                }
                return new TreeMap<>(Map.of("sum", sum));
            }
        }

        @Override
        public Optional<Merit> merit() {
            return Optional.of(new Merit("sum", true));
        }
    }

    @Test
    void anEvaluationOfTheStoreScoresARunAsItsCheckpoint() {
        Own own = new Own();
        List<SortedMap<String, Double>> scored = new ArrayList<>();
        try (Parameters parameters = gan.parameters(7);
                Scheduler scheduler = scheduler(parameters, gan.ema());
                Parameters again = gan.parameters(7)) {
            scheduler.ring(TriggeredAction.score(Trigger.atEnd(), own));
            scheduler.ring(new KeepBest(Trigger.atEnd(), own, OptionalInt.empty()));
            scheduler.listen(event -> {
                if (event instanceof Event.Scored of) {
                    scored.add(of.scores());
                }
            });
            scheduler.run(rounds(40));
            again.restore(scheduler.save().state("parameters").snapshot());
            SortedMap<String, Double> saved = own.scores(again);
            assertThat(scored).hasSize(2).containsOnly(saved);
            assertThat(scheduler.scores(own)).isEqualTo(saved).isNotEqualTo(own.scores(parameters));
        }
    }

    @Test
    void anAverageBeginsWithASmallDecayAndATargetNetworkDoesNot() {
        Turn.Follow ema = Turn.average("ema", "generator/**", "ema/generator/**", 0.999);
        assertThat(ema.decay(0)).isEqualTo(0.1);
        assertThat(ema.decay(90)).isEqualTo(0.91);
        assertThat(ema.decay(8989)).isLessThan(0.999);
        assertThat(ema.decay(8990)).isEqualTo(0.999);
        assertThat(Turn.follow("target", "critic/**", "target/critic/**", 0.995).decay(0))
                .isEqualTo(0.995);
        try (Parameters parameters = gan.parameters(7);
                Scheduler scheduler = scheduler(parameters, ema)) {
            String weight = "generator/in/weight";
            double expected = parameters.tensor("ema/" + weight).doubles()[0];
            for (int t = 0; t < 4; t++) {
                scheduler.run(rounds(t + 1));
                double decay = (1.0 + t) / (10 + t);
                expected = decay * expected
                        + (1 - decay) * parameters.tensor(weight).doubles()[0];
                // a float32 average of numbers below 1
                assertThat(parameters.tensor("ema/" + weight).doubles()[0]).isCloseTo(expected, within(1e-6));
            }
        }
    }
}
