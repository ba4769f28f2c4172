package hocket.workbench.live.views;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Fewer points that look the same. */
class ThinningTest {
    private static double[] xs(int count) {
        return IntStream.range(0, count).asDoubleStream().toArray();
    }

    private static int[] kept(double[] ys, int most) {
        return Downsampling.largestTriangles(xs(ys.length), ys, most);
    }

    @Test
    void asManyAsAreAskedForAreKeptInOrderWithBothEnds() {
        double[] ys =
                IntStream.range(0, 1000).mapToDouble(i -> Math.sin(i * 0.1)).toArray();
        int[] kept = kept(ys, 50);
        assertThat(kept).hasSize(50).startsWith(0).endsWith(999).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void aSpikeIsSeen() {
        double[] ys = new double[10_000];
        ys[6_789] = 5;
        assertThat(kept(ys, 20)).contains(6_789);
    }

    @Test
    void ofThreeTheMiddleOneSpansTheLargestTriangleByHand() {
        // triangles with (0, 0) and the mean of the last bucket, (4, 1): twice their areas are |x·1 - 4·y|
        assertThat(kept(new double[] {0, 2, -3, 1, 1}, 3)).containsExactly(0, 2, 4);
    }

    @Test
    void fewPointsAreLeftAlone() {
        assertThat(kept(new double[] {1, 2, 3}, 3)).containsExactly(0, 1, 2);
        assertThat(kept(new double[0], 3)).isEmpty();
        assertThatThrownBy(() -> kept(new double[9], 2)).hasMessageContaining("at least 3, was 2");
    }

    @ParameterizedTest
    @ValueSource(doubles = {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY})
    void whatIsNoFiniteNumberIsKept(double odd) {
        double[] ys = IntStream.range(0, 1000).mapToDouble(i -> i % 7).toArray();
        ys[500] = odd;
        int[] kept = kept(ys, 20);
        assertThat(kept).contains(500).hasSize(20).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void aCurveThatGrowsForEverStaysBounded() {
        LiveCurve liveCurve = new LiveCurve();
        for (int i = 0; i < 10 * LiveCurve.MOST; i++) {
            liveCurve.add(i, Math.cos(i), i);
        }
        LiveCurve.Points all = liveCurve.after(0);
        assertThat(all.total()).isEqualTo(10L * LiveCurve.MOST).isEqualTo(liveCurve.count());
        assertThat(all.steps().length).isBetween(LiveCurve.MOST / 2, LiveCurve.MOST);
        assertThat(all.steps()).isSorted().startsWith(0).endsWith(10.0 * LiveCurve.MOST - 1);
        assertThat(liveCurve.after(liveCurve.count() - 2).steps()).hasSize(2);
        assertThat(liveCurve.between(5, 6).steps().length).isLessThanOrEqualTo(2);
    }
}
