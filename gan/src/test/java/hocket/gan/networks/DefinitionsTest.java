package hocket.gan.networks;

import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.spreadToRows;
import static hocket.schedulers.optimizers.Optimizers.sgd;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.withinPercentage;

import hocket.gan.augmentations.Adaptive;
import hocket.gan.augmentations.AdjustAugmentation;
import hocket.gan.augmentations.Augmentation;
import hocket.gan.augmentations.Brightness;
import hocket.gan.augmentations.Mirror;
import hocket.gan.data.GaussianRing;
import hocket.gan.data.Optdigits;
import hocket.gan.losses.GanLoss;
import hocket.gan.networks.stylegan.Stylegan2Discriminator;
import hocket.gan.networks.stylegan.Stylegan2Generator;
import hocket.gan.parts.Codes;
import hocket.gan.parts.ConditionDefinition;
import hocket.gan.parts.Discriminator;
import hocket.gan.parts.Generator;
import hocket.gan.parts.Pass;
import hocket.gan.parts.Side;
import hocket.gan.terms.AuxiliaryClasses;
import hocket.gan.terms.BalancedConsistency;
import hocket.gan.terms.ConsistencyTerm;
import hocket.gan.terms.FeatureMatching;
import hocket.gan.terms.Information;
import hocket.gan.terms.LabelSmoothing;
import hocket.gan.terms.LatentConsistency;
import hocket.gan.terms.ModeSeeking;
import hocket.gan.terms.Term;
import hocket.programs.Graph;
import hocket.programs.Mode;
import hocket.programs.Program;
import hocket.programs.Value;
import hocket.programs.operators.Leaf.Noise;
import hocket.programs.operators.Leaf.Redraw;
import hocket.schedulers.Action;
import hocket.schedulers.Budget;
import hocket.schedulers.Columns;
import hocket.schedulers.Phase;
import hocket.schedulers.Plan;
import hocket.schedulers.Resample;
import hocket.schedulers.Setup;
import hocket.schedulers.Source;
import hocket.schedulers.Source.Column;
import hocket.schedulers.Trigger;
import hocket.schedulers.Turn;
import hocket.schedulers.feeds.FeedChecks;
import hocket.schedulers.plans.Repeat;
import hocket.schedulers.settings.Networks;
import hocket.scopes.ElementType;
import hocket.scopes.Parameters;
import hocket.scopes.Path;
import hocket.scopes.Shape;
import hocket.scopes.Streams;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

/** The networks that experiment files can name: which programs they give, and what they refuse. */
class DefinitionsTest {
    private static final Column LABEL = new Column("label", Shape.scalar(), ElementType.INT64);
    private static final Columns LABELLED = new Columns(List.of(image("image", 1, 8, 8), LABEL));

    private static Column image(String name, int... extents) {
        return new Column(name, Shape.of(extents), ElementType.FLOAT32);
    }

    private static List<String> inputs(Networks networks, String program) {
        return networks.program(program).inputs().stream()
                .map(input -> input.path().text())
                .toList();
    }

    private static List<String> modules(Collection<Path> parameters) {
        return parameters.stream()
                .map(path -> path.text().substring(0, path.text().indexOf('/')))
                .distinct()
                .toList();
    }

    private static List<String> reached(Networks networks, String program) {
        return modules(networks.program(program).reached());
    }

    @Test
    void aLazyTermReadsTheNewestRowsAndNotThePoolOfTheDiscriminatorsTurn() {
        Networks networks = Gan.of(MlpGenerator.usual().bounded(true), MlpDiscriminator.usual())
                .pool(2)
                .terms(List.of(Term.r2(1).every(16)))
                .build(new Columns(List.of(image("image", 1, 8, 8))));
        assertThat(inputs(networks, "discriminator")).contains("pool");
        assertThat(inputs(networks, "r2")).doesNotContain("pool");
        assertThat(networks.isStateOfRow(networks.graph().value("pool"))).isFalse();
    }

    @Test
    void aDcganWiderThanAnArrayIsLongIsRefused() {
        Columns columns = new Columns(List.of(image("image", 1, 2048, 2048)));
        Generator wide = DcganGenerator.usual().width(4096).layers(1);
        Gan gan = Gan.of(wide, DcganDiscriminator.usual());
        assertThatThrownBy(() -> gan.build(columns))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("width: must have at most 2147483647 elements, 1 · 4096 · 1024 · 1024 are 4294967296");
    }

    @Test
    void aDcganMakesImagesOfTheColumnsShape() {
        Networks networks = Dcgan.usual().latent(8).width(4).build(new Columns(List.of(image("image", 3, 28, 12))));
        assertThat(networks.programs().stream().map(Program::name))
                .containsExactly("discriminator", "generator", "draw", "field");
        Program draw = networks.program("draw");
        assertThat(draw.targets().get(0).shape()).isEqualTo(Shape.of(3, 28, 12));
        assertThat(draw.mode()).isEqualTo(Mode.EVAL);
        assertThat(inputs(networks, "draw")).isEmpty();
        assertThat(inputs(networks, "generator")).isEmpty();
        assertThat(reached(networks, "discriminator")).containsExactly("discriminator");
        assertThat(reached(networks, "generator")).contains("generator");
    }

    @Test
    void aConditionalGeneratorReadsLabelsAndNoImages() {
        Networks networks = ConditionalDcgan.usual().latent(8).width(4).build(LABELLED);
        assertThat(inputs(networks, "discriminator")).containsExactly("image", "label");
        assertThat(inputs(networks, "generator")).containsExactly("label");
        assertThat(inputs(networks, "draw")).containsExactly("label");
        assertThat(reached(networks, "discriminator")).containsExactly("discriminator");
        assertThat(networks.program("generator").reached())
                .as("the discriminator is told the label of what is generated")
                .contains(Path.of("discriminator/label/table"), Path.of("generator/label/table"));
    }

    @Test
    void theFieldIsTheDiscriminatorsAtAnyPoint() {
        Networks networks = RingGan.usual().latent(8).width(4).build(new Columns(List.of(image("point", 2))));
        Program field = networks.program("field");
        assertThat(field.signature()).contains("field(point (batch,2))");
        assertThat(modules(field.parameters().keySet())).containsExactly("discriminator");
        assertThat(networks.program("draw").targets().get(0).shape()).isEqualTo(Shape.of(2));
    }

    @Test
    void theClassifierReachesNothingOfTheEncoderThatItReads() {
        Networks networks = new AutoencoderClassifier(4, 8, 0.5, 10).build(LABELLED);
        assertThat(reached(networks, "autoencoder")).containsExactly("decoder", "encoder");
        Program classifier = networks.program("classifier");
        assertThat(modules(classifier.parameters().keySet())).containsExactly("classifier", "encoder");
        assertThat(modules(classifier.reached())).containsExactly("classifier");
        Program classify = networks.program("classify");
        assertThat(classify.mode()).isEqualTo(Mode.EVAL);
        assertThat(classify.metrics()).containsOnlyKeys("error_rate");
        assertThat(classify.noises()).isEmpty();
    }

    @Test
    void eachHalfLearnsFromColumnsOfItsOwn() {
        Networks networks = new HalfAndHalf(4, 10)
                .build(new Columns(List.of(
                        image("image_left", 1, 8, 8),
                        new Column("label_left", Shape.scalar(), ElementType.INT64),
                        image("image_right", 1, 8, 8),
                        new Column("label_right", Shape.scalar(), ElementType.INT64))));
        assertThat(inputs(networks, "left")).containsExactly("image_left", "label_left");
        assertThat(inputs(networks, "right")).containsExactly("image_right", "label_right");
        assertThat(reached(networks, "left")).containsExactly("left", "right", "whole");
    }

    @Test
    void columnsThatDoNotFitAreRefusedByName() {
        Columns misnamed = new Columns(List.of(image("images", 1, 8, 8)));
        assertThatThrownBy(() -> Dcgan.usual().latent(8).width(4).build(misnamed))
                .hasMessage("no source gives a column image; did you mean images?");
        Columns unlabelled = new Columns(List.of(image("image", 1, 8, 8)));
        assertThatThrownBy(() -> ConditionalDcgan.usual().latent(8).width(4).build(unlabelled))
                .hasMessageStartingWith("no source gives a column label");
        Columns odd = new Columns(
                List.of(image("image_left", 1, 8, 7), new Column("label_left", Shape.scalar(), ElementType.INT64)));
        assertThatThrownBy(() -> new HalfAndHalf(4, 10).build(odd))
                .hasMessage("column image_left: must be images (channels, height, width) of even width, was (1,8,7)");
    }

    @Test
    void settingsOutOfRangeAreRefusedByName() {
        assertThatThrownBy(() -> Dcgan.usual().latent(0)).hasMessage("latent: must be at least 1, was 0");
        assertThatThrownBy(() -> ConditionalDcgan.usual().width(-1)).hasMessage("width: must be at least 1, was -1");
        assertThatThrownBy(() -> ConditionalDcgan.usual().classes(1)).hasMessage("classes: must be at least 2, was 1");
        assertThatThrownBy(() -> RingGan.usual().width(0)).hasMessage("width: must be at least 1, was 0");
        assertThatThrownBy(() -> new AutoencoderClassifier(4, 8, -1, 10))
                .hasMessage("noise: must be finite and above 0, was -1.0");
        assertThatThrownBy(() -> new HalfAndHalf(0, 10)).hasMessage("width: must be at least 1, was 0");
    }

    @Test
    void aLazyTermWithoutATurnAndAnAdaptiveAugmentationThatNothingSetsAreWarnedOf() {
        Networks networks = Gan.of(MlpGenerator.usual(), MlpDiscriminator.usual())
                .terms(List.of(Term.r1(1).every(16)))
                .augmentation(new Adaptive(List.of(new Brightness(1))))
                .build(new Columns(List.of(image("image", 1, 4, 4))));
        assertThat(networks.program("r1").metrics()).isEmpty();
        assertThat(networks.program("discriminator").metrics())
                .containsOnlyKeys("error_rate", "real_sign", "augment_p");
        Turn.Descend d = Turn.of("d", networks.program("discriminator")).updates("discriminator/**", sgd(1));
        Turn.Descend r1 = Turn.of("r1", networks.program("r1")).withOptimizerOf(d);
        Setup without = Setup.of(networks, List.of(new Phase("all", d, Budget.rounds(1))));
        assertThat(warnings(without))
                .hasSize(2)
                .anySatisfy(warning -> assertThat(warning).contains("nothing sets its probability augment/p"))
                .anySatisfy(warning -> assertThat(warning)
                        .contains("no turn takes program r1 with the optimizer of program discriminator's turn"));
        Action adjust = new Action.Own(new AdjustAugmentation("d/real_sign", "augment/p", 0.6, 4, 8, 1));
        Plan lazily = Plan.sequence(d, Plan.when(new Trigger.EveryRounds(16), r1));
        Setup with = Setup.of(networks, lazily, Budget.rounds(1)).on(new Trigger.EveryRounds(4), adjust);
        assertThat(warnings(with)).isEmpty();
        Plan often = Plan.sequence(d, Plan.when(new Trigger.EveryRounds(8), r1));
        assertThat(warnings(Setup.of(networks, often, Budget.rounds(1)).on(new Trigger.EveryRounds(3), adjust)))
                .hasSize(2)
                .anySatisfy(warning -> assertThat(warning).contains("term r1 has 16 times its weight"))
                .anySatisfy(warning -> assertThat(warning).contains("by another number of turns than it runs after"));
        Plan twoTurns = Plan.sequence(new Repeat(2, d), Plan.when(new Trigger.EveryRounds(16), r1));
        assertThat(warnings(Setup.of(networks, twoTurns, Budget.rounds(1)).on(new Trigger.EveryRounds(4), adjust)))
                .singleElement()
                .satisfies(warning -> assertThat(warning).contains("by another number of turns than it runs after"));
        assertThat(warnings(Setup.of(networks, twoTurns, Budget.rounds(1)).on(new Trigger.EveryRounds(2), adjust)))
                .isEmpty();
        Source images = new Optdigits(Optdigits.Part.ALL).open("digits", 16, true);
        assertThat(warnings(with.feed(images, Resample.EACH_TURN)))
                .singleElement()
                .satisfies(warning -> assertThat(warning)
                        .contains("counts another number of real rows than a turn reads: set its batch"));
        Plan twice = Plan.sequence(d, Plan.when(new Trigger.EveryRounds(16), new Repeat(2, r1)));
        assertThat(warnings(Setup.of(networks, twice, Budget.rounds(1)).on(new Trigger.EveryRounds(4), adjust)))
                .singleElement()
                .satisfies(warning -> assertThat(warning).contains("the plan takes its turn more or less often"));
        Plan evenly = Plan.sequence(d, Plan.when(new Trigger.EveryRounds(32), new Repeat(2, r1)));
        assertThat(warnings(Setup.of(networks, evenly, Budget.rounds(1)).on(new Trigger.EveryRounds(4), adjust)))
                .isEmpty();
    }

    @Test
    void anAdaptiveAugmentationIsWarnedOfWhereALossGivesTheSignOfAnOutputNoMeaning() {
        Columns columns = new Columns(List.of(image("image", 1, 4, 4)));
        Gan gan = Gan.of(MlpGenerator.usual(), MlpDiscriminator.usual())
                .augmentation(new Adaptive(List.of(new Brightness(1))));
        String warning = "compares outputs with each other, so that their sign";
        assertThat(warningsAlone(gan.loss(GanLoss.relativisticPaired()).build(columns)))
                .anySatisfy(each -> assertThat(each).contains(warning));
        assertThat(warningsAlone(gan.loss(GanLoss.leastSquares()).build(columns)))
                .noneSatisfy(each -> assertThat(each).contains(warning));
    }

    @Test
    void aDiscriminatorThatComparesRowsIsWarnedOfSmallBatchesInOthersToo() {
        Source.Column label = new Source.Column("label", Shape.scalar(), ElementType.INT64);
        Columns columns = new Columns(List.of(image("image", 1, 8, 8), label));
        Discriminator projected = new Projection(new Stylegan2Discriminator(2, 4, 2, 16));
        Networks networks = Gan.of(DcganGenerator.usual(), projected)
                .condition(ConditionDefinition.labels(10))
                .build(columns);
        Turn.Descend d = Turn.of("d", networks.program("discriminator")).updates("discriminator/**", sgd(1));
        Source digits = new Optdigits(Optdigits.Part.ALL).open("digits", 31, true);
        Setup setup = Setup.of(networks, d, Budget.rounds(1)).feed(digits, Resample.EACH_TURN);
        assertThat(warnings(setup)).anySatisfy(warning -> assertThat(warning).contains("needs at least 32"));
    }

    /** The deviations of the public code (Huang et al. 2024): gain/√in, in the two blocks of a network √(2/1.04)·2^(-1/4)/√in. */
    @Test
    void theWeightsOfAnR3ganBeginAsThoseOfItsCode() {
        Gan gan = Gan.of(new R3ganGenerator(32, 64, 1, 1), new R3ganDiscriminator(32, 64, 1, 1));
        Networks networks = gan.build(new Columns(List.of(image("image", 3, 8, 8))));
        double inBlocks = Math.sqrt(2 / 1.04) * Math.pow(2, -0.25);
        Map<String, Double> deviations = Map.of(
                "generator/gains/weight", 1 / Math.sqrt(64),
                "generator/narrow1/weight", 1 / Math.sqrt(64),
                "generator/stage0/block1/in/weight", inBlocks / Math.sqrt(64),
                "generator/stage0/block1/across/weight", inBlocks / Math.sqrt(9 * 128),
                "generator/stage0/block1/out/weight", 0.0,
                "discriminator/widen0/weight", 1 / Math.sqrt(32),
                "discriminator/pixels/weight", 1 / Math.sqrt(16));
        try (Parameters parameters = Parameters.initialise(networks.graph().declarations(), Streams.seed(3))) {
            deviations.forEach((path, deviation) -> {
                double[] weights = parameters.tensor(path).doubles();
                double square = DoubleStream.of(weights)
                        .map(weight -> weight * weight)
                        .average()
                        .orElseThrow();
                // of the fewest, 1,024 normal weights, the deviation has a standard error of 2 %
                assertThat(Math.sqrt(square)).as(path).isCloseTo(deviation, withinPercentage(8));
            });
        }
    }

    @Test
    void anInstanceNormOfOnePixelIsRefused() {
        Columns columns = new Columns(List.of(image("image", 1, 8, 8)));
        Gan gan = Gan.of(
                DcganGenerator.usual(), DcganDiscriminator.usual().layers(3).norm(Norm.INSTANCE));
        assertThatThrownBy(() -> gan.build(columns))
                .hasMessageContaining("norm: must not be instance where a layer has one pixel");
    }

    @Test
    void aConditionThatNoLossReadsIsWarnedOf() {
        Gan labelled = Gan.of(
                        SnganGenerator.usual().width(4),
                        SnganDiscriminator.usual().width(4))
                .condition(ConditionDefinition.labels(10));
        Columns images = new Columns(
                List.of(image("image", 1, 8, 8), new Source.Column("label", Shape.scalar(), ElementType.INT64)));
        assertThat(warningsAlone(labelled.build(images)))
                .anySatisfy(
                        warning -> assertThat(warning).contains("put {projection: {of: …}} around the discriminator"));
        assertThat(warningsAlone(labelled.discriminator(new Projection(labelled.discriminator()))
                        .build(images)))
                .isEmpty();
        Discriminator heads = new LinearHeads(labelled.discriminator(), Map.of("class", 10));
        assertThat(warningsAlone(labelled.discriminator(heads)
                        .terms(List.of(new AuxiliaryClasses(1)))
                        .build(images)))
                .isEmpty();
        assertThat(warningsAlone(labelled.condition(new Codes(10, 2)).build(images)))
                .anySatisfy(warning -> assertThat(warning).contains("no loss recognises it"));
    }

    @Test
    void aCycleGanTakesTermsWithNoiseAndReportsThoseOfEachGame() {
        Columns columns = new Columns(List.of(image("a", 4), image("b", 4)));
        CycleGan gan = CycleGan.of(
                MlpGenerator.usual().width(4), MlpDiscriminator.usual().width(4));
        Networks networks = gan.loss(GanLoss.wasserstein())
                .terms(List.of(Term.wganGp(10), new FeatureMatching(1)))
                .build(columns);
        assertThat(networks.program("discriminator_a").metrics()).containsKeys("wgan_gp", "penalty");
        assertThat(networks.program("translators").metrics())
                .containsKeys("cycle", "a_feature_matching", "b_feature_matching");
        assertThat(reached(networks, "translators")).contains("a_to_b", "b_to_a");
        assertThat(reached(networks, "discriminator_b")).containsExactly("discriminator_b");
        assertThat(networks.cautions()).isEmpty();
        assertThat(gan.loss(GanLoss.wasserstein()).build(columns).cautions())
                .singleElement()
                .satisfies(caution -> assertThat(caution.warning()).contains("Lipschitz-constrained"));
        assertThatThrownBy(() -> gan.terms(List.of(Term.r1(1).every(16))))
                .hasMessage("terms: r1 is lazy, and the terms of a CycleGAN are part of its losses");
    }

    /** A term that reads a running value. */
    private record Running() implements Term {
        @Override
        public Value of(Pass pass) {
            Graph graph = pass.fake().graph();
            Value before = mean(graph.input("m", Shape.scalar()));
            graph.name("m_next", spreadToRows(before));
            return before;
        }

        @Override
        public List<String> states() {
            return List.of("m");
        }

        @Override
        public Side side() {
            return Side.DISCRIMINATOR;
        }
    }

    @Test
    void theStatesOfTermsBelongToNoRowInWhateverScopeTheyAre() {
        List<Term> both = List.of(new Running(), new Running());
        Networks networks = Gan.of(MlpGenerator.usual(), MlpDiscriminator.usual())
                .terms(both)
                .build(new Columns(List.of(image("image", 4))));
        assertThat(statesOfNoRow(networks, "discriminator")).containsExactlyInAnyOrder("m", "running_2/m");
        Networks cycle = CycleGan.of(MlpGenerator.usual(), MlpDiscriminator.usual())
                .terms(both)
                .build(new Columns(List.of(image("a", 4), image("b", 4))));
        assertThat(statesOfNoRow(cycle, "discriminator_a"))
                .containsExactlyInAnyOrder("game_a_discriminator/m", "game_a_discriminator/running_2/m");
    }

    private static List<String> statesOfNoRow(Networks networks, String program) {
        return networks.program(program).inputs().stream()
                .filter(input -> !networks.isStateOfRow(input))
                .map(input -> input.path().text())
                .toList();
    }

    @Test
    void termsThatDoNotFitALossOrAHeadAreRefused() {
        assertThatThrownBy(() -> GanLoss.hinge().with(new LabelSmoothing(0.1)))
                .hasMessage("term label_smoothing changes the target of real rows, and loss hinge has none; use it with"
                        + " non_saturating, minimax or least_squares");
        Discriminator heads = new LinearHeads(MlpDiscriminator.usual(), Map.of("category", 10, "numbers", 1));
        Gan info =
                Gan.of(MlpGenerator.usual(), heads).condition(new Codes(10, 2)).terms(List.of(new Information(1, 0.1)));
        assertThatThrownBy(() -> info.build(new Columns(List.of(image("image", 4)))))
                .hasMessageContaining("term information: head numbers has 1 outputs, and needs 2: sizes: {numbers: 2}");
    }

    @Test
    void aSecondTermOfAKeyAndOneOfBothSidesHaveNoiseOfTheirOwn() {
        Columns columns = new Columns(List.of(image("image", 4)));
        Gan gan = Gan.of(MlpGenerator.usual().width(4), MlpDiscriminator.usual().width(4));
        Networks twice = gan.loss(GanLoss.wasserstein())
                .terms(List.of(
                        Term.wganGp(10), Term.wganGp(1), Term.wganGp(2).every(4), new LatentConsistency(5, 0.5, 0.05)))
                .build(columns);
        assertThat(twice.program("discriminator").metrics())
                .containsKeys("wgan_gp", "wgan_gp_2", "latent_consistency", "penalty");
        assertThat(noises(twice, "discriminator"))
                .contains("wgan_gp/epsilon", "wgan_gp_2/wgan_gp/epsilon", "latent_consistency/noise");
        assertThat(noises(twice, "wgan_gp")).contains("wgan_gp_3/wgan_gp/epsilon");
        assertThat(noises(twice, "generator")).contains("latent_consistency_of_generator/latent_consistency/noise");
    }

    @Test
    void aTurnThatLacksItsStateIsToldHowToCarryIt() {
        Source ring = new GaussianRing(8, 2, 0.1, 64, 1).open("ring", 16, true);
        Networks pooled = Gan.of(
                        MlpGenerator.usual().width(4), MlpDiscriminator.usual().width(4))
                .pool(4)
                .build(Columns.of(ring));
        Turn.Descend d = Turn.of("d", pooled.program("discriminator")).updates("discriminator/**", sgd(0.1));
        assertThatThrownBy(() -> FeedChecks.check(List.of(d), List.of(ring)))
                .hasMessageEndingWith(
                        "reads input pool, which no source feeds; there is: point; as a state of the turn it needs carries:"
                                + " {pool: pool_next}");
    }

    private static List<String> noises(Networks networks, String program) {
        return networks.program(program).noises().stream()
                .map(noise -> noise.path().text())
                .toList();
    }

    @Test
    void furtherNoiseOfAGeneratorIsDrawnWhenItsLatentIs() {
        Columns columns = new Columns(List.of(image("image", 1, 8, 8)));
        Gan gan = Gan.of(
                new Stylegan2Generator(4, 8, 1, 1, 4), MlpDiscriminator.usual().width(4));
        for (Redraw redraw : Redraw.values()) {
            assertThat(gan.noise(redraw).build(columns).program("generator").noises())
                    .hasSizeGreaterThan(1)
                    .allSatisfy(noise ->
                            assertThat(((Noise) noise.operator()).redraw()).isEqualTo(redraw));
        }
    }

    @Test
    void termsThatWouldComputeSomethingElseAreRefused() {
        assertThatThrownBy(() -> GanLoss.hinge().with(new LabelSmoothing(0.1).every(4)))
                .hasMessageStartingWith("term label_smoothing changes the target of real rows");
        assertThatThrownBy(() -> Term.r1(1).every(4).every(4))
                .hasMessage("term: must not be lazy itself, was {lazy: {every: 4, term: r1}}");
        Augmentation adaptive = new Adaptive(List.of(new Mirror()));
        assertThatThrownBy(() -> new ConsistencyTerm(10, adaptive))
                .hasMessageStartingWith("augmentation: must have fixed probabilities in a term");
        assertThatThrownBy(() -> new BalancedConsistency(10, adaptive))
                .hasMessageStartingWith("augmentation: must have fixed probabilities in a term");
        Discriminator projection = new Projection(MlpDiscriminator.usual());
        assertThatThrownBy(() -> new LinearHeads(projection, Map.of("class", 10)))
                .hasMessage(
                        "of: must not be a projection, which reads the labels that heads predict; take one of the two");
        Gan pooled = Gan.of(MlpGenerator.usual(), MlpDiscriminator.usual()).pool(4);
        Columns points = new Columns(List.of(image("image", 4)));
        String unknown =
                " reads the noise of the generated rows or further outputs of the generator, which are not known:"
                        + " the rows are made from other rows, or some are from a pool";
        assertThatThrownBy(() -> pooled.terms(List.of(new LatentConsistency(5, 0.5, 0.05)))
                        .build(points))
                .hasMessage("term latent_consistency" + unknown);
        assertThat(pooled.terms(List.of(new ModeSeeking(1))).build(points).program("generator"))
                .isNotNull();
        CycleGan cycle = CycleGan.of(
                MlpGenerator.usual().width(4), MlpDiscriminator.usual().width(4));
        assertThatThrownBy(() -> cycle.terms(List.of(new ModeSeeking(1)))
                        .build(new Columns(List.of(image("a", 4), image("b", 4)))))
                .hasMessage("term mode_seeking" + unknown);
    }

    private static List<String> warningsAlone(Networks networks) {
        return warnings(Setup.of(networks, List.of(new Phase("none", Turn.act("none", run -> {}), Budget.rounds(0)))));
    }

    private static List<String> warnings(Setup setup) {
        return setup.networks().cautions().stream()
                .filter(caution -> !caution.isMet().test(setup))
                .map(Networks.Caution::warning)
                .toList();
    }
}
