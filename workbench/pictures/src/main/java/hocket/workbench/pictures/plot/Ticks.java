package hocket.workbench.pictures.plot;

import hocket.workbench.terminal.NumberFormats;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.DoubleStream;

/** The round numbers along an axis. */
record Ticks(double least, double greatest, boolean logarithmic, boolean whole) {
    private static final MathContext DIGITS = new MathContext(4);
    private static final int MOST_DIGITS = 15;
    private static final MathContext FEW_DIGITS = new MathContext(3);
    private static final double[][] DECADES = {{1}, {1, 3}, {1, 2, 5}};

    /** Returns about the given number of ticks, at least the two ends. */
    List<Double> values(int about) {
        List<Double> values = logarithmic ? byDecade(about) : evenly(about);
        return values.size() >= 2 ? values : List.of(least, greatest);
    }

    private List<Double> evenly(int about) {
        double step = new Extent(least, greatest).part(about);
        double apart = (greatest - least) / step > about + 1 ? 2 * step : step;
        double between = whole ? Math.max(1, apart) : apart;
        List<Double> values = new ArrayList<>();
        for (double i = Math.ceil(least / between - 1e-9); i * between <= greatest + 1e-9 * between; i++) {
            values.add(i * between);
        }
        return values;
    }

    /** Returns powers of ten, with steps between them if there are few. */
    private List<Double> byDecade(int about) {
        double[] steps = DECADES[0];
        double decades = Math.log10(greatest / least);
        for (double[] more : DECADES) {
            steps = decades * more.length <= about ? more : steps;
        }
        List<Double> values = new ArrayList<>();
        for (int decade = (int) Math.floor(Math.log10(least)); decade <= Math.log10(greatest) + 1e-9; decade++) {
            double ten = Math.pow(10, decade);
            DoubleStream.of(steps)
                    .map(step -> step * ten)
                    .filter(value -> value >= least * (1 - 1e-9) && value <= greatest * (1 + 1e-9))
                    .forEach(values::add);
        }
        return values;
    }

    static String text(double value) {
        return text(value, DIGITS);
    }

    private static String text(double value, MathContext digits) {
        return NumberFormats.exactly(new BigDecimal(value).round(digits).doubleValue());
    }

    /** Formats numbers with four digits, or as many as tell them apart. */
    static List<String> texts(List<Double> values) {
        List<String> texts = List.of();
        for (int digits = DIGITS.getPrecision(); digits <= MOST_DIGITS; digits++) {
            MathContext few = new MathContext(digits);
            texts = values.stream().map(value -> text(value, few)).toList();
            if (texts.stream().distinct().count() == values.stream().distinct().count()) {
                return texts;
            }
        }
        return texts;
    }

    /** Formats a number with three digits. */
    static String shortly(double value) {
        return NumberFormats.exactly(new BigDecimal(value).round(FEW_DIGITS).doubleValue());
    }
}
