package hocket.programs;

import hocket.programs.execution.CompiledProgram;
import hocket.programs.operators.Leaf;
import hocket.programs.operators.Operator;
import hocket.scopes.ElementType;
import hocket.scopes.Mapping;
import hocket.scopes.Path;
import hocket.scopes.Shape;
import hocket.scopes.SimilarNames;
import hocket.scopes.SourceLocation;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A program as plain data, without its graph, for storing and reading. Values are named by their paths.
 * Inputs that the program's mode ignores, such as a dropout's mask in EVAL, are listed too.
 *
 * <p>For example:
 *
 * <pre>{@code
 * ProgramListing listing = ProgramListing.of(draw);
 * Program again = listing.program();
 * }</pre>
 *
 * @param name the program's
 * @param mode the program's
 * @param floatType of parameters and noise
 * @param lines one for each value, each after its inputs
 * @param targets paths of the targets, the loss first
 * @param metrics which targets are metrics, by their names
 * @param mappings by which it reads other parameters than it names, in order
 */
public record ProgramListing(
        String name,
        Mode mode,
        ElementType floatType,
        List<Line> lines,
        List<Path> targets,
        SortedMap<String, Path> metrics,
        List<Mapping> mappings) {
    /**
     * A value.
     *
     * @param path its path
     * @param operator the operator that makes it
     * @param inputs paths of its inputs
     * @param shape extents of one row
     * @param batched whether there is a batch axis in front
     * @param type of the elements
     */
    public record Line(
            Path path, Operator operator, List<Path> inputs, Shape shape, boolean batched, ElementType type) {
        public Line {
            inputs = List.copyOf(inputs);
        }

        /** The line of a value. */
        public static Line of(Value value) {
            List<Path> inputs = value.inputs().stream().map(Value::path).toList();
            return new Line(value.path(), value.operator(), inputs, value.shape(), value.batched(), value.type());
        }
    }

    public ProgramListing {
        lines = List.copyOf(lines);
        targets = List.copyOf(targets);
        metrics = Collections.unmodifiableSortedMap(new TreeMap<>(metrics));
        mappings = List.copyOf(mappings);
    }

    /**
     * Makes the listing of a program.
     *
     * @throws IllegalArgumentException if two of its values have one path, as those of a {@link CompiledProgram} program may
     */
    public static ProgramListing of(Program program) {
        List<Value> ordered = Value.above(program.targets(), Value::inputs);
        Set<Path> paths = new HashSet<>();
        for (Value value : ordered) {
            if (!paths.add(value.path())) {
                throw new IllegalArgumentException(
                        "program " + program.name() + ": two values are called " + value.path());
            }
        }
        SortedMap<String, Path> metrics = new TreeMap<>();
        program.metrics().forEach((metric, value) -> metrics.put(metric, value.path()));
        return new ProgramListing(
                program.name(),
                program.mode(),
                program.floatType(),
                ordered.stream().map(Line::of).toList(),
                program.targets().stream().map(Value::path).toList(),
                metrics,
                program.mappings());
    }

    /**
     * Makes the program over a new graph, in which each value is found by its path. Its parameters are declared as they
     * are listed.
     *
     * @throws IllegalArgumentException naming the value: if two have one path, one is made from a later value, its
     *     inputs do not fit its operator, or give another shape or type than is listed, or no value needs it; or if
     *     targets, metrics or mappings do not fit the values
     */
    public Program program() {
        Graph graph = new Graph(floatType);
        Map<Path, Value> values = new LinkedHashMap<>();
        for (Line line : lines) {
            try {
                values.put(line.path(), value(graph, values, line));
            } catch (IllegalArgumentException | IndexOutOfBoundsException | ArithmeticException e) {
                throw new IllegalArgumentException("value " + line.path() + ": " + e.getMessage(), e);
            }
        }
        List<Value> wanted =
                targets.stream().map(path -> value("target", path, values)).toList();
        requireNeeded(values);
        Program program = compiled(wanted, values);
        for (Mapping mapping : mappings) {
            program = program.reading(mapping.from().text(), mapping.to().text());
        }
        return program;
    }

    private Value value(Graph graph, Map<Path, Value> before, Line line) {
        if (before.containsKey(line.path())) {
            throw new IllegalArgumentException("there are two of that path");
        }
        requireType(line);
        List<Value> inputs =
                line.inputs().stream().map(path -> value("input", path, before)).toList();
        Value value = graph.listed(
                line.path(),
                line.operator(),
                inputs,
                new SourceLocation("value " + before.size() + " of program " + name));
        Operator.Result listed = new Operator.Result(line.shape(), line.batched(), line.type());
        if (!value.result().equals(listed)) {
            throw new IllegalArgumentException(
                    "is listed as " + text(listed) + ", its operator gives " + text(value.result()));
        }
        return value;
    }

    private static String text(Operator.Result result) {
        return result.type() + result.shape().toString() + (result.batched() ? " a row" : "");
    }

    private void requireType(Line line) {
        if (line.type().isFloating() && line.type() != floatType) {
            throw new IllegalArgumentException("the program computes in " + floatType + ", not " + line.type());
        }
        if (line.operator() instanceof Leaf.Variable variable
                && !variable.declaration().path().equals(line.path())) {
            throw new IllegalArgumentException(
                    "is a parameter declared as " + variable.declaration().path());
        }
    }

    private static Value value(String what, Path path, Map<Path, Value> known) {
        Value value = known.get(path);
        if (value == null) {
            throw new IllegalArgumentException(what + " " + path + " is none of the values before it"
                    + SimilarNames.among(path.text(), known.keySet()));
        }
        return value;
    }

    private void requireNeeded(Map<Path, Value> values) {
        Set<Path> needed = new HashSet<>(targets);
        lines.forEach(line -> needed.addAll(line.inputs()));
        values.keySet().stream()
                .filter(path -> !needed.contains(path))
                .findFirst()
                .ifPresent(path -> {
                    throw new IllegalArgumentException("value " + path + ": nothing needs it, and it is not a target");
                });
    }

    private Program compiled(List<Value> wanted, Map<Path, Value> values) {
        if (metrics.isEmpty()) {
            return Program.compile(name, mode, wanted.toArray(Value[]::new));
        }
        if (wanted.isEmpty()) {
            throw new IllegalArgumentException("program " + name + " needs at least one target");
        }
        Loss loss = Loss.of(wanted.get(0));
        for (Map.Entry<String, Path> metric : metrics.entrySet()) {
            Value value = value("metric " + metric.getKey() + ":", metric.getValue(), values);
            if (!wanted.contains(value)) {
                throw new IllegalArgumentException("metric " + metric.getKey() + ": " + value + " is not a target");
            }
            loss = loss.metric(metric.getKey(), value);
        }
        Program program = Program.compile(name, mode, loss).with(wanted);
        if (!Objects.equals(program.targets(), wanted)) {
            throw new IllegalArgumentException(
                    "targets must be the loss, the metrics and then others, each once, were " + targets);
        }
        return program;
    }
}
