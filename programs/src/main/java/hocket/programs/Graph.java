package hocket.programs;

import hocket.programs.operators.FurtherResult;
import hocket.programs.operators.Leaf;
import hocket.programs.operators.Leaf.Distribution;
import hocket.programs.operators.Leaf.Redraw;
import hocket.programs.operators.Operator;
import hocket.scopes.Declaration;
import hocket.scopes.ElementType;
import hocket.scopes.Initialiser;
import hocket.scopes.Path;
import hocket.scopes.Scope;
import hocket.scopes.Scopes;
import hocket.scopes.Shape;
import hocket.scopes.SourceLocation;
import hocket.scopes.Tensor;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A graph of computations: values made from inputs, noise and parameters. Modules and scopes name them. Built by one
 * thread; nothing runs here, {@link Program} and {@link Session} do that.
 *
 * <p>For example:
 *
 * <pre>{@code
 * Graph line = new Graph();
 * Value x = line.input("x", Shape.of(1));
 * Network<Value, Value> fit = line.module("fit", in -> dense("out", in, 1));
 * Value y = fit.apply(x); // of one row; the batch axis is implied
 * }</pre>
 */
public final class Graph {
    /** The rule for reopening a scope. */
    public enum Opening {
        /** Parameters are shared, and values get a call number. */
        REUSE
    }

    private record Declared(Value value, SourceLocation place) {}

    /**
     * A call of a module, or a scope.
     *
     * @param module its path
     * @param first number of its first value
     * @param result result of the call: a value or a record of values; empty for a scope
     */
    public record ModuleUse(Path module, int first, Optional<Object> result) {}

    private final ElementType floatType;
    private final Scopes<Value> scopes = new Scopes<>(Graph.class);
    private final TreeMap<Path, Declared> parameters = new TreeMap<>();
    private final Map<Path, Function<?, ?>> bodies = new HashMap<>();
    private final List<ModuleUse> uses = new ArrayList<>();
    private int size;

    /** A graph of FLOAT32 parameters and noise. */
    public Graph() {
        this(ElementType.FLOAT32);
    }

    /** @param floatType FLOAT32, or FLOAT64 for checks */
    public Graph(ElementType floatType) {
        if (!floatType.isFloating()) {
            throw new IllegalArgumentException("a graph computes in FLOAT32 or FLOAT64, not " + floatType);
        }
        this.floatType = floatType;
    }

    /** The type of parameters and noise. */
    public ElementType floatType() {
        return floatType;
    }

    /** An input of this graph's float type: a batch of rows of this shape. */
    public Value input(String name, Shape shape) {
        return input(name, shape, floatType);
    }

    /** An input of another type, INT64 for labels. */
    public Value input(String name, Shape shape, ElementType type) {
        if (type.isFloating() && type != floatType) {
            throw new IllegalArgumentException(
                    "input " + name + ": this graph computes in " + floatType + ", not " + type);
        }
        return named(name, new Leaf.Input(shape, type));
    }

    /** Standard normal noise, which is resampled each turn. */
    public Value noise(String name, Shape shape) {
        return noise(name, shape, new Distribution.Normal(), Redraw.EACH_TURN);
    }

    /** Noise of another distribution, or drawn once a round. */
    public Value noise(String name, Shape shape, Distribution distribution, Redraw redraw) {
        return named(name, new Leaf.Noise(shape, floatType, distribution, redraw));
    }

    /** Returns a constant, rounded to this graph's float type. */
    public Value constant(double value) {
        return constant(Tensor.rounded(Shape.scalar(), floatType, value));
    }

    /**
     * Numbers that never change, the same for every row.
     *
     * @throws IllegalArgumentException if they are of another float type than the graph
     */
    public Value constant(Tensor value) {
        if (value.type().isFloating() && value.type() != floatType) {
            throw new IllegalArgumentException("this graph computes in " + floatType + ", got " + value.signature());
        }
        return numbered(new Leaf.Constant(value));
    }

    /**
     * Opens a top-level scope: values and parameters made until it is closed are named under it.
     *
     * @throws IllegalStateException if a scope is open, or the module exists, naming both places
     */
    public Scope<Value> module(String name) {
        requireTopLevel(name);
        Scope<Value> scope = scopes.open(name);
        uses.add(new ModuleUse(scope.path(), size, Optional.empty()));
        return scope;
    }

    /**
     * A module that is called. Each call makes new values under {@code name#1}, {@code name#2}, …; all calls share the
     * parameters of one path.
     *
     * @param body makes the output from the input; run once a call
     * @param <I> a Value, or a record of them
     * @param <O> a Value, or a record of them
     */
    public <I, O> Network<I, O> module(String name, Function<I, O> body) {
        requireTopLevel(name);
        return network(Path.of(name), body);
    }

    /** A network at a path that is still free, or that the same body has already. */
    <I, O> Network<I, O> network(Path path, Function<I, O> body) {
        if (bodies.get(path) != body) {
            scopes.claim(path);
            bodies.put(path, body);
        }
        return new Network<>(this, path, body);
    }

    private void requireTopLevel(String name) {
        scopes.current().ifPresent(scope -> {
            throw new IllegalStateException("module " + name + " is defined at " + scopes.place() + " inside scope "
                    + scope + ": modules stand at the top, use scope(\"" + name + "\") there");
        });
    }

    /**
     * Opens a scope inside the current one.
     *
     * @throws IllegalStateException if it was opened before, naming both places
     */
    public Scope<Value> scope(String name) {
        return scopes.open(name);
    }

    /** Opens a scope again, sharing its parameters. */
    public Scope<Value> scope(String name, Opening opening) {
        return scopes.reopen(name);
    }

    /** A value that represents one of another graph, under its path, which lookups do not find. */
    public Value made(Value original, Operator operator, List<Value> inputs, Operator.Result result) {
        return new Value(this, size++, operator, inputs, result, original.place(), original.path());
    }

    /** Returns the further results of a value's operator, which lookups do not find. */
    public List<Value> further(Value value) {
        List<Value> further = new ArrayList<>();
        for (Operator.Result result : value.operator().furtherResults(value.inputs())) {
            Path path = value.path().resolve("result_" + (further.size() + 2));
            Operator operator = new FurtherResult(further.size());
            further.add(new Value(this, size++, operator, List.of(value), result, value.place(), path));
        }
        return further;
    }

    /**
     * A value or parameter to be found by a given path, whatever scope is open.
     *
     * @throws IllegalStateException if the path is taken
     * @throws IllegalArgumentException if the inputs do not fit, with a message that continues a path
     */
    public Value listed(Path path, Operator operator, List<Value> inputs, SourceLocation sourceLocation) {
        Value value = new Value(this, size++, operator, inputs, operator.resultOf(inputs), sourceLocation, path);
        scopes.declare(path, value);
        if (operator instanceof Leaf.Variable) {
            parameters.put(path, new Declared(value, sourceLocation));
        }
        return value;
    }

    /**
     * A scope for values that are derived from others and have no parameters: under {@code name#1}, {@code name#2}, …
     * whatever scope is open. Gradients are under {@code gradients#1}.
     */
    public Scope<Value> derived(String name) {
        return scopes.call(Path.of(name));
    }

    <I, O> O call(Path module, Function<I, O> body, I input) {
        int first = size;
        try (Scope<Value> call = scopes.call(module)) {
            O output = body.apply(input);
            uses.add(new ModuleUse(module, first, Optional.of(output)));
            return output;
        }
    }

    /** The modules of this graph, a line for each call, in the order in which these ended. */
    public List<ModuleUse> uses() {
        return uses;
    }

    /**
     * Names a value in the current scope. Inputs, noises and parameters keep their path as well, by which they are fed,
     * drawn and stored; so does what a program was compiled for.
     */
    public Value name(String name, Value value) {
        requireOwn(name, value);
        Path path = scopes.name(name, value);
        if (!value.inputs().isEmpty() && !value.compiled()) {
            value.rename(path);
        }
        return value;
    }

    /**
     * The value or parameter of that path. The number of a call may be left out where there is only one.
     *
     * @throws IllegalArgumentException if there is none, listing similar ones, or several, listing them
     */
    public Value value(String path) {
        return scopes.value(path);
    }

    /** Returns whether a value has exactly that path. */
    public boolean has(String path) {
        return scopes.has(path);
    }

    /** Returns the parameters declared so far, in path order. */
    public List<Declaration> declarations() {
        return parameters.values().stream()
                .map(declared -> ((Leaf.Variable) declared.value().operator()).declaration())
                .toList();
    }

    /**
     * A parameter of the current scope: declared at the first use, the same one in later calls of the module.
     *
     * @param name its name in the scope, such as {@code conv1/weight}
     * @throws IllegalStateException if no scope is open
     * @throws IllegalArgumentException if it was declared with another shape, type, initialiser or kind
     */
    public Value parameter(String name, DeclarationOf declaration) {
        Path path = scopes.parameter(name);
        Declaration wanted = declaration.at(path, floatType);
        Declared before = parameters.get(path);
        if (before == null) {
            Operator operator = new Leaf.Variable(wanted);
            SourceLocation sourceLocation = scopes.place();
            Value value =
                    new Value(this, size++, operator, List.of(), operator.resultOf(List.of()), sourceLocation, path);
            scopes.declare(path, value);
            parameters.put(path, new Declared(value, sourceLocation));
            return value;
        }
        Declaration is = ((Leaf.Variable) before.value().operator()).declaration();
        if (!is.equals(wanted)) {
            throw new IllegalArgumentException("parameter " + path + " was declared at " + before.place() + " as "
                    + describe(is) + ", and at " + scopes.place() + " as " + describe(wanted));
        }
        return before.value();
    }

    /**
     * A number of the current scope that schedules, actions and people set between turns, such as the probability of an
     * augmentation or a limit: {@code choice.set("augment/p", 0.3)}, {@code run.set("augment/p", 0.3)}. All programs that
     * read it see the new value in their next turn; it is saved and restored with the parameters. No gradient flows to it.
     *
     * @param name its name in the scope
     * @param initial its first value, finite
     * @return the number, for the whole batch
     * @throws IllegalArgumentException as {@link #parameter} does, or if the value is not finite
     */
    public Value setting(String name, double initial) {
        if (!Double.isFinite(initial)) {
            throw new IllegalArgumentException("setting " + name + ": must begin with a finite number, was " + initial);
        }
        return parameter(
                name,
                (path, type) -> new Declaration(
                        path,
                        Shape.scalar(),
                        type,
                        Initialiser.constant(initial),
                        Declaration.Fan.NONE,
                        Declaration.Kind.SETTING));
    }

    private static String describe(Declaration d) {
        return d.type() + d.shape().toString() + " " + d.initialiser();
    }

    /** A declaration that still lacks its path and type. */
    @FunctionalInterface
    public interface DeclarationOf {
        Declaration at(Path path, ElementType type);
    }

    /** The parameter of the current scope as it was declared before, if it was. */
    Optional<Value> declared(String name) {
        return Optional.ofNullable(parameters.get(scopes.parameter(name))).map(Declared::value);
    }

    Value named(String name, Operator operator, Value... inputs) {
        Value value = make(operator, name, inputs);
        value.rename(scopes.name(name, value));
        return value;
    }

    public Value numbered(Operator operator, Value... inputs) {
        Value value = make(operator, operator.kind(), inputs);
        value.rename(scopes.number(operator.kind(), value));
        return value;
    }

    private Value make(Operator operator, String name, Value... inputs) {
        Path path = path(name);
        for (Value input : inputs) {
            requireOwn(path.text(), input);
        }
        List<Value> list = List.of(inputs);
        Operator.Result result = fitting(name, () -> operator.resultOf(list));
        return new Value(this, size++, operator, list, result, scopes.place(), path);
    }

    /** Returns a computed shape, or fails with layer and source location; for layers, before they declare anything. */
    <T> T fitting(String name, Supplier<T> result) {
        try {
            return result.get();
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    path(name).withoutCalls() + ": " + e.getMessage() + " (at " + scopes.place() + ")", e);
        }
    }

    /** Returns the name of the top-level scope that is open; empty where none is. */
    String module() {
        return scopes.current()
                .map(scope -> scope.path().withoutCalls().text().replaceFirst("/.*", ""))
                .orElse("");
    }

    private Path path(String name) {
        return scopes.current().map(scope -> scope.path().resolve(name)).orElseGet(() -> Path.of(name));
    }

    private void requireOwn(String name, Value value) {
        if (value.graph() != this) {
            throw new IllegalArgumentException(
                    name + ": " + value + " belongs to another graph (at " + scopes.place() + ")");
        }
    }
}
