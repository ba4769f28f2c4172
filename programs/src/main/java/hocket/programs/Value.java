package hocket.programs;

import hocket.programs.operators.Operator;
import hocket.scopes.ElementType;
import hocket.scopes.Path;
import hocket.scopes.Shape;
import hocket.scopes.SourceLocation;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/**
 * A value of a graph, which an operator makes from others. Its shape does not count the batch axis. Immutable but for
 * its name, which it keeps once a program is compiled; made by {@link Graph}, {@link Operators} and {@link Layers}.
 *
 * <p>For example:
 *
 * <pre>{@code
 * Value h = tanh(real);
 * Shape shape = h.shape(); // of one row
 * String path = h.path().text();
 * }</pre>
 */
public final class Value {
    private final Graph graph;
    private final int id;
    private final Operator operator;
    private final List<Value> inputs;
    private final Operator.Result result;
    private final SourceLocation sourceLocation;
    private Path path;
    private boolean compiled;
    private String kind;

    Value(
            Graph graph,
            int id,
            Operator operator,
            List<Value> inputs,
            Operator.Result result,
            SourceLocation sourceLocation,
            Path path) {
        this.graph = graph;
        this.id = id;
        this.operator = operator;
        this.inputs = inputs;
        this.result = result;
        this.sourceLocation = sourceLocation;
        this.path = path;
        this.kind = operator.kind();
    }

    /** The graph it belongs to. */
    public Graph graph() {
        return graph;
    }

    /** Returns its number: inputs have lower ones. */
    public int id() {
        return id;
    }

    /** Returns the operator that makes it. */
    public Operator operator() {
        return operator;
    }

    /** Returns what it is for people: the layer that it is the result of, such as {@code group_norm}, or its operator. */
    public String kind() {
        return kind;
    }

    /** Returns this value, as the result of a layer of several operators. */
    Value as(String layer) {
        kind = layer;
        return this;
    }

    /** Returns its inputs. */
    public List<Value> inputs() {
        return inputs;
    }

    /** Extents of one row. */
    public Shape shape() {
        return result.shape();
    }

    /** Returns whether there is a batch axis in front of {@link #shape}. */
    public boolean batched() {
        return result.batched();
    }

    /** Type of the elements. */
    public ElementType type() {
        return result.type();
    }

    public Operator.Result result() {
        return result;
    }

    /** Returns its path: {@code discriminator#2/conv1}. */
    public Path path() {
        return path;
    }

    /** Returns the location in the user's source where it was made. */
    public SourceLocation place() {
        return sourceLocation;
    }

    /**
     * Returns values and all that they are made of, each after its inputs.
     *
     * @param inputs of a value that count
     */
    public static List<Value> above(Collection<Value> targets, Function<Value, List<Value>> inputs) {
        Set<Value> seen = new HashSet<>();
        Deque<Value> open = new ArrayDeque<>(targets);
        while (!open.isEmpty()) {
            Value value = open.pop();
            if (seen.add(value)) {
                inputs.apply(value).forEach(open::push);
            }
        }
        return seen.stream().sorted(Comparator.comparingInt(Value::id)).toList();
    }

    void rename(Path other) {
        path = other;
    }

    /** Returns whether a program computes it; its path is fixed then. */
    boolean compiled() {
        return compiled;
    }

    void compile() {
        compiled = true;
    }

    /** For example {@code discriminator#1/conv1 (batch,64,4,4)}. */
    @Override
    public String toString() {
        String extents = shape().toString();
        String full = !batched() ? extents : shape().rank() == 0 ? "(batch)" : "(batch," + extents.substring(1);
        return path + " " + full + (type() == ElementType.FLOAT32 ? "" : " " + type());
    }
}
