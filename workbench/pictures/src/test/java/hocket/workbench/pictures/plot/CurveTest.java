package hocket.workbench.pictures.plot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Offset.offset;

import java.util.List;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class CurveTest {
    @Test
    void betweenPointsItIsStraightAndBeyondThemItStays() {
        Curve curve = new Curve("c", new double[] {1, 3, 4}, new double[] {10, 20, 0});
        assertThat(curve.at(0)).isEqualTo(10);
        assertThat(curve.at(1)).isEqualTo(10);
        assertThat(curve.at(2.5)).isEqualTo(17.5);
        assertThat(curve.at(3)).isEqualTo(20);
        assertThat(curve.at(3.5)).isEqualTo(10);
        assertThat(curve.at(9)).isEqualTo(0);
    }

    private static final double GAP = Double.NaN;

    @Test
    void aPointBecomesTheMeanOfThoseAroundIt() {
        Curve curve = curve(3, 6, 0, 9, 12).smoothed(2);
        assertThat(curve.y()).containsExactly(4.5, 3, 5, 7, 10.5);
        assertThat(curve.x()).containsExactly(0, 1, 2, 3, 4);
    }

    @Test
    void aGapStaysAndCountsForNothingBesideIt() {
        assertThat(curve(3, GAP, 5, 7).smoothed(2).y()).containsExactly(3, GAP, 6, 6);
    }

    @Test
    void theLargestNumbersHaveAMean() {
        assertThat(curve(Double.MAX_VALUE, Double.MAX_VALUE, Double.MAX_VALUE)
                        .smoothed(2)
                        .y())
                .containsOnly(Double.MAX_VALUE);
    }

    @Test
    void anAxisIsLogarithmicOnlyAboveTwoDecades() {
        assertThat(ValueAxis.bySize(List.of(curve(1, 100))).logarithmic()).isFalse();
        ValueAxis axis = ValueAxis.bySize(List.of(curve(1, 1000), curve(0, GAP)));
        assertThat(axis.logarithmic()).isTrue();
        assertThat(axis.fit(curve(1, 1000, 0, -1)).y()).containsExactly(0, 3, GAP, GAP);
    }

    @Test
    void longNumbersAreDividedByAPowerThatTheTitleNames() {
        ValueAxis small = ValueAxis.linear(List.of(curve(2e-9, 3e-9)));
        assertThat(small.title("rate")).isEqualTo("rate / 10⁻⁹");
        assertThat(small.fit(curve(2e-9)).y()[0]).isCloseTo(2, offset(1e-12));
        ValueAxis large = ValueAxis.linear(List.of(curve(-Double.MAX_VALUE, Double.MAX_VALUE)));
        assertThat(large.title("loss")).isEqualTo("loss / 10³⁰⁶");
        assertThat(large.shown().greatest()).isBetween(179.0, 200.0);
        assertThat(ValueAxis.linear(List.of(curve(0.001, 99_999))).title("loss"))
                .isEqualTo("loss");
    }

    @Test
    void curvesThatAreNeverFiniteOrNeverMoveStillHaveAnAxis() {
        for (Curve curve : List.of(curve(GAP, GAP), curve(0, 0), curve(-7, -7), curve(1, 1 + 1e-12))) {
            Extent shown = ValueAxis.bySize(List.of(curve)).shown();
            assertThat(shown.size()).isGreaterThan(0.1).isFinite();
        }
    }

    @Test
    void meansAreOverRoundNumbers() {
        assertThat(Stream.of(1.0, 30.0, 300.0, 680.0, 20_000.0).map(size -> new Extent(0, size).part(30)))
                .containsExactly(0.02, 1.0, 10.0, 20.0, 500.0);
    }

    private static Curve curve(double... y) {
        return new Curve(
                "d", DoubleStream.iterate(0, x -> x + 1).limit(y.length).toArray(), y);
    }
}
