package hocket.programs.checks;

import hocket.programs.Program;
import hocket.programs.Value;
import hocket.programs.execution.BoundProgram;
import hocket.programs.execution.CompiledProgram;
import hocket.programs.execution.Lowering;
import hocket.programs.operators.Leaf;
import hocket.scopes.ElementType;
import hocket.scopes.Parameters;
import hocket.scopes.Path;
import hocket.scopes.Shape;
import hocket.scopes.Tensor;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The first value of a run, in the order of computation, with a non-finite element, and its inputs. An operator of a
 * gradient is found under {@code gradients#1/…}; a feed or parameter that was not finite from the start is found as
 * such.
 *
 * @param kind the kind of its operator, or {@code input}, {@code noise}, {@code parameter} or {@code running statistic}
 * @param settings its settings; may be empty
 * @param result summary of the value
 * @param inputs summaries of its inputs
 */
public record Anomaly(String kind, String settings, Range result, List<Range> inputs) {
    /**
     * A summary of a value.
     *
     * @param path its path; of a parameter the path in the store
     * @param shape its extents, with the rows of the batch
     * @param least the least finite number; NaN if there is none
     * @param most the largest finite number; NaN if there is none
     * @param nans number of NaNs
     * @param infinities number of infinities
     */
    public record Range(String path, Shape shape, double least, double most, long nans, long infinities) {
        /** Returns the summary of a tensor. */
        public static Range of(String path, Tensor tensor) {
            double least = Double.NaN;
            double most = Double.NaN;
            long nans = 0;
            long infinities = 0;
            for (double number : tensor.doubles()) {
                if (Double.isFinite(number)) {
                    least = number >= least ? least : number;
                    most = number <= most ? most : number;
                } else if (Double.isNaN(number)) {
                    nans++;
                } else {
                    infinities++;
                }
            }
            return new Range(path, tensor.shape(), least, most, nans, infinities);
        }

        /** Returns whether all numbers are finite. */
        public boolean isFinite() {
            return nans == 0 && infinities == 0;
        }

        /** For example {@code critic/log (64,1): from -3.2 to 0.1; 2 NaN, 1 infinite of 64}. */
        @Override
        public String toString() {
            String range = Double.isNaN(least)
                    ? "nothing finite"
                    : least == most
                            ? String.format(Locale.ROOT, "%.6g", least)
                            : String.format(Locale.ROOT, "from %.6g to %.6g", least, most);
            return path + " " + shape + ": " + range
                    + (isFinite() ? "" : "; " + nans + " NaN, " + infinities + " infinite of " + shape.size());
        }
    }

    public Anomaly {
        inputs = List.copyOf(inputs);
    }

    /** Returns whether all numbers of a buffer are finite, from its beginning to its limit. */
    public static boolean isFinite(ByteBuffer buffer, ElementType type) {
        for (int at = 0; at < buffer.limit(); at += type.bytes()) {
            double number = type == ElementType.FLOAT32 ? buffer.getFloat(at) : buffer.getDouble(at);
            if (!Double.isFinite(number)) {
                return false;
            }
        }
        return true;
    }

    /** Returns the anomaly of a parameter in the store. */
    public static Anomaly ofParameter(String path, Tensor tensor) {
        return new Anomaly("parameter", "", Range.of(path, tensor), List.of());
    }

    /** Returns the anomaly of the first feed or parameter that is not finite; computes nothing. */
    public static Optional<Anomaly> given(Program program, Parameters parameters, Function<Value, Tensor> fed) {
        List<Value> feeds = program.feeds();
        for (Value value : program.values()) {
            Optional<Range> range = Optional.empty();
            if (value.operator() instanceof Leaf.Variable) {
                Path path = program.stored(value.path());
                range = Optional.of(Range.of(path.text(), parameters.tensor(path.text())));
            } else if (value.type().isFloating() && feeds.contains(value)) {
                range = Optional.of(Range.of(value.path().text(), fed.apply(value)));
            }
            if (range.isPresent() && !range.orElseThrow().isFinite()) {
                return Optional.of(new Anomaly(
                        value.operator().kind(), value.operator().settings(), range.orElseThrow(), List.of()));
            }
        }
        return Optional.empty();
    }

    /** Returns the anomaly of a running statistic that is not finite in the store or, otherwise, as computed. */
    public static Anomaly statistic(Parameters.Cell cell, Value by, double[] computed) {
        String path = cell.declaration().path().text();
        Range stored = Range.of(
                path,
                Tensor.copyOf(cell.declaration().shape(), cell.declaration().type(), cell.buffer()));
        Range now = Range.of(path, Tensor.of(cell.declaration().shape(), computed));
        return stored.isFinite()
                ? new Anomaly(by.operator().kind(), by.operator().settings(), now, List.of(stored))
                : new Anomaly("running statistic", "", stored, List.of());
    }

    /** Runs a program with all values as targets, except constants, whose values are intended. */
    public static Optional<Anomaly> find(
            Program program, Parameters parameters, SortedSet<Path> gradients, int rows, Function<Value, Tensor> fed) {
        Program whole =
                CompiledProgram.of(program, gradients, rows, operator -> true).program();
        Program all = whole.with(whole.values());
        try (BoundProgram bound = new BoundProgram(all, parameters, Lowering.reference(), 1, new TreeSet<>(), "")) {
            for (Value feed : all.feeds()) {
                bound.feed(feed.path().text(), fed.apply(feed));
            }
            bound.run(rows, 0, 0);
            for (Value value : whole.values()) {
                if (value.type().isFloating() && !(value.operator() instanceof Leaf.Constant)) {
                    Range range = range(bound, value);
                    if (!range.isFinite()) {
                        return Optional.of(of(value, range, bound));
                    }
                }
            }
            return Optional.empty();
        }
    }

    private static Anomaly of(Value value, Range range, BoundProgram bound) {
        List<Range> inputs = new ArrayList<>();
        for (Value input : bound.program().inputsOf(value)) {
            inputs.add(range(bound, input));
        }
        return new Anomaly(value.operator().kind(), value.operator().settings(), range, inputs);
    }

    private static Range range(BoundProgram bound, Value value) {
        Program program = bound.program();
        Path path = value.operator() instanceof Leaf.Variable ? program.stored(value.path()) : value.path();
        return Range.of(path.text(), bound.target(program.targets().indexOf(value)));
    }

    /** Returns a description, with a line for each value. */
    @Override
    public String toString() {
        boolean leaf = inputs.isEmpty();
        return "the first that is not finite is "
                + (leaf ? kind + " " + result.path() : result.path() + ", made by " + kind)
                + (settings.isEmpty() ? "" : " " + settings)
                + "\n  " + result
                + (leaf
                        ? ""
                        : "\nfrom"
                                + inputs.stream().map(input -> "\n  " + input).collect(Collectors.joining()));
    }
}
