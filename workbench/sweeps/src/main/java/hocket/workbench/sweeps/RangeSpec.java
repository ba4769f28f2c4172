package hocket.workbench.sweeps;

import hocket.schedulers.settings.Setting;
import hocket.workbench.terminal.NumberFormats;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.List;
import java.util.Locale;
import java.util.function.DoubleFunction;
import java.util.stream.IntStream;

/** The values that a setting may take in a sweep. Values are texts, as {@code --set} accepts them. */
public sealed interface RangeSpec {
    /** The digits of a real number, where they tell values apart; a trial uses exactly the number that is shown. */
    MathContext DIGITS = new MathContext(4);

    /** Values that a range must at least have. */
    int LEAST_VALUES = 100;

    /**
     * Samples a value.
     *
     * @param u uniform in [0, 1)
     */
    String drawn(double u);

    /**
     * Returns a value times a factor, within the range; a list's next entry for a factor above 1, else the one before.
     *
     * @param value one of the range
     */
    String perturbed(String value, double factor);

    /**
     * Returns the values of a grid, in order.
     *
     * @throws IllegalArgumentException if their number is missing, at the key
     */
    List<String> points();

    /** Returns values to check that the experiment accepts all of them. */
    List<String> extremes();

    /** Returns whether the scale is logarithmic, for sampling and for the plot's axis. */
    default boolean isLogarithmic() {
        return false;
    }

    /** Returns whether values are names rather than numbers. */
    default boolean isNamed() {
        return false;
    }

    /** Returns whether values are integers. */
    default boolean isWhole() {
        return false;
    }

    /** Returns whether it has a setting that only a grid needs. */
    default boolean isOfGrid() {
        return false;
    }

    /** Samples uniformly from an interval. */
    record UniformSpec(
            @Setting(help = "any number from min to max, such as {min: 0.1, max: 0.4}")
            BoundsSpec uniform) implements RangeSpec {
        @Override
        public String drawn(double u) {
            return uniform.text(uniform.min + u * (uniform.max - uniform.min));
        }

        @Override
        public String perturbed(String value, double factor) {
            return uniform.text(Double.parseDouble(value) * factor);
        }

        @Override
        public List<String> points() {
            return uniform.shares().mapToObj(i -> uniform.point(i, this::drawn)).toList();
        }

        @Override
        public List<String> extremes() {
            return uniform.extremes();
        }

        @Override
        public boolean isOfGrid() {
            return uniform.points > 0;
        }
    }

    /** Samples log-uniformly from an interval. */
    record LogUniformSpec(
            @Setting(help = "any number from min to max, log-uniformly, such as {min: 1e-5, max: 1e-2}")
            BoundsSpec logUniform)
            implements RangeSpec {
        /** @throws IllegalArgumentException if a limit has no logarithm */
        public LogUniformSpec {
            if (logUniform.min <= 0) {
                throw new IllegalArgumentException(
                        "log_uniform: min must be above 0, was " + NumberFormats.exactly(logUniform.min));
            }
        }

        @Override
        public String drawn(double u) {
            double from = StrictMath.log(logUniform.min);
            return logUniform.text(StrictMath.exp(from + u * (StrictMath.log(logUniform.max) - from)));
        }

        @Override
        public String perturbed(String value, double factor) {
            return logUniform.text(Double.parseDouble(value) * factor);
        }

        @Override
        public List<String> points() {
            return logUniform
                    .shares()
                    .mapToObj(i -> logUniform.point(i, this::drawn))
                    .toList();
        }

        @Override
        public List<String> extremes() {
            return logUniform.extremes();
        }

        @Override
        public boolean isLogarithmic() {
            return true;
        }

        @Override
        public boolean isOfGrid() {
            return logUniform.points > 0;
        }
    }

    /** Integers. */
    record WholeSpec(
            @Setting(help = "any whole number from min to max, both included, such as {min: 1, max: 20}")
            WholeBoundsSpec integer)
            implements RangeSpec {
        @Override
        public String drawn(double u) {
            double end = integer.max + 1.0;
            double value = integer.log
                    ? StrictMath.exp(
                            StrictMath.log(integer.min) + u * (StrictMath.log(end) - StrictMath.log(integer.min)))
                    : integer.min + u * (end - integer.min);
            return Long.toString(Math.max(integer.min, Math.min(integer.max, (long) Math.floor(value))));
        }

        /** At least the next integer. */
        @Override
        public String perturbed(String value, double factor) {
            long before = Long.parseLong(value);
            long after = Math.round(before * factor);
            long changed = after == before ? before + (factor > 1 ? 1 : -1) : after;
            return Long.toString(Math.max(integer.min, Math.min(integer.max, changed)));
        }

        @Override
        public List<String> points() {
            long count = (long) integer.max - integer.min + 1;
            if (count > StrategySpec.MOST_TRIALS) {
                throw new IllegalArgumentException(String.format(
                        Locale.ROOT,
                        "a grid has each number from min to max, %,d; a sweep has at most %,d trials",
                        count,
                        StrategySpec.MOST_TRIALS));
            }
            return IntStream.rangeClosed(integer.min, integer.max)
                    .mapToObj(Integer::toString)
                    .toList();
        }

        @Override
        public List<String> extremes() {
            return List.of(Integer.toString(integer.min), Integer.toString(integer.max));
        }

        @Override
        public boolean isLogarithmic() {
            return integer.log;
        }

        @Override
        public boolean isWhole() {
            return true;
        }
    }

    /** A choice of listed values. */
    record ChoiceSpec(
            @Setting(help = "one of these, such as [relu, tanh] or [64, 128, 256]")
            List<String> choice) implements RangeSpec {
        /** @throws IllegalArgumentException if there are no choices, or one is there twice */
        public ChoiceSpec {
            if (choice.isEmpty()) {
                throw new IllegalArgumentException("choice: must have at least one value, was []");
            }
            for (String each : choice) {
                if (choice.indexOf(each) != choice.lastIndexOf(each)) {
                    throw new IllegalArgumentException("choice: has " + each + " twice");
                }
            }
        }

        @Override
        public String drawn(double u) {
            return choice.get((int) (u * choice.size()));
        }

        @Override
        public String perturbed(String value, double factor) {
            int place = choice.indexOf(value) + (factor > 1 ? 1 : -1);
            return choice.get(Math.max(0, Math.min(choice.size() - 1, place)));
        }

        @Override
        public List<String> points() {
            return choice;
        }

        @Override
        public List<String> extremes() {
            return choice;
        }

        @Override
        public boolean isNamed() {
            return true;
        }
    }

    /** An interval. */
    record BoundsSpec(
            @Setting(help = "smallest value") double min,

            @Setting(help = "largest value") double max,

            @Setting(usually = "0", least = 0, most = 1000, help = "for grids: number of evenly spaced values")
            int points) {
        /** @throws IllegalArgumentException if the interval is empty */
        public BoundsSpec {
            if (!(min < max)) {
                throw new IllegalArgumentException("max: must be above min, " + NumberFormats.exactly(min) + ", was "
                        + NumberFormats.exactly(max));
            }
            if (points == 1) {
                throw new IllegalArgumentException("points: must be at least 2, was 1");
            }
        }

        private String text(double value) {
            BigDecimal exact = new BigDecimal(value);
            BigDecimal rounded = exact.round(DIGITS);
            if (fourDigits() > (max - min) / Math.max(LEAST_VALUES, 10 * points)) { // near 1, for example
                int finer = (int) -Math.floor(Math.log10((max - min) / (10.0 * Math.max(LEAST_VALUES, 10 * points))));
                rounded = exact.setScale(Math.max(finer, rounded.scale()), RoundingMode.HALF_UP);
            }
            return NumberFormats.exactly(Math.max(min, Math.min(max, rounded.doubleValue())));
        }

        /** The distance of neighbours of four digits near the end that is farther from 0. */
        private double fourDigits() {
            BigDecimal largest = new BigDecimal(Math.max(Math.abs(min), Math.abs(max)));
            boolean isPowerOfTen =
                    largest.stripTrailingZeros().unscaledValue().equals(BigInteger.ONE); // those below it
            int exponent = largest.precision() - largest.scale() - (isPowerOfTen ? 2 : 1);
            return Math.pow(10, exponent - DIGITS.getPrecision() + 1);
        }

        /** The value of a grid at a place; the first and the last are the ends. */
        private String point(int i, DoubleFunction<String> at) {
            return i == 0
                    ? NumberFormats.exactly(min)
                    : i == points - 1 ? NumberFormats.exactly(max) : at.apply((double) i / (points - 1));
        }

        private List<String> extremes() {
            return List.of(NumberFormats.exactly(min), NumberFormats.exactly(max));
        }

        private IntStream shares() {
            if (points == 0) {
                throw new IllegalArgumentException("a grid needs points: how many values from "
                        + NumberFormats.exactly(min) + " to " + NumberFormats.exactly(max));
            }
            return IntStream.range(0, points);
        }
    }

    /** Samples integers from an interval. */
    record WholeBoundsSpec(
            @Setting(help = "smallest value") int min,

            @Setting(help = "largest value") int max,

            @Setting(usually = "false", help = "whether integers are sampled log-uniformly")
            boolean log) {
        /** @throws IllegalArgumentException if the interval is empty, or a limit has no logarithm */
        public WholeBoundsSpec {
            if (min >= max) {
                throw new IllegalArgumentException("max: must be above min, " + min + ", was " + max);
            }
            if (log && min < 1) {
                throw new IllegalArgumentException("min: must be above 0 with log: true, was " + min);
            }
        }
    }
}
