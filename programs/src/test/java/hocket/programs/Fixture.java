package hocket.programs;

import static hocket.programs.Layers.embedding;
import static hocket.programs.Operators.multiply;
import static hocket.programs.Operators.reshape;
import static hocket.programs.Operators.sum;
import static org.assertj.core.api.Assertions.assertThat;

import hocket.programs.execution.BoundProgram;
import hocket.programs.execution.Lowering;
import hocket.programs.jvm.ReferenceLowering;
import hocket.programs.mxnet.MxLowering;
import hocket.programs.operators.Primitive;
import hocket.scopes.Declaration;
import hocket.scopes.Declaration.Fan;
import hocket.scopes.Declaration.Kind;
import hocket.scopes.ElementType;
import hocket.scopes.Initialiser;
import hocket.scopes.Parameters;
import hocket.scopes.Path;
import hocket.scopes.Shape;
import hocket.scopes.Streams;
import hocket.scopes.Tensor;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** What tests of programs on the engine need again and again. */
public final class Fixture {
    private Fixture() {}

    /** A parameter of the current scope without a layer around it. */
    public static Value parameter(Graph graph, String name, int... extents) {
        return graph.parameter(
                name,
                (path, type) ->
                        new Declaration(path, Shape.of(extents), type, Initialiser.normal(1), Fan.NONE, Kind.WEIGHT));
    }

    /** A batch of that many rows that is a parameter, so that gradients by it can be asked for; feed {@link #order}. */
    public static Value batch(Graph graph, String name, int rows, int... extents) {
        Value row = graph.input(name + "_row", Shape.scalar(), ElementType.INT64);
        return reshape(embedding(name, row, rows, Shape.of(extents).size()), extents);
    }

    /** The row numbers that a {@link #batch} reads. */
    static Tensor order(int rows) {
        return Tensor.of(Shape.of(rows), LongStream.range(0, rows).toArray());
    }

    /** One number of a value, every element with another weight, in the current scope. */
    public static Value weighed(Value value) {
        return sum(multiply(
                value, parameter(value.graph(), "upstream", value.shape().extents())));
    }

    /** Standard normals of a shape, in a type. */
    public static Tensor random(Shape shape, ElementType type, long seed) {
        double[] values = new double[shape.size()];
        stream(seed).normal(0, values);
        return Golden.tensor(shape, type, values);
    }

    private static hocket.scopes.Stream stream(long seed) {
        return Streams.seed(seed).at("test");
    }

    public static Parameters store(Graph graph) {
        return Parameters.initialise(graph.declarations(), Streams.seed(7));
    }

    /** Bound for its gradients by all that its loss reaches. */
    public static BoundProgram bind(Program program, Parameters parameters) {
        return bind(program, parameters, program.reached());
    }

    public static BoundProgram bind(Program program, Parameters parameters, SortedSet<Path> gradients) {
        return bind(new MxLowering(), program, parameters, gradients);
    }

    /** On one thread: more spin against whatever else runs on the machine. */
    public static BoundProgram bind(
            Lowering lowering, Program program, Parameters parameters, SortedSet<Path> gradients) {
        return bind(lowering, program, parameters, 1, gradients);
    }

    public static BoundProgram bind(
            Lowering lowering, Program program, Parameters parameters, int threads, SortedSet<Path> gradients) {
        return new BoundProgram(program, parameters, lowering, threads, gradients, "");
    }

    /** The engine where there is one, and the JVM's plain reference, which knows both float types. */
    public static Stream<Lowering> lowerings() {
        return Stream.of(new MxLowering(), new ReferenceLowering())
                .filter(lowering -> lowering.unavailable().isEmpty());
    }

    public static SortedSet<Path> none() {
        return new TreeSet<>();
    }

    /** The gradients of the last run by their paths. */
    public static SortedMap<Path, Tensor> gradients(BoundProgram bound, Parameters parameters) {
        SortedMap<Path, Tensor> gradients = new TreeMap<>();
        for (Path path : bound.gradients()) {
            Declaration declaration = parameters.declaration(path);
            gradients.put(
                    path,
                    Tensor.copyOf(
                            declaration.shape(),
                            declaration.type(),
                            bound.gradient(gradients.size()).buffer()));
        }
        return gradients;
    }

    /** The gradient of the last run by one path. */
    public static Tensor gradient(BoundProgram bound, Parameters parameters, String path) {
        return Optional.ofNullable(gradients(bound, parameters).get(Path.of(path)))
                .orElseThrow();
    }

    /** Feeds what the program reads: row numbers, and the given tensors. */
    public static void feed(BoundProgram bound, int rows, Map<String, Tensor> feeds) {
        for (Value input : bound.program().inputs()) {
            String name = input.path().text();
            bound.feed(name, feeds.getOrDefault(name, order(rows)));
        }
        for (Value noise : bound.program().noises()) {
            String name = noise.path().text();
            if (feeds.containsKey(name)) {
                bound.feed(name, feeds.get(name));
            }
        }
    }

    /** Checks every element of every gradient against central differences. The program computes in float64. */
    public static void assertGradientsAreDifferences(
            Lowering lowering, Program program, int rows, Map<String, Tensor> feeds, double tolerance) {
        try (Parameters parameters = store(program.graph());
                BoundProgram bound = bind(lowering, program, parameters, program.reached());
                BoundProgram probe = bind(lowering, program, parameters, none())) {
            feed(bound, rows, feeds);
            bound.run(rows, 0, 0);
            assertThat(bound.gradients()).isNotEmpty();
            feed(probe, rows, feeds);
            gradients(bound, parameters).forEach((path, gradient) -> {
                double[] values = parameters.tensor(path.text()).doubles();
                double[] differences = new double[values.length];
                for (int i = 0; i < values.length; i++) {
                    differences[i] = difference(probe, rows, parameters, path, values, i);
                }
                parameters.set(path.text(), values);
                Golden.assertNear("gradient by " + path, gradient.doubles(), differences, tolerance);
            });
        }
    }

    private static double difference(
            BoundProgram probe, int rows, Parameters parameters, Path path, double[] values, int index) {
        double step = 1e-5;
        double[] moved = values.clone();
        moved[index] = values[index] + step;
        parameters.set(path.text(), moved);
        probe.run(rows, 0, 0);
        double above = probe.loss();
        moved[index] = values[index] - step;
        parameters.set(path.text(), moved);
        probe.run(rows, 0, 0);
        return (above - probe.loss()) / (2 * step);
    }

    /** The primitive operators. */
    public static Class<?>[] primitives() {
        return permitted(Primitive.class).toArray(Class<?>[]::new);
    }

    private static Stream<Class<?>> permitted(Class<?> type) {
        return type.isSealed()
                ? Arrays.stream(type.getPermittedSubclasses()).flatMap(Fixture::permitted)
                : Stream.of(type);
    }
}
