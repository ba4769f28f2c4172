package hocket.workbench.files.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hocket.gan.augmentations.Flip;
import hocket.gan.augmentations.InstanceNoise;
import hocket.gan.data.GaussianRing;
import hocket.gan.data.Optdigits;
import hocket.gan.losses.GanLoss;
import hocket.gan.networks.ConditionalDcgan;
import hocket.gan.networks.Dcgan;
import hocket.gan.networks.Norm;
import hocket.gan.networks.RingGan;
import hocket.gan.terms.Term;
import hocket.schedulers.Budget;
import hocket.schedulers.Columns;
import hocket.schedulers.Definition;
import hocket.schedulers.LiveRun;
import hocket.schedulers.Plan;
import hocket.schedulers.Resample;
import hocket.schedulers.Setup;
import hocket.schedulers.Source;
import hocket.schedulers.Turn;
import hocket.schedulers.optimizers.Optimizers;
import hocket.schedulers.settings.Keys;
import hocket.schedulers.settings.NetworkDefinition;
import hocket.schedulers.settings.Networks;
import hocket.scopes.Selection;
import hocket.workbench.files.UserError;
import hocket.workbench.runs.plans.PlanFacts;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** A file can choose every loss and every penalty that Java can, and trains to the same bits. */
@Tag("engine")
class PenaltiesInFilesTest {
    private static final Map<String, Term> PENALTIES = new LinkedHashMap<>();

    static {
        PENALTIES.put("{wgan_gp: {weight: 5}}", Term.wganGp(5));
        PENALTIES.put("{wgan_lp: {weight: 5}}", Term.wganLp(5));
        PENALTIES.put("{zero_centred: {weight: 5}}", Term.zeroCentred(5));
        PENALTIES.put("{r1: {weight: 5}}", Term.r1(5));
        PENALTIES.put("{r2: {}}", Term.r2(10));
        PENALTIES.put("{dragan: {weight: 5}}", Term.dragan(5));
        PENALTIES.put("{consistency: {weight: 5, augmentation: {flip: {}}}}", Term.consistency(5, new Flip()));
        PENALTIES.put(
                "{balanced_consistency: {weight: 5, augmentation: {instance_noise: {deviation: 0.2}}}}",
                Term.balancedConsistency(5, new InstanceNoise(0.2)));
    }

    private static ExperimentFile file(String name, String... changes) {
        return ExperimentFile.read(
                name, List.of(changes), new ExperimentFile.Surroundings(Path.of(""), List.of(), Map.of()));
    }

    private static String digest(Definition definition) {
        try (LiveRun run = definition.begin(7, 1)) {
            run.run();
            return run.parameters().digest();
        }
    }

    private static String inFile(String name, GanLoss loss, String penalties, String... changes) {
        return digest(inFileOf(name, loss, penalties, changes));
    }

    private static Definition inFileOf(String name, GanLoss loss, String penalties, String... changes) {
        List<String> all = new ArrayList<>(List.of(changes));
        all.add("network.loss=" + loss.key());
        all.add("network.terms=" + penalties);
        all.add("d.rate=1e-3");
        all.add("g.rate=1e-3");
        return file(name, all.toArray(String[]::new)).definition(ExperimentFile.TRAIN);
    }

    private static Definition ring(GanLoss loss, List<Term> penalties) {
        return () -> {
            Source ring = new GaussianRing(8, 2, 0.02, 256, 1).open("ring", 16, true);
            return game(RingGan.usual().latent(4).width(8).loss(loss).terms(penalties), ring, Resample.EACH_TURN);
        };
    }

    private static Setup game(NetworkDefinition definition, Source source, Resample resample) {
        Networks networks = definition.build(Columns.of(source));
        Turn d = Turn.of("d", networks.program("discriminator"))
                .updates("discriminator/**", Optimizers.adam(1e-3).beta1(0.5));
        Turn g = Turn.of("g", networks.program("generator"))
                .updates("generator/**", Optimizers.adam(1e-3).beta1(0.5));
        return Setup.of(networks, Plan.sequence(d, g), Budget.rounds(3)).feed(source, resample);
    }

    static Stream<GanLoss> losses() {
        return Arrays.stream(GanLoss.class.getDeclaredMethods())
                .filter(method -> Modifier.isStatic(method.getModifiers())
                        && method.getReturnType() == GanLoss.class
                        && method.getParameterCount() == 0)
                .sorted(Comparator.comparing(Method::getName))
                .map(PenaltiesInFilesTest::made);
    }

    private static GanLoss made(Method factory) {
        try {
            return (GanLoss) factory.invoke(null);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    static Stream<Arguments> games() {
        return losses().flatMap(loss -> PENALTIES.keySet().stream().map(penalty -> Arguments.of(loss, penalty)));
    }

    /** Each loss with one of the penalties, and each penalty with one of the losses. */
    static Stream<Arguments> someGames() {
        List<GanLoss> losses = losses().toList();
        List<String> penalties = List.copyOf(PENALTIES.keySet());
        return IntStream.range(0, Math.max(losses.size(), penalties.size()))
                .mapToObj(i -> Arguments.of(losses.get(i % losses.size()), penalties.get(i % penalties.size())));
    }

    @Tag("slow")
    @ParameterizedTest
    @MethodSource("games")
    void everyLossWithEveryPenaltyTrainsAsInJava(GanLoss loss, String penalty) {
        everyPenaltyTrainsAsInJava(loss, penalty);
    }

    @ParameterizedTest
    @MethodSource("someGames")
    void everyPenaltyTrainsAsInJava(GanLoss loss, String penalty) {
        String inFile = inFile(
                "gaussian-ring",
                loss,
                "[" + penalty + "]",
                "latent=4",
                "width=8",
                "rows=256",
                "batch=16",
                "rounds=3",
                "on=[]");
        Definition inJava = ring(loss, List.of(Objects.requireNonNull(PENALTIES.get(penalty))));
        assertThat(inFile).isEqualTo(digest(inJava));
        assertThat(inJava.setup().networks().program("discriminator").metrics()).containsKey("penalty");
    }

    @ParameterizedTest
    @MethodSource("losses")
    void everyLossTrainsAsInJavaWithoutAPenalty(GanLoss loss) {
        String inFile =
                inFile("gaussian-ring", loss, "[]", "latent=4", "width=8", "rows=256", "batch=16", "rounds=3", "on=[]");
        assertThat(inFile).isEqualTo(digest(ring(loss, List.of())));
    }

    @ParameterizedTest
    @EnumSource(
            value = Norm.class,
            names = {"LAYER", "INSTANCE", "SPECTRAL", "NONE"})
    void networksOfImagesTakePenaltiesToo(Norm norm) {
        GanLoss loss = GanLoss.wasserstein();
        List<Term> penalties = List.of(Term.wganGp(5), Term.r1(5));
        String written = "[{wgan_gp: {weight: 5}}, {r1: {weight: 5}}]";
        String[] small = {
            "latent=4",
            "width=2",
            "batch=8",
            "budget={rounds: 3}",
            "on=[]",
            "plan={sequence: [d, g]}",
            "norm=" + norm.name().toLowerCase(Locale.ROOT)
        };
        Definition plain = () -> {
            Source digits = new Optdigits(Optdigits.Part.ALL).open("digits", 8, true);
            return game(
                    Dcgan.usual().latent(4).width(2).loss(loss).terms(penalties).norm(norm),
                    digits,
                    Resample.EACH_TURN);
        };
        Definition conditional = () -> {
            Source digits = new Optdigits(Optdigits.Part.ALL).open("digits", 8, true);
            return game(
                    ConditionalDcgan.usual()
                            .latent(4)
                            .width(2)
                            .loss(loss)
                            .terms(penalties)
                            .norm(norm),
                    digits,
                    Resample.EACH_ROUND);
        };
        assertThat(networks(inFileOf("digits-gan", loss, written, small)))
                .isEqualTo(networks(plain))
                .isNotEqualTo(networks(inFileOf("digits-gan", loss, "[]", small)));
        assertThat(networks(inFileOf("digits-conditional", loss, written, small)))
                .isEqualTo(networks(conditional));
    }

    /** The digest of what both networks are made of, without the generator's average. */
    private static String networks(Definition definition) {
        try (LiveRun run = definition.begin(7, 1)) {
            run.run();
            return run.parameters().digest(Selection.of("discriminator/**, generator/**"));
        }
    }

    @Test
    void everyPenaltyThatJavaMakesHasItsKeyAndIsTried() {
        List<String> tried = PENALTIES.keySet().stream()
                .map(written -> written.substring(1, written.indexOf(':')))
                .toList();
        List<String> made = Arrays.stream(Term.class.getDeclaredMethods())
                .filter(method -> Modifier.isStatic(method.getModifiers()) && !method.isSynthetic())
                .map(Method::getName)
                .map(Keys::of)
                .toList();
        assertThat(tried).containsExactlyInAnyOrderElementsOf(made);
    }

    @Test
    void aWeightBelowNothingIsRefusedWithItsPlace() {
        assertThatThrownBy(() -> file("digits-gan", "network.terms=[{r1: {weight: -1}}]"))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("network/terms/0/r1/weight: must be a finite number of at least 0, was -1");
        assertThatThrownBy(() -> file("digits-gan", "network.terms=[{r3: {}}]"))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("network/terms/0: needs one of the keys wgan_gp");
    }

    @Test
    void termsAreReadByTheirFormerKey() {
        assertThat(file("gaussian-ring", "network.penalties=[{r1: {weight: 2}}]")
                        .text())
                .isEqualTo(file("gaussian-ring", "network.terms=[{r1: {weight: 2}}]")
                        .text());
    }

    @Test
    void aPenaltyOnRowsThatABatchNormMixesIsRefusedAtTheNetwork() {
        for (String name : List.of("digits-gan", "digits-conditional")) {
            assertThatThrownBy(() -> file(name, "network.terms=[{r1: {}}]")
                            .definition(ExperimentFile.TRAIN)
                            .setup())
                    .isInstanceOf(UserError.class)
                    .hasMessageContaining("network: term r1 takes the gradient of each row, and discriminator")
                    .hasMessageContaining("bn2 normalises by the batch")
                    .hasMessageContaining("(norm: layer of dcgan)");
        }
    }

    @Test
    void thePlanSaysWhatAWassersteinLossLacks() {
        String lacks = "discriminator: its loss is wasserstein, which needs a Lipschitz-constrained discriminator";
        assertThat(warnings("network.loss=wasserstein"))
                .singleElement()
                .asString()
                .startsWith(lacks);
        assertThat(warnings("network.loss=hinge")).isEmpty();
        assertThat(warnings("network.loss=wasserstein", "network.terms=[{wgan_gp: {}}]"))
                .isEmpty();
        String clipped = "turns.d.updates.discriminator/**=[{adam: {rate: 1e-3}}, {bound: 0.01}]";
        assertThat(warnings("network.loss=wasserstein", clipped)).isEmpty();
        assertThat(warningsOf("digits-gan", "network.loss=wasserstein")) // a file that changes a program
                .singleElement()
                .asString()
                .startsWith(lacks)
                .contains(
                        "add the term {wgan_gp: {weight: 10}} to a discriminator without batch norm, use a spectral norm");
        assertThat(warningsOf("digits-gan", "network.loss=wasserstein", "norm=spectral"))
                .isEmpty();
        assertThat(warningsOf("digits-gan", "network.loss=wasserstein", "norm=layer", "network.terms=[{wgan_gp: {}}]"))
                .isEmpty();
    }

    private static List<String> warnings(String... changes) {
        return warningsOf("gaussian-ring", changes);
    }

    private static List<String> warningsOf(String name, String... changes) {
        Setup setup = file(name, changes).definition(ExperimentFile.TRAIN).setup();
        return PlanFacts.of(name, 7, setup).warnings();
    }

    private static Definition digits(String network, String... changes) {
        List<String> all = new ArrayList<>(
                List.of("network=" + network, "d.rate=1e-3", "g.rate=1e-3", "batch=8", "budget={rounds: 3}", "on=[]"));
        all.addAll(List.of(changes));
        return file("digits-conditional", all.toArray(String[]::new)).definition(ExperimentFile.TRAIN);
    }

    @Test
    void aGanOfPartsTrainsAsItsShortForm() {
        String parts = "latent: 4, generator: {dcgan: {width: 2}}, discriminator: {dcgan: {width: 2}}";
        assertThat(networks(digits("{class: Gan, condition: none, " + parts + "}")))
                .isEqualTo(networks(digits("{class: Dcgan, latent: 4, width: 2}")));
        assertThat(networks(digits("{class: Gan, condition: labels, " + parts + "}")))
                .isEqualTo(networks(digits("{class: Gan, condition: {labels: {classes: 10}}, " + parts + "}")))
                .isEqualTo(networks(digits("{class: ConditionalDcgan, latent: 4, width: 2}")));
    }

    @Test
    void aPartWithItsDefaultsIsItsNameAlone() {
        String network =
                "{class: Gan, generator: dcgan, discriminator: {dcgan: {norm: layer}}, terms: [r1, dragan], loss: ";
        ExperimentFile file = file("digits-gan-plain", "network=" + network + "least-squares}");
        assertThat(file.text())
                .contains("loss: least_squares", "dcgan: {width: 64, layers: 2, weights: normal(0.02), labels: beside}")
                .contains("terms: [{r1: {weight: 10}}, {dragan: {weight: 10}}]");
        assertThatThrownBy(() -> file("digits-gan-plain", "network=" + network + "hing}"))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("and 1 more (hocket list gan_loss), or class, was hing; did you mean hinge?");
        assertThatThrownBy(() -> file("digits-gan-plain", "network=" + network + "{hinge: {}, wasserstein: {}}}"))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("network/loss: has hinge and wasserstein, of which it takes one");
        assertThatThrownBy(() -> file("digits-gan-plain", "network=" + network + "consistency}"))
                .isInstanceOf(UserError.class);
    }
}
