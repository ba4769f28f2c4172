package hocket.programs;

import static org.assertj.core.api.Assertions.assertThat;

import hocket.programs.execution.BoundProgram;
import hocket.programs.execution.Lowering;
import hocket.programs.operators.Leaf;
import hocket.scopes.Declaration;
import hocket.scopes.ElementType;
import hocket.scopes.Parameters;
import hocket.scopes.Path;
import hocket.scopes.Shape;
import hocket.scopes.Tensor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/** All targets and gradients of one run of a program, with parameters, inputs and noise of a fixed seed. */
public record Outcome(Map<String, double[]> numbers) {
    /** Runs a program by a lowering on two threads. Rows of batches of {@link Fixture} come again and again. */
    public static Outcome of(Lowering lowering, Program program, int rows, int different) {
        return of(lowering, program, rows, different, 0);
    }

    /** The same with all weights moved a little, by a share of their size. */
    public static Outcome of(Lowering lowering, Program program, int rows, int different, double moved) {
        return of(lowering, program, rows, different, moved, 2, path -> true);
    }

    /** Runs a program without indices on a number of threads. */
    public static Outcome byThreads(Lowering lowering, Program program, int rows, int threads) {
        return byThreads(lowering, program, rows, threads, path -> true);
    }

    /** The same with the gradients by some parameters. */
    public static Outcome byThreads(Lowering lowering, Program program, int rows, int threads, Predicate<Path> by) {
        return of(lowering, program, rows, 1, 0, threads, by);
    }

    private static Outcome of(
            Lowering lowering,
            Program program,
            int rows,
            int different,
            double moved,
            int threads,
            Predicate<Path> by) {
        SortedSet<Path> gradients = new TreeSet<>(program.reached());
        gradients.removeIf(by.negate());
        try (Parameters parameters = store(program, moved);
                BoundProgram bound = Fixture.bind(lowering, program, parameters, threads, gradients)) {
            bound.feed(feeds(program, rows, different));
            bound.run(rows, 0, 0);
            Map<String, double[]> numbers = new LinkedHashMap<>();
            for (int i = 0; i < program.targets().size(); i++) {
                numbers.put(
                        "target " + program.targets().get(i), bound.target(i).doubles());
            }
            Fixture.gradients(bound, parameters)
                    .forEach((path, gradient) -> numbers.put("gradient by " + path, gradient.doubles()));
            return new Outcome(numbers);
        }
    }

    /** What a program is fed, noise too: drawn in float32 it is not the rounded one of float64. */
    static Map<String, Tensor> feeds(Program program, int rows, int different) {
        Map<String, Tensor> feeds = new LinkedHashMap<>();
        for (Value feed : program.feeds()) {
            feeds.put(feed.path().text(), fed(feed, rows, different));
        }
        return feeds;
    }

    /** The values of what it reads. */
    static Map<String, double[]> parameters(Program program) {
        Map<String, double[]> values = new LinkedHashMap<>();
        try (Parameters parameters = store(program, 0)) {
            program.parameters()
                    .keySet()
                    .forEach(path -> values.put(
                            path.text(), parameters.tensor(path.text()).doubles()));
        }
        return values;
    }

    private static Parameters store(Program program, double moved) {
        Parameters parameters = Fixture.store(program.graph());
        parameters.declarations().stream()
                .filter(declaration -> declaration.kind() == Declaration.Kind.WEIGHT)
                .forEach(declaration -> parameters.set(declaration.path().text(), weights(declaration, moved)));
        return parameters;
    }

    /** Of no bias a zero: functions with a kink have it there. */
    private static double[] weights(Declaration declaration, double moved) {
        double[] weights = Fixture.random(
                        declaration.shape(),
                        declaration.type(),
                        declaration.path().text().hashCode())
                .doubles();
        for (int i = 0; i < weights.length; i++) {
            weights[i] *= 1 + (i % 2 == 0 ? moved : -moved);
        }
        return weights;
    }

    private static Tensor fed(Value input, int rows, int different) {
        Shape shape = input.shape().prepend(rows);
        if (input.type() == ElementType.INT64) {
            return Tensor.of(
                    shape,
                    IntStream.range(0, shape.size())
                            .mapToLong(i -> 2 * i / 3 % different) // some rows have an index twice
                            .toArray());
        }
        if (input.operator() instanceof Leaf.Noise noise
                && noise.distribution() instanceof Leaf.Distribution.RowGroup group) {
            int groups = group.groups();
            return Golden.tensor(
                    shape,
                    input.type(),
                    IntStream.range(0, shape.size())
                            .mapToDouble(i -> i / groups % groups == i % groups ? 1 : 0)
                            .toArray());
        }
        Tensor normal = Fixture.random(shape, input.type(), 5);
        if (input.operator() instanceof Leaf.Noise noise
                && noise.distribution() instanceof Leaf.Distribution.Mask mask) {
            return Golden.tensor(
                    shape,
                    input.type(),
                    Arrays.stream(normal.doubles())
                            .map(x -> x < -0.5 ? 0 : 1 / (1 - mask.rate()))
                            .toArray());
        }
        return normal;
    }

    /** How far each tensor is from another outcome's. */
    Map<String, Double> distances(Outcome other) {
        List<double[]> theirs = new ArrayList<>(other.numbers.values());
        Map<String, Double> distances = new LinkedHashMap<>();
        numbers.forEach((name, mine) -> {
            double most = 0;
            for (int k = 0; k < mine.length; k++) {
                most = Math.max(most, Math.abs(mine[k] - theirs.get(distances.size())[k]));
            }
            distances.put(withoutType(name), most);
        });
        return distances;
    }

    /** Each number as near as the tolerance times the largest magnitude of its tensor, and a tenth of the largest of all: one before a batch norm
     * may be nothing but rounding. */
    public void assertNear(Outcome exact, double tolerance) {
        assertNear(exact, tolerance, Map.of());
    }

    /** Whether they are that near. */
    public boolean isNear(Outcome exact, double tolerance) {
        try {
            assertNear(exact, tolerance);
            return true;
        } catch (AssertionError e) {
            return false;
        }
    }

    /** The same, and what rounding each result once does to a tensor allowed a hundred times over: kernels round at each step inside. */
    void assertNear(Outcome exact, double tolerance, Map<String, Double> rounding) {
        assertThat(numbers.keySet().stream().map(Outcome::withoutType).toList())
                .isEqualTo(exact.numbers.keySet().stream()
                        .map(Outcome::withoutType)
                        .toList());
        List<double[]> mine = new ArrayList<>(numbers.values());
        List<double[]> theirs = new ArrayList<>(exact.numbers.values());
        List<String> names = new ArrayList<>(numbers.keySet());
        double largest = theirs.stream().mapToDouble(Outcome::largest).max().orElse(0);
        for (int i = 0; i < mine.size(); i++) {
            double allowed = 100 * rounding.getOrDefault(withoutType(names.get(i)), 0.0);
            double magnitude = largest(theirs.get(i)) + 0.1 * largest + 0.01;
            for (int k = 0; k < mine.get(i).length; k++) {
                double difference = Math.abs(mine.get(i)[k] - theirs.get(i)[k]);
                boolean same = Double.compare(mine.get(i)[k], theirs.get(i)[k]) == 0;
                assertThat(same || difference <= tolerance * magnitude + allowed)
                        .as("%s[%d] is %s, exactly %s", names.get(i), k, mine.get(i)[k], theirs.get(i)[k])
                        .isTrue();
            }
        }
    }

    private static String withoutType(String name) {
        return name.replace(" FLOAT64", "");
    }

    private static double largest(double[] numbers) {
        double largest = 0;
        for (double number : numbers) {
            largest = Math.max(largest, Double.isFinite(number) ? Math.abs(number) : 0);
        }
        return largest;
    }
}
