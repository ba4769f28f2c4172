package hocket.workbench.runs.plans;

import static org.assertj.core.api.Assertions.assertThat;

import hocket.programs.Graph;
import hocket.schedulers.Budget;
import hocket.schedulers.Plan;
import hocket.schedulers.Resample;
import hocket.schedulers.Setup;
import hocket.schedulers.Turn;
import hocket.scopes.Declaration;
import hocket.scopes.Declaration.Fan;
import hocket.scopes.Declaration.Kind;
import hocket.scopes.ElementType;
import hocket.scopes.Initialiser;
import hocket.scopes.Path;
import hocket.scopes.Shape;
import hocket.workbench.terminal.NumberFormats;
import hocket.workbench.testing.SmallGan;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class PlanPartsTest {
    private static final Turn A = Turn.act("a", run -> {});
    private static final Turn B = Turn.act("b", run -> {});

    @Test
    void budgetsAreCountedInRounds() {
        RoundCounts roundCounts = new RoundCounts(Plan.sequence(A.times(2), B), List.of());
        assertThat(roundCounts.turns()).hasValue(3);
        assertThat(roundCounts.in(Budget.rounds(7))).hasValue(7);
        assertThat(roundCounts.in(Budget.turns(7))).hasValue(3);
        assertThat(roundCounts.in(Budget.epochs("image", 7))).isEmpty();
    }

    @Test
    void epochsAreCountedInRoundsAlsoWhereAScheduleDecidesWhatIsDrawn() {
        SmallGan gan = SmallGan.of();
        List<Setup.Feed> feeds = List.of(new Setup.Feed(SmallGan.images(64, 8), Resample.EACH_TURN));
        Plan reads = gan.d().times(2);
        Budget budget = Budget.epochs("image", 5);
        assertThat(new RoundCounts(Plan.sequence(reads, gan.g()), feeds).in(budget))
                .hasValue(20);
        List<Setup.Feed> once = List.of(new Setup.Feed(SmallGan.images(64, 8), Resample.EACH_ROUND));
        assertThat(new RoundCounts(Plan.sequence(reads, gan.g()), once).in(budget))
                .hasValue(40);
        assertThat(new RoundCounts(Plan.choose(SmallGan.always("d"), gan.d(), gan.g()), feeds).in(budget))
                .hasValue(40);
        assertThat(new RoundCounts(gan.g(), feeds).in(budget)).isEmpty();
    }

    @Test
    void parametersAreSummarisedByTheFewestGlobs() {
        List<Declaration> all = Stream.of("g/conv/weight", "g/conv/bias", "g/bn/scale", "g/bn/mean", "d/out", "t")
                .map(path -> new Declaration(
                        Path.of(path),
                        Shape.of(2, 3),
                        ElementType.FLOAT32,
                        Initialiser.constant(0),
                        Fan.NONE,
                        path.endsWith("mean") ? Kind.RUNNING_STATISTIC : Kind.WEIGHT))
                .toList();
        ParameterGlobs parameterGlobs = new ParameterGlobs(all);
        assertThat(parameterGlobs.summary(paths("g/conv/weight", "g/conv/bias", "g/bn/scale", "g/bn/mean")))
                .extracting(ParameterGlobs.Share::toString)
                .containsExactly("g/** (4 arrays, 24 numbers)");
        assertThat(parameterGlobs.summary(paths("g/conv/weight", "g/conv/bias", "g/bn/scale")))
                .extracting(ParameterGlobs.Share::toString)
                .containsExactly("g/** (3 arrays, 18 numbers)");
        assertThat(parameterGlobs.summary(paths("g/conv/weight", "g/conv/bias", "t")))
                .extracting(ParameterGlobs.Share::toString)
                .containsExactly("g/conv/** (2 arrays, 12 numbers)", "t (1 array, 6 numbers)");
        assertThat(parameterGlobs.summary(paths("g/conv/bias", "d/out")))
                .extracting(ParameterGlobs.Share::toString)
                .containsExactly("d/out (1 array, 6 numbers)", "g/conv/bias (1 array, 6 numbers)");
        assertThat(parameterGlobs.summary(paths("d/out", "t")))
                .extracting(ParameterGlobs.Share::toString)
                .containsExactly("d/out (1 array, 6 numbers)", "t (1 array, 6 numbers)");
        assertThat(new ParameterGlobs(new Graph().declarations()).summary(List.of()))
                .isEmpty();
    }

    @Test
    void figuresReadAsPeopleWriteThem() {
        assertThat(NumberFormats.exactly(2e-4)).isEqualTo("0.0002");
        assertThat(NumberFormats.exactly(1e-8)).isEqualTo("1e-8");
        assertThat(NumberFormats.exactly(0.999)).isEqualTo("0.999");
        assertThat(NumberFormats.exactly(16)).isEqualTo("16");
        assertThat(NumberFormats.clock(118.4)).isEqualTo("1:58");
        assertThat(NumberFormats.clock(7400)).isEqualTo("2:03:20");
        assertThat(NumberFormats.shortly(Double.NaN)).isEqualTo("NaN");
        assertThat(NumberFormats.shortly(123456)).isEqualTo("1.2e+05");
        assertThat(NumberFormats.briefly(9_999)).isEqualTo("9,999");
        assertThat(NumberFormats.briefly(10_000)).isEqualTo("10.0k");
        assertThat(NumberFormats.briefly(99_960)).isEqualTo("100k");
        assertThat(NumberFormats.briefly(999_499)).isEqualTo("999k");
        assertThat(NumberFormats.briefly(999_500)).isEqualTo("1.00M");
        assertThat(NumberFormats.briefly(Long.MAX_VALUE)).isEqualTo("9.22E");
        assertThat(NumberFormats.bytes(999)).isEqualTo("999 B");
        assertThat(NumberFormats.bytes(1_192_712)).isEqualTo("1.19 MB");
        assertThat(NumberFormats.counted(1, "draw")).isEqualTo("1 draw");
        assertThat(NumberFormats.counted(1_000, "draw")).isEqualTo("1,000 draws");
    }

    private static List<Path> paths(String... texts) {
        return Stream.of(texts).map(Path::of).toList();
    }
}
