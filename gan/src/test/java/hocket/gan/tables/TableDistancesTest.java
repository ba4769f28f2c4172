package hocket.gan.tables;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import hocket.gan.tables.TableData.Categories;
import hocket.gan.tables.TableData.Numbers;
import java.util.List;
import org.junit.jupiter.api.Test;

class TableDistancesTest {
    private static final List<String> AB = List.of("a", "b");

    private static TableData table(double[] numbers, int[] categories) {
        return new TableData(
                List.of(new Numbers("x", 0, numbers), new Categories("c", AB, categories)), numbers.length);
    }

    @Test
    void theDistanceOfColumnsIsTheMeanOfKolmogorovSmirnovAndTotalVariation() {
        TableData one = table(new double[] {1, 2, 2, 4}, new int[] {0, 0, 0, 1});
        TableData other = table(new double[] {2, 3}, new int[] {0, 1});
        // F is 1/4, 3/4, 3/4, 1 at 1, 2, 3, 4 and G is 0, 1/2, 1, 1; shares are 3/4, 1/4 and 1/2, 1/2
        assertThat(TableDistances.columns(one, other)).isCloseTo((0.25 + 0.25) / 2, within(1e-15));
        assertThat(TableDistances.columns(one, one)).isZero();
        assertThat(TableDistances.kolmogorovSmirnov(new double[] {1, 2}, new double[] {3, 4}))
                .isEqualTo(1);
    }

    @Test
    void associationsAreCorrelationCramersVAndTheCorrelationRatio() {
        Numbers x = new Numbers("x", 0, 1, 2, 3, 4);
        Numbers y = new Numbers("y", 0, 8, 6, 4, 2);
        Categories c = new Categories("c", AB, 0, 0, 1, 1);
        Categories d = new Categories("d", AB, 1, 1, 0, 0);
        Categories e = new Categories("e", AB, 0, 1, 0, 1);
        Categories constant = new Categories("f", AB, 1, 1, 1, 1);
        TableData table = new TableData(List.of(x, y, c, d, e, constant), 4);
        assertThat(TableDistances.association(table, 0, 1)).isCloseTo(-1, within(1e-15));
        // means 1.5 and 3.5 around 2.5: 4 · 1 of 5
        assertThat(TableDistances.association(table, 0, 2)).isCloseTo(Math.sqrt(0.8), within(1e-15));
        assertThat(TableDistances.association(table, 2, 0)).isCloseTo(Math.sqrt(0.8), within(1e-15));
        assertThat(TableDistances.association(table, 2, 3)).isCloseTo(1, within(1e-15));
        assertThat(TableDistances.association(table, 2, 4)).isCloseTo(0, within(1e-15));
        assertThat(TableDistances.association(table, 2, 5)).isZero();
        assertThat(TableDistances.associations(table, table)).isZero();
    }

    @Test
    void twoCategoriesHaveTheDistanceOneAndNumbersCountDeviations() {
        TableData real = table(new double[] {0, 4}, new int[] {0, 1}); // deviation 2
        float[] points = TableDistances.points(real, real).values();
        assertThat(points).containsExactly(-1, (float) Math.sqrt(0.5), 0, 1, 0, (float) Math.sqrt(0.5));
    }
}
