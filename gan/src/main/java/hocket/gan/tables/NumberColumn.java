package hocket.gan.tables;

import hocket.gan.parts.RowLayout.Kind;
import hocket.gan.parts.RowLayout.Span;
import hocket.gan.tables.TableData.ColumnData;
import hocket.gan.tables.TableData.Numbers;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.commons.rng.UniformRandomProvider;

/**
 * Numbers, by mode-specific normalisation (Xu et al. 2019, section 4.2): {@code (x − mean) / (4 · deviation)} of a mode, which is
 * drawn by its probability, and the mode one-hot. A column of one value has a mode without deviation.
 *
 * @param decimals digits after the point; below 0 if numbers have an exponent
 * @param modes of its values
 */
record NumberColumn(String name, int decimals, List<Mode> modes) implements TableColumn {
    static final String KIND = "number";
    private static final double DEVIATIONS = 4;
    private static final double MOST = 0.99;
    private static final double LEAST_WEIGHT = 0.005;

    NumberColumn {
        modes = List.copyOf(modes);
    }

    /**
     * Fits the modes of values.
     *
     * @param most modes
     * @param random draws the mode of each value
     * @param drawn place of the mode of each value
     */
    static NumberColumn fit(Numbers column, int most, UniformRandomProvider random, int[] drawn) {
        double[] x = column.values();
        double mean = Arrays.stream(x).average().orElseThrow();
        double deviation = Math.sqrt(
                Arrays.stream(x).map(v -> (v - mean) * (v - mean)).average().orElseThrow());
        if (deviation == 0) {
            return new NumberColumn(column.name(), column.decimals(), List.of(new Mode(mean, 0))); // one value
        }
        VariationalMixture mixture = VariationalMixture.fit(
                Math.min(most, x.length),
                Arrays.stream(x).map(v -> (v - mean) / deviation).toArray());
        double[] weights = mixture.weights();
        int[] kept = IntStream.range(0, weights.length)
                .filter(i -> weights[i] > LEAST_WEIGHT)
                .toArray();
        List<Mode> modes = Arrays.stream(kept)
                .mapToObj(i -> new Mode(mean + deviation * mixture.means()[i], deviation * mixture.deviations()[i]))
                .toList();
        for (int row = 0; row < x.length; row++) {
            drawn[row] = drawn(mixture, row, kept, random.nextDouble());
        }
        return new NumberColumn(column.name(), column.decimals(), modes);
    }

    /** Writes values to encoded rows, whose spans begin at a place. */
    void encode(Numbers column, int[] drawn, float[] rows, int width, int begin) {
        for (int row = 0; row < drawn.length; row++) {
            Mode mode = modes.get(drawn[row]);
            double distance = column.values()[row] - mode.mean();
            double number = mode.deviation() == 0 ? 0 : distance / (DEVIATIONS * mode.deviation());
            rows[row * width + begin] = (float) Math.max(-MOST, Math.min(MOST, number));
            rows[row * width + begin + 1 + drawn[row]] = 1;
        }
    }

    private static int drawn(VariationalMixture mixture, int value, int[] kept, double uniform) {
        double all = Arrays.stream(kept)
                .mapToDouble(i -> mixture.responsibility(value, i))
                .sum();
        double sum = 0;
        for (int mode = 0; mode < kept.length; mode++) {
            sum += mixture.responsibility(value, kept[mode]);
            if (uniform * all < sum) {
                return mode;
            }
        }
        return kept.length - 1;
    }

    @Override
    public List<Span> spans() {
        return List.of(new Span(Kind.NUMBER, 1), new Span(Kind.MODE, modes.size()));
    }

    @Override
    public List<String> cells() {
        List<String> cells = new ArrayList<>(List.of(KIND, name, Integer.toString(decimals)));
        modes.forEach(mode -> {
            cells.add(Double.toString(mode.mean()));
            cells.add(Double.toString(mode.deviation()));
        });
        return cells;
    }

    @Override
    public Numbers decode(float[] rows, int width, int begin) {
        double[] values = new double[rows.length / width];
        for (int row = 0; row < values.length; row++) {
            Mode mode = modes.get(TableColumn.largest(rows, row * width + begin + 1, modes.size()));
            double number = Math.max(-1, Math.min(1, rows[row * width + begin]));
            values[row] = rounded(mode.mean() + number * DEVIATIONS * mode.deviation());
        }
        return new Numbers(name, decimals, values);
    }

    private double rounded(double value) {
        return decimals < 0
                ? (float) value
                : BigDecimal.valueOf(value)
                        .setScale(decimals, RoundingMode.HALF_EVEN)
                        .doubleValue();
    }

    @Override
    public String text(ColumnData values, int row) {
        double value = ((Numbers) values).values()[row];
        return decimals < 0
                ? Float.toString((float) value)
                : BigDecimal.valueOf(value)
                        .setScale(decimals, RoundingMode.HALF_EVEN)
                        .toPlainString();
    }

    @Override
    public Numbers known(String table, ColumnData values) {
        if (values instanceof Numbers numbers) {
            return numbers;
        }
        throw new IllegalArgumentException(table + ": column " + name + " must have numbers, has categories");
    }

    @Override
    public String difference(TableColumn before) {
        if (!(before instanceof NumberColumn)) {
            return "column " + name + " had categories, has numbers";
        }
        return equals(before) ? "" : "the numbers of column " + name + " are others";
    }
}
