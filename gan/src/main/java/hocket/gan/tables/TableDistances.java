package hocket.gan.tables;

import hocket.gan.scores.FeatureRows;
import hocket.gan.tables.TableData.Categories;
import hocket.gan.tables.TableData.ColumnData;
import hocket.gan.tables.TableData.Numbers;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/** Distances of two tables of the same columns and categories. */
final class TableDistances {
    private TableDistances() {}

    /**
     * The mean over columns of the distance of their distributions, in 0..1: of numbers the Kolmogorov-Smirnov statistic {@code max |F(x) − G(x)|},
     * of categories the total variation {@code ½ Σ |p − q|}.
     */
    static double columns(TableData some, TableData others) {
        return IntStream.range(0, some.columns().size())
                .mapToDouble(
                        i -> distance(some.columns().get(i), others.columns().get(i)))
                .average()
                .orElseThrow();
    }

    private static double distance(ColumnData some, ColumnData others) {
        return some instanceof Numbers numbers
                ? kolmogorovSmirnov(numbers.values(), ((Numbers) others).values())
                : totalVariation((Categories) some, (Categories) others);
    }

    static double kolmogorovSmirnov(double[] some, double[] others) {
        double[] a = some.clone();
        double[] b = others.clone();
        Arrays.sort(a);
        Arrays.sort(b);
        double most = 0;
        int i = 0;
        int j = 0;
        while (i < a.length && j < b.length) {
            double x = Math.min(a[i], b[j]);
            while (i < a.length && a[i] == x) {
                i++;
            }
            while (j < b.length && b[j] == x) {
                j++;
            }
            most = Math.max(most, Math.abs((double) i / a.length - (double) j / b.length));
        }
        return most;
    }

    private static double totalVariation(Categories some, Categories others) {
        double[] p = shares(some);
        double[] q = shares(others);
        return IntStream.range(0, p.length)
                        .mapToDouble(i -> Math.abs(p[i] - q[i]))
                        .sum()
                / 2;
    }

    private static double[] shares(Categories column) {
        double[] shares = new double[column.categories().size()];
        Arrays.stream(column.values()).forEach(value -> shares[value] += 1.0 / column.values().length);
        return shares;
    }

    /**
     * The mean over pairs of columns of {@code |a − b|} of their associations, in 0..1 or, of pairs of numbers, 0..2: of two columns of numbers Pearson's
     * correlation, of two of categories Cramér's V, of one of each the correlation ratio η. 0 with a single column.
     */
    static double associations(TableData some, TableData others) {
        int n = some.columns().size();
        return IntStream.range(0, n * n)
                .filter(pair -> pair / n < pair % n)
                .mapToDouble(pair ->
                        Math.abs(association(some, pair / n, pair % n) - association(others, pair / n, pair % n)))
                .average()
                .orElse(0);
    }

    static double association(TableData table, int one, int other) {
        ColumnData a = table.columns().get(one);
        ColumnData b = table.columns().get(other);
        if (a instanceof Numbers x) {
            return b instanceof Numbers y ? correlation(x.values(), y.values()) : ratio((Categories) b, x.values());
        }
        return b instanceof Numbers y ? ratio((Categories) a, y.values()) : cramersV((Categories) a, (Categories) b);
    }

    private static double correlation(double[] x, double[] y) {
        double mx = mean(x);
        double my = mean(y);
        double product = 0;
        for (int i = 0; i < x.length; i++) {
            product += (x[i] - mx) * (y[i] - my);
        }
        double squares = squares(x, mx) * squares(y, my);
        return squares == 0 ? 0 : product / Math.sqrt(squares);
    }

    /** The square root of the share of the numbers' variance that is between categories. */
    private static double ratio(Categories by, double[] x) {
        double mean = mean(x);
        double between = 0;
        for (int[] rows : by.rowsByCategory()) {
            double[] some = Arrays.stream(rows).mapToDouble(row -> x[row]).toArray();
            between += some.length == 0 ? 0 : some.length * (mean(some) - mean) * (mean(some) - mean);
        }
        double all = squares(x, mean);
        return all == 0 ? 0 : Math.sqrt(between / all);
    }

    /** {@code √(χ² / (n · (min(r, c) − 1)))} over the r and c categories that occur. */
    private static double cramersV(Categories a, Categories b) {
        double[] p = shares(a);
        double[] q = shares(b);
        double[][] both = new double[p.length][q.length];
        for (int i = 0; i < a.values().length; i++) {
            both[a.values()[i]][b.values()[i]] += 1.0 / a.values().length;
        }
        double chi = 0;
        for (int i = 0; i < p.length; i++) {
            for (int j = 0; j < q.length; j++) {
                double expected = p[i] * q[j];
                chi += expected == 0 ? 0 : (both[i][j] - expected) * (both[i][j] - expected) / expected;
            }
        }
        long least = Math.min(occurring(p), occurring(q)) - 1;
        return least < 1 ? 0 : Math.sqrt(chi / least);
    }

    private static long occurring(double[] shares) {
        return Arrays.stream(shares).filter(share -> share > 0).count();
    }

    private static double mean(double[] x) {
        return Arrays.stream(x).sum() / x.length;
    }

    private static double squares(double[] x, double mean) {
        return Arrays.stream(x).map(v -> (v - mean) * (v - mean)).sum();
    }

    /**
     * The rows as points: numbers in standard deviations of the real table, categories one-hot and divided by √2, so that two categories have the
     * distance 1.
     */
    static FeatureRows points(TableData table, TableData real) {
        List<ColumnData> columns = table.columns();
        int width = columns.stream()
                .mapToInt(column ->
                        column instanceof Categories c ? c.categories().size() : 1)
                .sum();
        float[] points = new float[table.count() * width];
        int at = 0;
        for (int i = 0; i < columns.size(); i++) {
            if (columns.get(i) instanceof Categories categories) {
                for (int row = 0; row < table.count(); row++) {
                    points[row * width + at + categories.values()[row]] = (float) Math.sqrt(0.5);
                }
                at += categories.categories().size();
            } else {
                double[] all = ((Numbers) real.columns().get(i)).values();
                double mean = mean(all);
                double deviation = Math.sqrt(squares(all, mean) / all.length);
                double[] x = ((Numbers) columns.get(i)).values();
                for (int row = 0; row < x.length; row++) {
                    points[row * width + at] = (float) ((x[row] - mean) / (deviation > 0 ? deviation : 1));
                }
                at++;
            }
        }
        return new FeatureRows(points, width);
    }
}
