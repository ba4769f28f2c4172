package hocket.gan.networks;

import static hocket.programs.Layers.dense;
import static hocket.programs.Operators.flatten;
import static hocket.programs.Operators.reshape;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hocket.gan.data.GaussianGrid;
import hocket.gan.parts.ConditionDefinition;
import hocket.gan.parts.Generated;
import hocket.gan.parts.Generator;
import hocket.gan.parts.RowCondition;
import hocket.gan.terms.ModeSeeking;
import hocket.gan.terms.PathLength;
import hocket.programs.Graph;
import hocket.programs.Mode;
import hocket.programs.Program;
import hocket.programs.Session;
import hocket.programs.Session.Feeds;
import hocket.programs.Value;
import hocket.schedulers.Budget;
import hocket.schedulers.Columns;
import hocket.schedulers.Phase;
import hocket.schedulers.Resample;
import hocket.schedulers.Setup;
import hocket.schedulers.Source;
import hocket.schedulers.Turn;
import hocket.schedulers.feeds.PackedSource;
import hocket.schedulers.settings.Networks;
import hocket.scopes.Declaration;
import hocket.scopes.Parameters;
import hocket.scopes.Shape;
import hocket.scopes.Streams;
import hocket.scopes.Tensor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A {@link Gan} whose discriminator scores several rows at once (PacGAN; Lin et al. 2018). */
class PackedGanTest {
    private static final Gan GAN = Gan.of(
                    MlpGenerator.usual().width(8), MlpDiscriminator.usual().width(8))
            .latent(4);

    private static Source points(int pack) {
        return PackedSource.of(new GaussianGrid(5, 2, 0.05, 120, 1).open("grid", 12, true), pack);
    }

    private static Networks networks(int pack) {
        return GAN.pack(pack).build(Columns.of(points(pack)));
    }

    private static List<String> noises(Program program) {
        return program.noises().stream().map(noise -> noise.path().text()).toList();
    }

    private static Map<String, Shape> parameters(Networks networks) {
        return networks.graph().declarations().stream()
                .collect(Collectors.toMap(each -> each.path().text(), Declaration::shape));
    }

    @Test
    void theDiscriminatorSeesPacksOfRowsAndTheGeneratorDrawsSingleOnes() {
        Networks packed = networks(3);
        assertThat(packed.program("discriminator").input("point").map(Value::shape))
                .hasValue(Shape.of(6));
        assertThat(packed.program("field").signature()).contains("field(point (batch,6))");
        Program draw = packed.program("draw");
        assertThat(draw.targets().get(0).shape()).isEqualTo(Shape.of(2));
        assertThat(noises(draw)).containsExactly("noise");
        assertThat(noises(packed.program("generator"))).containsExactlyInAnyOrder("noise", "noise_2", "noise_3");
    }

    @Test
    void thePackedGeneratorHasTheParametersOfTheOtherAndTheDiscriminatorReadsMore() {
        Map<String, Shape> packed = parameters(networks(2));
        Map<String, Shape> single = parameters(networks(1));
        assertThat(packed.keySet()).isEqualTo(single.keySet());
        assertThat(packed).containsEntry("discriminator/hidden1/weight", Shape.of(8, 4));
        assertThat(single).containsEntry("discriminator/hidden1/weight", Shape.of(8, 2));
    }

    @Test
    @Tag("engine")
    void aPackIsTheRowsThatTheGeneratorMakesOfItsNoises() {
        Columns columns = Columns.of(points(3));
        GanPasses passes = GanPasses.of(GAN.pack(3), columns);
        Value again = passes.generator()
                .apply(passes.ofGenerator().latents().orElseThrow().noise());
        Program all = Program.compile("all", Mode.EVAL, passes.fake(), again, passes.samples());
        try (Parameters parameters = Parameters.initialise(passes.fake().graph().declarations(), Streams.seed(3));
                Session session = Session.over(passes.fake().graph(), parameters)) {
            List<Tensor> made = session.run(all, Feeds.rows(5));
            float[] packs = made.get(0).floats();
            assertThat(made.get(1).floats()).isEqualTo(packs);
            float[] rows = made.get(2).floats();
            for (int i = 0; i < 5; i++) {
                assertThat(Arrays.copyOfRange(packs, 6 * i, 6 * i + 2))
                        .isEqualTo(Arrays.copyOfRange(rows, 2 * i, 2 * i + 2));
            }
        }
    }

    @Test
    void termsThatGenerateFurtherRowsGeneratePacks() {
        Gan seeking = GAN.terms(List.of(new ModeSeeking(1))).pack(2);
        assertThat(seeking.build(Columns.of(points(2))).program("generator").metrics())
                .containsKey("mode_seeking");
    }

    @Test
    void pathLengthsOfPacksAreRefusedAsTheirRowsDoNotDependOnTheJoinedStyles() {
        Gan styled = Gan.of(new StyledPoints(), MlpDiscriminator.usual()).terms(List.of(new PathLength(2, 0.01, true)));
        assertThat(styled.build(Columns.of(points(1))).program("generator").metrics())
                .containsKey("path_length");
        assertThatThrownBy(() -> styled.pack(2).build(Columns.of(points(2))))
                .hasMessageStartingWith("path_length: rows must depend on the generator's styles, and ")
                .hasMessageEndingWith("so that each length would be 0; with pack above 1 it never does");
    }

    /** Makes points of two styles. */
    private record StyledPoints() implements Generator {
        @Override
        public Value generate(Value latent, RowCondition condition, Shape rows) {
            return make(latent, condition, rows).rows();
        }

        @Override
        public Generated make(Value latent, RowCondition condition, Shape rows) {
            Value styles = reshape(dense("styles", latent, 6), 2, 3);
            return new Generated(dense("out", flatten(styles), 2), Map.of(Generated.STYLES, styles));
        }
    }

    @Test
    void aFeedWithoutPacksAndAConditionAreRefused() {
        assertThatThrownBy(() -> GAN.pack(3).build(Columns.of(points(1))))
                .hasMessage("pack: is 3, but the rows of column point, (2), are not 3 rows joined along the first axis:"
                        + " set pack: 3 of its feed, too");
        assertThatThrownBy(() -> GAN.condition(ConditionDefinition.labels(10)).pack(2))
                .hasMessageStartingWith(
                        "pack: must be 1 with a condition other than categories, was 2 with condition Labels");
        assertThatThrownBy(() -> GAN.pack(0)).hasMessage("pack: must be at least 1, was 0");
    }

    @Test
    void aFeedWhoseRowsAreNotPacksIsWarnedOf() {
        Networks halves = GAN.pack(2).build(Columns.of(points(1)));
        Predicate<Setup> isMet = halves.cautions().get(0).isMet();
        assertThat(halves.cautions().get(0).warning())
                .isEqualTo(
                        "network: pack is 2, and the feed of column point joins another number of rows of its data: set"
                                + " pack of both to one number");
        assertThat(isMet.test(fed(halves, points(1)))).isFalse();
        assertThat(isMet.test(fed(halves, points(2)))).isTrue();
        Networks single = GAN.build(Columns.of(points(2)));
        assertThat(single.cautions().get(0).isMet().test(fed(single, points(2))))
                .isFalse();
    }

    private static Setup fed(Networks networks, Source source) {
        Phase none = new Phase("none", Turn.act("none", run -> {}), Budget.rounds(0));
        return Setup.of(networks, List.of(none)).feed(source, Resample.EACH_TURN);
    }

    @Test
    void anAugmentationChangesEachRowOfAPackByItself() {
        Packing packing = new Packing(3, 4);
        Value packs = new Graph().input("packs", Shape.of(6, 5));
        List<Shape> seen = new ArrayList<>();
        Value same = packing.each(packs, row -> {
            seen.add(row.shape());
            return row;
        });
        assertThat(seen).containsExactly(Shape.of(2, 5), Shape.of(2, 5), Shape.of(2, 5));
        assertThat(same.shape()).isEqualTo(packs.shape());
    }

    @Test
    void aMaxoutUnitIsTheLargestOfItsLinearPieces() {
        Graph graph = new Graph();
        Value x = graph.input("x", Shape.of(1));
        MlpDiscriminator maxout = MlpDiscriminator.usual().width(2).layers(1).pieces(3);
        Value logit = graph.module(
                        "discriminator",
                        (Value row) -> maxout.score(row, RowCondition.none()).logit())
                .apply(x);
        Program score = Program.compile("score", Mode.EVAL, logit);
        try (Parameters parameters = Parameters.initialise(graph.declarations(), Streams.seed(3));
                Session session = Session.over(graph, parameters)) {
            // Unit 0 has the pieces x, -x and 0.5; unit 1 has 2x - 1, 0 and -3.
            parameters.set("discriminator/hidden1/weight", 1, 2, -1, 0, 0, 0);
            parameters.set("discriminator/hidden1/bias", 0, -1, 0, 0, 0.5, -3);
            parameters.set("discriminator/logit/weight", 1, 10);
            Tensor rows = Tensor.of(Shape.of(3, 1), new float[] {-2, 0.25f, 3});
            assertThat(session.run(score, Feeds.of("x", rows)).get(0).floats()).containsExactly(2, 0.5f, 53);
        }
    }
}
