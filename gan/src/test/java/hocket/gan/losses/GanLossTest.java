package hocket.gan.losses;

import static hocket.programs.Layers.batchNorm;
import static hocket.programs.Layers.conditionalBatchNorm;
import static hocket.programs.Layers.dense;
import static hocket.programs.Layers.layerNorm;
import static hocket.programs.Layers.normalisation;
import static hocket.programs.Operators.add;
import static hocket.programs.Operators.concat;
import static hocket.programs.Operators.flatten;
import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.scale;
import static hocket.programs.Operators.sqrt;
import static hocket.programs.Operators.square;
import static hocket.programs.Operators.stopGradient;
import static hocket.programs.Operators.sum;
import static hocket.schedulers.optimizers.Optimizers.sgd;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hocket.gan.networks.DcganDiscriminator;
import hocket.gan.networks.Norm;
import hocket.gan.parts.Pass;
import hocket.gan.parts.Side;
import hocket.gan.terms.LabelSmoothing;
import hocket.gan.terms.Term;
import hocket.programs.Gradients;
import hocket.programs.Graph;
import hocket.programs.Loss;
import hocket.programs.Mode;
import hocket.programs.Network;
import hocket.programs.Program;
import hocket.programs.Session;
import hocket.programs.Session.Feeds;
import hocket.programs.Value;
import hocket.schedulers.Event;
import hocket.schedulers.Scheduler;
import hocket.schedulers.Turn;
import hocket.schedulers.turns.Writes;
import hocket.scopes.ElementType;
import hocket.scopes.Parameters;
import hocket.scopes.Scope;
import hocket.scopes.Shape;
import hocket.scopes.Streams;
import hocket.scopes.Tensor;
import java.util.List;
import java.util.OptionalDouble;
import java.util.SortedMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests GAN losses beyond their formulas. */
class GanLossTest {
    @Test
    void theDiscriminatorsLossDoesNotReachTheGenerator() {
        Graph graph = new Graph();
        Value real = graph.input("real", Shape.of(2));
        Value fake;
        try (Scope<Value> generator = graph.module("generator")) {
            fake = dense("out", graph.noise("noise", Shape.of(3)), 2);
        }
        Network<Value, Value> discriminator = graph.module("discriminator", x -> dense("logit", x, 1));
        for (GanLoss loss : List.of(GanLoss.nonSaturating(), GanLoss.leastSquares())) {
            Program forD = Program.compile("d", Mode.TRAIN, loss.discriminator(discriminator, real, fake));
            Program forG = Program.compile("g", Mode.TRAIN, loss.generator(discriminator, fake));
            assertThatThrownBy(() -> Writes.of(
                            List.of(Turn.of("d", forD).updates("generator/**", sgd(1))), graph.declarations()))
                    .hasMessageContaining("turn d selects generator/out/bias")
                    .hasMessageContaining("is cut by stop_gradient");
            assertThat(forD.reached()).hasToString("[discriminator/logit/bias, discriminator/logit/weight]");
            assertThat(forG.reached()).hasSize(4);
            assertThat(forG.inputs()).isEmpty();
        }
    }

    @Test
    void aWassersteinCriticIsLipschitzConstrainedByAGradientPenaltyWithPositiveWeight() {
        GanLoss game = GanLoss.wasserstein();
        assertThat(game.requiresLipschitz()).isTrue();
        assertThat(game.with(Term.wganGp(10)).requiresLipschitz()).isFalse();
        assertThat(game.with(Term.wganGp(0)).requiresLipschitz()).isTrue();
        Term consistency = Term.consistency(10, rows -> rows);
        assertThat(game.with(consistency, Term.balancedConsistency(10, rows -> rows))
                        .requiresLipschitz())
                .isTrue();
        assertThat(game.with(consistency).with(Term.r1(10)).requiresLipschitz()).isFalse();
        assertThat(GanLoss.hinge().with(consistency).requiresLipschitz()).isFalse();
    }

    @Test
    @Tag("engine")
    void theErrorRateIsTheShareOfRowsOnTheWrongSideOfTheBoundary() {
        for (GanLoss loss : List.of(
                GanLoss.nonSaturating(),
                GanLoss.leastSquares(),
                GanLoss.wasserstein(),
                GanLoss.relativisticPaired(),
                GanLoss.relativisticAverage())) {
            Graph graph = new Graph();
            Value real = graph.input("real", Shape.of(1));
            Value fake = graph.input("fake", Shape.of(1));
            Network<Value, Value> discriminator = graph.module("discriminator", x -> dense("logit", x, 1));
            Turn.Descend d = Turn.of(
                            "d", Program.compile("d", Mode.TRAIN, loss.discriminator(discriminator, real, fake)))
                    .updates("discriminator/**", sgd(0.1));
            try (Parameters parameters = Parameters.initialise(graph.declarations(), Streams.seed(1));
                    Scheduler scheduler = Scheduler.over(parameters, 1)) {
                parameters.set("discriminator/logit/weight", 1);
                // Of four real rows one is taken for generated. Of four generated ones two are above the threshold, and
                // one is
                // above the mean of the real ones, b + 1.25.
                OptionalDouble threshold = loss.decisionThreshold();
                float b = (float) threshold.orElse(7);
                Event.Descended event = scheduler.step(
                        d,
                        Feeds.of("real", Tensor.of(Shape.of(4, 1), b + 1, b + 2, b - 1, b + 3))
                                .and("fake", Tensor.of(Shape.of(4, 1), b + 1, b - 2, b - 0.25f, b + 3)));
                assertThat(event.metrics().get("error_rate")).isEqualTo((threshold.isPresent() ? 3.0 : 2.0) / 8);
            }
        }
    }

    /** Four rows through a discriminator, and how much changing the last one moves the first one's gradient norm. */
    @ParameterizedTest
    @EnumSource(Norm.class)
    void aRowsGradientIsItsOwnUnlessTheDiscriminatorNormalisesByTheBatch(Norm norm) {
        Graph graph = new Graph(ElementType.FLOAT64);
        Value real = graph.input("image", Shape.of(1, 8, 8));
        DcganDiscriminator dcgan = DcganDiscriminator.usual().width(4).norm(norm);
        Network<Value, Value> discriminator = graph.module("discriminator", dcgan::logit);
        Value slopes = Gradients.of(sum(discriminator.apply(real)), real).get(0);
        Program norms = Program.compile("norms", Mode.TRAIN, sqrt(sum(flatten(square(slopes)), 0)));
        try (Parameters parameters = Parameters.initialise(graph.declarations(), Streams.seed(7));
                Session session = Session.over(graph, parameters, Mode.TRAIN, 1)) {
            double[] pixels = new double[4 * 64];
            for (int i = 0; i < pixels.length; i++) {
                pixels[i] = Math.sin(0.37 * i);
            }
            double[] before = first(session, norms, pixels);
            for (int i = 3 * 64; i < pixels.length; i++) {
                pixels[i] = Math.cos(i);
            }
            double[] after = first(session, norms, pixels);
            double change = Math.abs(after[0] / before[0] - 1);
            boolean mixes = norm == Norm.BATCH || norm == Norm.BATCH_UNCHECKED;
            assertThat(change > 1e-6).as(norm + " changes it by " + change).isEqualTo(mixes);
            if (!mixes) {
                assertThat(change).isLessThan(1e-12); // the same sums in float64, up to their order
            }
        }
    }

    @Test
    void aPenaltyIsRefusedOverBatchNormsWithoutTheirOwnScaleToo() {
        Graph graph = new Graph();
        Value real = graph.input("real", Shape.of(2));
        Value fake = graph.noise("fake", Shape.of(2));
        Value label = graph.input("label", Shape.scalar(), ElementType.INT64);
        GanLoss loss = GanLoss.nonSaturating().with(Term.r1(10));
        Network<Value, Value> bare = graph.module(
                "bare",
                x -> dense(
                        "logit",
                        batchNorm("norm", dense("in", x, 3), normalisation().affine(false)),
                        1));
        Network<Value, Value> conditional = graph.module(
                "conditional", x -> dense("logit", conditionalBatchNorm("norm", dense("in", x, 3), label, 4), 1));
        for (Network<Value, Value> each : List.of(bare, conditional)) {
            assertThatThrownBy(() -> loss.discriminator(each, real, fake))
                    .hasMessageContaining("takes the gradient of each row, and " + each.path())
                    .hasMessageContaining("norm normalises by the batch");
        }
        Network<Value, Value> frozen = graph.module(
                "frozen",
                x -> dense(
                        "logit",
                        batchNorm(
                                "norm",
                                dense("in", x, 3),
                                normalisation().affine(false).frozenStatistics()),
                        1));
        assertThat(loss.discriminator(frozen, real, fake).metrics()).containsKey("penalty");
    }

    private static double[] first(Session session, Program norms, double[] pixels) {
        Feeds rows = Feeds.of("image", Tensor.of(Shape.of(4, 1, 8, 8), pixels));
        return session.run(norms, rows).get(0).doubles();
    }

    @Test
    void aPenaltyOnEachRowsGradientIsRefusedWhereABatchNormMixesTheRows() {
        Graph graph = new Graph();
        Value real = graph.input("real", Shape.of(2));
        Value fake = graph.noise("fake", Shape.of(2));
        Network<Value, Value> mixing =
                graph.module("mixing", x -> dense("logit", batchNorm("norm", dense("in", x, 3)), 1));
        Network<Value, Value> frozen = graph.module(
                "frozen",
                x -> dense(
                        "logit",
                        batchNorm("norm", dense("in", x, 3), normalisation().frozenStatistics()),
                        1));
        Network<Value, Value> apart =
                graph.module("apart", x -> dense("logit", layerNorm("norm", dense("in", x, 3)), 1));
        Network<Value, Value> beside = graph.module( // a gradient ends at what is detached
                "beside", x -> dense("logit", concat(0, x, stopGradient(batchNorm("norm", x))), 1));
        List<Term> penalties = List.of(
                Term.wganGp(10), Term.wganLp(10), Term.zeroCentred(10), Term.r1(10), Term.r2(10), Term.dragan(10));
        for (Term penalty : penalties) {
            GanLoss loss = GanLoss.nonSaturating().with(penalty);
            assertThatThrownBy(() -> loss.discriminator(mixing, real, fake))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("takes the gradient of each row, and mixing")
                    .hasMessageContaining(
                            "norm normalises by the batch, so that the gradient of a row depends on the other rows;"
                                    + " normalise by layer or instance, by the spectral norm of the weights, or not at"
                                    + " all")
                    .hasMessageContaining("GanLoss.withUnchecked");
            assertThat(GanLoss.nonSaturating()
                            .withUnchecked(List.of(Term.r1(10)))
                            .discriminator(mixing, real, fake)
                            .metrics())
                    .containsKey("penalty");
        }
        try (Scope<Value> others = graph.scope("others")) {
            for (Network<Value, Value> each : List.of(frozen, apart, beside)) {
                GanLoss loss = GanLoss.nonSaturating().with(Term.r1(10));
                assertThat(loss.discriminator(each, real, fake).metrics()).containsKey("penalty");
            }
        }
        GanLoss consistent = GanLoss.nonSaturating().with(Term.consistency(10, rows -> rows));
        assertThat(consistent.discriminator(mixing, real, fake).metrics()).containsKey("penalty");
    }

    private record Pairs(Graph graph, Value real, Value fake, Network<Value, Value> discriminator) {}

    private static Pairs pairs() {
        Graph graph = new Graph();
        Value real = graph.input("real", Shape.of(2));
        Value fake;
        try (Scope<Value> generator = graph.module("generator")) {
            fake = dense("out", graph.noise("noise", Shape.of(3)), 2);
        }
        return new Pairs(graph, real, fake, graph.module("discriminator", x -> dense("logit", x, 1)));
    }

    @Test
    void aRelativisticGeneratorReadsRealRowsAndOthersDoNot() {
        for (GanLoss loss : List.of(
                GanLoss.relativisticPaired(),
                GanLoss.relativisticAverage(),
                GanLoss.relativisticAverageHinge(),
                GanLoss.relativisticAverageLeastSquares())) {
            Pairs pairs = pairs();
            assertThatThrownBy(() -> loss.generator(pairs.discriminator, pairs.fake))
                    .hasMessageEndingWith(
                            "compares generated rows with real ones: call generator(discriminator, real, fake)");
            Program g = Program.compile("g", Mode.TRAIN, loss.generator(pairs.discriminator, pairs.real, pairs.fake));
            assertThat(g.inputs()).containsExactly(pairs.real);
        }
        Pairs pairs = pairs();
        GanLoss loss = GanLoss.minimax();
        Program g = Program.compile("g", Mode.TRAIN, loss.generator(pairs.discriminator, pairs.real, pairs.fake));
        assertThat(g.inputs()).isEmpty();
    }

    @Test
    void eachTermIsAMetricUnderItsKeyWhateverElseIsAdded() {
        Pairs pairs = pairs();
        Term own = pass -> mean(square(pass.onFake().logit()));
        GanLoss loss = GanLoss.hinge().with(Term.r1(1), Term.consistency(1, rows -> rows), Term.r1(2), own);
        assertThat(loss.discriminator(pairs.discriminator, pairs.real, pairs.fake)
                        .metrics())
                .containsOnlyKeys("error_rate", "penalty", "r1", "consistency", "r1_2", "term");
        assertThat(loss.generator(pairs.discriminator, pairs.fake).metrics()).isEmpty();
    }

    /** A term of the generator's loss. */
    private record Larger(double weight) implements Term {
        @Override
        public Side side() {
            return Side.GENERATOR;
        }

        @Override
        public Value of(Pass pass) {
            return scale(mean(square(pass.fake())), -weight);
        }
    }

    @Test
    void aTermOfTheGeneratorIsAddedToItsLossAlone() {
        Pairs pairs = pairs();
        GanLoss loss = GanLoss.hinge().with(new Larger(2));
        assertThat(loss.discriminator(pairs.discriminator, pairs.real, pairs.fake)
                        .metrics())
                .containsOnlyKeys("error_rate");
        assertThat(loss.generator(pairs.discriminator, pairs.fake).metrics()).containsOnlyKeys("larger", "terms");
    }

    /** A term of both networks that draws noise. */
    private record Noisy(Side side, int every) implements Term {
        @Override
        public Value of(Pass pass) {
            Value noise = pass.fake().graph().noise("jitter", pass.fake().shape());
            return mean(square(add(pass.fake(), noise)));
        }
    }

    @Test
    void noiseOfEachTermHasAPathOfItsOwn() {
        Pairs pairs = pairs();
        GanLoss loss = GanLoss.hinge().with(new Noisy(Side.BOTH, 1), new Noisy(Side.BOTH, 1), new Noisy(Side.BOTH, 1));
        Loss ofDiscriminator = loss.discriminator(pairs.discriminator, pairs.real, pairs.fake);
        assertThat(ofDiscriminator.metrics()).containsOnlyKeys("error_rate", "penalty", "noisy", "noisy_2", "noisy_3");
        assertThat(noises(ofDiscriminator)).containsExactlyInAnyOrder("jitter", "noisy_2/jitter", "noisy_3/jitter");
        assertThat(noises(loss.generator(pairs.discriminator, pairs.fake)))
                .containsExactlyInAnyOrder(
                        "noisy_of_generator/jitter", "noisy_2_of_generator/jitter", "noisy_3_of_generator/jitter");
    }

    /** Those of terms alone. */
    private static List<String> noises(Loss loss) {
        return Program.compile("loss", Mode.TRAIN, loss).noises().stream()
                .map(noise -> noise.path().text())
                .filter(path -> path.endsWith("jitter"))
                .toList();
    }

    @Test
    void lazyTermsAreLossesOfTheirOwnByKey() {
        Pairs pairs = pairs();
        Pass pass = pass(pairs);
        GanLoss loss = GanLoss.minimax()
                .with(Term.r1(1), Term.r1(2).every(4), Term.r1(3).every(8), new Noisy(Side.GENERATOR, 2));
        assertThat(loss.discriminator(pairs.discriminator, pairs.real, pairs.fake)
                        .metrics())
                .containsOnlyKeys("error_rate", "penalty", "r1");
        SortedMap<String, GanLoss.LazyLoss> lazy = loss.lazyTerms(pass, pass);
        assertThat(lazy.keySet()).containsExactly("noisy", "r1", "r1_2");
        assertThat(lazy.get("r1")).extracting("side", "every").containsExactly(Side.DISCRIMINATOR, 4);
        assertThat(lazy.get("r1_2")).extracting("side", "every").containsExactly(Side.DISCRIMINATOR, 8);
        assertThat(lazy.get("noisy")).extracting("side", "every").containsExactly(Side.GENERATOR, 2);
        assertThatThrownBy(() -> GanLoss.minimax().with(new Noisy(Side.BOTH, 3)).lazyTerms(pass, pass))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "term noisy trains both networks, each in its own turn, so it cannot be computed in some rounds"
                                + " only");
    }

    private static Pass pass(Pairs pairs) {
        return Pass.ofDiscriminator(pairs.discriminator, pairs.real, pairs.fake);
    }

    /** Their keys in files, and what a label smoothing asks. */
    @Test
    void lossesHaveKeysAndSomeHaveTargets() {
        List<GanLoss> withTargets = List.of(GanLoss.minimax(), GanLoss.nonSaturating(), GanLoss.leastSquares());
        List<GanLoss> without = List.of(GanLoss.hinge(), GanLoss.wasserstein(), GanLoss.relativisticPaired());
        assertThat(withTargets).extracting(GanLoss::key).containsExactly("minimax", "non_saturating", "least_squares");
        assertThat(without).extracting(GanLoss::key).containsExactly("hinge", "wasserstein", "relativistic_paired");
        for (GanLoss each : withTargets) {
            GanLoss smoothed = each.with(new LabelSmoothing(0.1)).with(Term.r1(1));
            assertThat(smoothed.hasTargets()).isTrue();
            assertThat(smoothed.key()).isEqualTo(each.key());
            assertThat(smoothed.decisionThreshold()).isEqualTo(each.decisionThreshold());
        }
        for (GanLoss each : without) {
            GanLoss penalised = each.with(Term.r1(1));
            assertThat(penalised.hasTargets()).isFalse();
            assertThatThrownBy(() -> penalised.with(List.of(new LabelSmoothing(0.1))))
                    .hasMessageStartingWith(
                            "term label_smoothing changes the target of real rows, and loss " + each.key());
        }
    }

    /** R1 and R2 differentiate the outputs that the loss has. */
    @Test
    void termsShareTheDiscriminatorsPass() {
        Pairs pairs = pairs();
        int[] calls = {0};
        Network<Value, Value> counted = pairs.graph.module("counted", x -> {
            calls[0]++;
            return dense("logit", x, 1);
        });
        GanLoss.hinge().with(Term.r1(1), Term.r2(1)).discriminator(counted, pairs.real, pairs.fake);
        assertThat(calls[0]).isEqualTo(2);
    }
}
