package hocket.programs;

import hocket.programs.operators.BatchNorm;
import hocket.programs.operators.Elementwise;
import hocket.programs.operators.Leaf;
import hocket.programs.operators.Operator;
import hocket.scopes.Declaration.Kind;
import hocket.scopes.ElementType;
import hocket.scopes.Mapping;
import hocket.scopes.Path;
import hocket.scopes.Scopes;
import hocket.scopes.SimilarNames;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A program: the smallest subgraph that some targets need, in one mode. Immutable data that is bound to no store;
 * prints as a list of its operators.
 *
 * <p>For example:
 *
 * <pre>{@code
 * Program step = Program.compile("d_step", Mode.TRAIN, mean(discriminator.apply(real)));
 * Program average = Program.compile("draw", Mode.EVAL, fake).reading("generator", "ema/generator");
 * }</pre>
 */
public final class Program {
    private final String name;
    private final Mode mode;
    private final List<Value> targets;
    private final SortedMap<String, Value> metrics;
    private final List<Mapping> mappings;
    private final List<Value> values;
    private final List<Value> inputs;
    private final List<Value> noises;

    private Program(
            String name, Mode mode, List<Value> targets, SortedMap<String, Value> metrics, List<Mapping> mappings) {
        this.name = name;
        this.mode = mode;
        this.targets = List.copyOf(targets);
        this.metrics = Collections.unmodifiableSortedMap(metrics);
        this.mappings = List.copyOf(mappings);
        this.values = Value.above(targets, this::inputsOf);
        this.inputs = values.stream()
                .filter(value -> value.operator() instanceof Leaf.Input)
                .toList();
        this.noises = values.stream()
                .filter(value -> value.operator() instanceof Leaf.Noise)
                .toList();
        values.forEach(Value::compile);
        requireOneShapeEach();
    }

    /** Two parameters that are read from one stored path must be alike. */
    private void requireOneShapeEach() {
        Map<Path, Value> first = new TreeMap<>();
        for (Value value : values) {
            if (value.operator() instanceof Leaf.Variable) {
                Value other = first.putIfAbsent(stored(value.path()), value);
                if (other != null && !(other.shape().equals(value.shape()) && other.type() == value.type())) {
                    throw new IllegalArgumentException("program " + name + " reads " + stored(value.path())
                            + " as two parameters that differ: " + other + " and " + value);
                }
            }
        }
    }

    /**
     * A program for these targets; the first is the loss where a turn descends it.
     *
     * @throws IllegalArgumentException if there is no target, or they belong to several graphs
     */
    public static Program compile(String name, Mode mode, Value... targets) {
        return new Program(name, mode, checked(name, List.of(targets)), new TreeMap<>(), List.of());
    }

    /** A program for a loss and its metrics. */
    public static Program compile(String name, Mode mode, Loss loss) {
        List<Value> targets = new ArrayList<>(List.of(loss.value()));
        targets.addAll(loss.metrics().values());
        loss.metrics().forEach((metric, value) -> {
            if (value.batched() || value.shape().size() != 1) {
                throw new IllegalArgumentException(
                        "program " + name + ": metric " + metric + " must be a single number, was " + value);
            }
        });
        return new Program(
                name,
                mode,
                checked(name, targets.stream().distinct().toList()),
                new TreeMap<>(loss.metrics()),
                List.of());
    }

    private static List<Value> checked(String name, List<Value> targets) {
        if (targets.isEmpty()) {
            throw new IllegalArgumentException("program " + name + " needs at least one target");
        }
        targets.stream()
                .filter(target -> target.graph() != targets.get(0).graph())
                .findFirst()
                .ifPresent(stranger -> {
                    throw new IllegalArgumentException(
                            "program " + name + ": " + stranger + " belongs to another graph than " + targets.get(0));
                });
        Set<Value> seen = new HashSet<>();
        targets.stream().filter(target -> !seen.add(target)).findFirst().ifPresent(twice -> {
            throw new IllegalArgumentException("program " + name + ": target " + twice + " is asked for twice");
        });
        return targets;
    }

    /**
     * Returns this program reading other parameters: those under {@code from} are read under {@code to}. Equal paths
     * return this program.
     *
     * @throws IllegalArgumentException if it reads none under {@code from}; the message lists similar paths
     */
    public Program reading(String from, String to) {
        boolean isOwn = from.equals(to); // as without a mapping: --set can take an average away by it
        Path under =
                isOwn ? Path.of(from.replace("/**", "")) : Mapping.of(from, to).from();
        SortedSet<Path> read = new TreeSet<>(parameters().keySet());
        if (read.stream().noneMatch(path -> path.isUnder(under))) {
            throw new IllegalArgumentException("program " + name + " reads no parameter under " + under
                    + SimilarNames.among(under.text(), prefixes(read)));
        }
        return isOwn ? this : readingAll(Mapping.of(from, to));
    }

    /** Returns this program with a mapping that may match no parameter. */
    public Program readingAll(Mapping mapping) {
        List<Mapping> more = new ArrayList<>(mappings);
        more.add(mapping);
        return new Program(name, mode, targets, metrics, more);
    }

    private static SortedSet<String> prefixes(Set<Path> paths) {
        SortedSet<String> prefixes = new TreeSet<>();
        for (Path path : paths) {
            String text = path.text();
            for (int end = text.indexOf('/'); end >= 0; end = text.indexOf('/', end + 1)) {
                prefixes.add(text.substring(0, end));
            }
            prefixes.add(text);
        }
        return prefixes;
    }

    /** Returns this program with further targets. */
    public Program with(List<Value> more) {
        List<Value> all = new ArrayList<>(targets);
        more.stream().filter(value -> !all.contains(value)).forEach(all::add);
        return new Program(name, mode, checked(name, all), metrics, mappings);
    }

    /**
     * Returns this program with the batch's moments in some batch norms as further targets: for each norm mean, then
     * biased variance, see {@link BatchNorm#furtherResults}.
     *
     * @throws IllegalArgumentException if one is not among {@link #batchNorms}
     */
    public Program withMoments(List<Value> norms) {
        norms.stream().filter(norm -> !batchNorms().contains(norm)).findFirst().ifPresent(norm -> {
            throw new IllegalArgumentException("program " + name + ": " + norm + " does not normalise by the batch");
        });
        return with(
                norms.stream().flatMap(norm -> graph().further(norm).stream()).toList());
    }

    /** Returns this program in another mode, which decides its dropout and batch norms. */
    public Program in(Mode other) {
        return new Program(name, other, targets, metrics, mappings);
    }

    /** A program of this name, mode and mappings for targets of another graph. */
    public Program over(List<Value> others) {
        return new Program(name, mode, others, new TreeMap<>(), mappings);
    }

    /**
     * Returns this program for values that take the places of its own, of another graph. Mappings that change nothing
     * there are left out.
     *
     * @param others for each target, what takes its place
     */
    public Program over(Map<Value, Value> others) {
        SortedMap<String, Value> named = new TreeMap<>();
        metrics.forEach((metric, value) -> named.put(metric, Objects.requireNonNull(others.get(value))));
        Program program =
                new Program(name, mode, targets.stream().map(others::get).toList(), named, List.of());
        for (Mapping mapping : mappings) {
            Program mapped = program.readingAll(mapping);
            program = mapped.parameters().keySet().equals(program.parameters().keySet()) ? program : mapped;
        }
        return program;
    }

    public String name() {
        return name;
    }

    public Mode mode() {
        return mode;
    }

    public Graph graph() {
        return targets.get(0).graph();
    }

    /** Returns the targets, the loss first. */
    public List<Value> targets() {
        return targets;
    }

    /** Returns the targets that are metrics, by their names. */
    public SortedMap<String, Value> metrics() {
        return metrics;
    }

    /** Returns the mappings from its graph's parameters to those that it reads, in the order that they apply. */
    public List<Mapping> mappings() {
        return mappings;
    }

    /** Returns all values that it computes or reads, each after its inputs. */
    public List<Value> values() {
        return values;
    }

    /** Returns the inputs that it must be fed, in the order of making. */
    public List<Value> inputs() {
        return inputs;
    }

    /** The noise it draws. */
    public List<Value> noises() {
        return noises;
    }

    /** Returns inputs, then noises: the buffers that are filled before it runs. */
    public List<Value> feeds() {
        List<Value> feeds = new ArrayList<>(inputs);
        feeds.addAll(noises);
        return feeds;
    }

    /**
     * A value of the graph by its path: the one that this program computes, where a network is called by others too, and the
     * numbers of calls are left out.
     *
     * @throws IllegalArgumentException if there is none, listing similar ones, or several, listing them
     */
    public Value value(String path) {
        List<Value> own = values.stream()
                .filter(value -> Scopes.matches(value.path().text(), path))
                .toList();
        return own.size() == 1 ? own.get(0) : graph().value(path);
    }

    /** The input of that name. */
    public Optional<Value> input(String input) {
        return inputs().stream().filter(v -> v.path().text().equals(input)).findFirst();
    }

    /** The parameters it reads, by the path in the store. */
    public SortedMap<Path, Value> parameters() {
        SortedMap<Path, Value> read = new TreeMap<>();
        for (Value value : values) {
            if (value.operator() instanceof Leaf.Variable) {
                read.put(stored(value.path()), value);
            }
        }
        return read;
    }

    /** Returns the path in the store of a parameter of the graph. */
    public Path stored(Path declared) {
        Path path = declared;
        for (Mapping mapping : mappings) {
            path = mapping.map(path);
        }
        return path;
    }

    /** Returns the inputs of a value in this program's mode. */
    public List<Value> inputsOf(Value value) {
        return value.operator().inputsIn(mode, value.inputs());
    }

    /** The batch norms that normalise by the batch, in the order of their calls. */
    public List<Value> batchNorms() {
        return values.stream()
                .filter(v -> v.operator() instanceof BatchNorm norm && norm.usesBatch(mode))
                .toList();
    }

    /** Returns the batch norms among {@link #batchNorms} whose {@link BatchNorm#owners} are all among the paths. */
    public List<Value> batchNormsOwnedBy(Set<Path> paths) {
        return batchNorms().stream()
                .filter(norm -> BatchNorm.owners(norm).stream()
                        .map(owner -> stored(owner.path()))
                        .allMatch(paths::contains))
                .toList();
    }

    /**
     * Returns the next values of running statistics in this program, but those of batch norms: the first call's for each
     * statistic, in the order of the calls. An EVAL program has none.
     */
    public List<Value> running() {
        return running(value -> true);
    }

    /** Returns {@link #running()}, of values whose owners are among the paths. */
    public List<Value> runningOwnedBy(Set<Path> paths) {
        return running(value -> paths.contains(storedInput(value, Elementwise.Running.OWNER)));
    }

    private List<Value> running(Predicate<Value> wanted) {
        Map<Path, Value> first = new LinkedHashMap<>();
        for (Value value : values) {
            if (value.operator() instanceof Elementwise.Running && mode == Mode.TRAIN && wanted.test(value)) {
                first.putIfAbsent(storedInput(value, Elementwise.Running.STATISTIC), value);
            }
        }
        return List.copyOf(first.values());
    }

    /**
     * Returns the stored paths of the running statistics that a turn which writes the paths updates, each with its
     * owner's path: a batch norm's scale where that is a parameter, otherwise its owner.
     */
    public SortedMap<Path, Path> statisticsOwnedBy(Set<Path> paths) {
        SortedMap<Path, Path> owners = new TreeMap<>();
        for (Value norm : batchNormsOwnedBy(paths)) {
            Path owner = stored(BatchNorm.owners(norm).get(0).path());
            owners.put(storedInput(norm, BatchNorm.MEAN), owner);
            owners.put(storedInput(norm, BatchNorm.VARIANCE), owner);
        }
        for (Value running : runningOwnedBy(paths)) {
            owners.put(
                    storedInput(running, Elementwise.Running.STATISTIC),
                    storedInput(running, Elementwise.Running.OWNER));
        }
        return owners;
    }

    /** Returns the path in the store of a value's parameter. */
    private Path storedInput(Value value, int position) {
        return stored(value.inputs().get(position).path());
    }

    /** The stored paths of the weights that the gradient of the first target reaches. */
    public SortedSet<Path> reached() {
        SortedSet<Path> reached = new TreeSet<>();
        for (Value value : reachedValues()) {
            if (value.operator() instanceof Leaf.Variable parameter
                    && parameter.declaration().kind() == Kind.WEIGHT) {
                reached.add(stored(value.path()));
            }
        }
        return reached;
    }

    /** The values that the gradient of the first target reaches. */
    public Set<Value> reachedValues() {
        Set<Value> seen = new HashSet<>();
        Deque<Value> open = new ArrayDeque<>(List.of(targets.get(0)));
        while (!open.isEmpty()) {
            Value value = open.pop();
            if (value.type().isFloating() && seen.add(value)) {
                differentiableInputsOf(value).forEach(open::push);
            }
        }
        return seen;
    }

    /** Returns those of {@link #inputsOf} to which a gradient flows; an input that is read twice appears twice. */
    public List<Value> differentiableInputsOf(Value value) {
        List<Value> inputs = inputsOf(value);
        // Inputs that a mode leaves out differ in none but ByMode, where all are.
        return IntStream.range(0, inputs.size())
                .filter(value.operator()::differentiable)
                .mapToObj(inputs::get)
                .toList();
    }

    /**
     * Returns the exclusive upper bound of all elements of a fed index in this program's look-ups, the least of {@link
     * #indexBounds}; 0 where it is not an index.
     */
    public int indexBound(Value index) {
        return Operator.least(indexBounds(index));
    }

    /** Returns the bound of each element of a row of a fed index; 0 where it is not an index. */
    public int[] indexBounds(Value index) {
        return Operator.indexBounds(values, index);
    }

    /**
     * Checks an element of a fed index.
     *
     * @param bounds of each element of a row, as {@link #indexBounds} gives them
     * @param at its place among the elements of all rows
     * @throws IllegalArgumentException if it is not within its bound, naming its row
     */
    public static void requireIndex(Value index, int[] bounds, int at, long given) {
        int element = at % bounds.length;
        if (bounds[element] > 0 && (given < 0 || given >= bounds[element])) {
            throw new IllegalArgumentException("input " + index.path() + ": "
                    + (Arrays.stream(bounds).distinct().count() == 1 ? "" : "number " + element + " of a row ")
                    + "must be 0 to " + (bounds[element] - 1) + ", row " + at / bounds.length + " has " + given);
        }
    }

    /** Returns its name, inputs and targets: {@code d_step(image (batch,1,8,8)) -> loss ()}. */
    public String signature() {
        return name
                + inputs().stream().map(Value::toString).collect(Collectors.joining(", ", "(", ")"))
                + " -> "
                + targets.stream().map(Value::toString).collect(Collectors.joining(", "));
    }

    /** The signature, and a line for each operator. */
    @Override
    public String toString() {
        StringBuilder text =
                new StringBuilder(signature()).append("  [").append(mode).append(']');
        for (Value value : values) {
            text.append("\n  ").append(value);
            if (!(value.operator() instanceof Leaf.Variable)) {
                text.append(" = ").append(value.operator().kind());
                text.append(inputsOf(value).stream()
                        .map(v -> v.operator() instanceof Leaf.Variable
                                ? stored(v.path()).text()
                                : v.path().text())
                        .collect(Collectors.joining(", ", "(", ")")));
                String settings = value.operator().settings();
                text.append(settings.isEmpty() ? "" : " ").append(settings);
            } else if (!stored(value.path()).equals(value.path())) {
                text.append(" from ").append(stored(value.path()));
            }
        }
        return text.toString();
    }

    /** Returns whether it has a batch axis; then it is bound separately for each number of rows. */
    public boolean batched() {
        return values.stream().anyMatch(Value::batched);
    }

    /** The type that it computes in. */
    public ElementType floatType() {
        return graph().floatType();
    }

    /** Programs are equal if name, mode, targets and read paths are. */
    @Override
    public boolean equals(Object other) {
        return other instanceof Program program
                && name.equals(program.name)
                && mode == program.mode
                && targets.equals(program.targets)
                && metrics.equals(program.metrics)
                && mappings.equals(program.mappings);
    }

    @Override
    public int hashCode() {
        return Objects.hash(name, mode, targets, metrics, mappings);
    }

    public static Map<String, Integer> positions(List<Value> values) {
        Map<String, Integer> positions = new TreeMap<>();
        for (int i = 0; i < values.size(); i++) {
            positions.put(values.get(i).path().text(), i);
        }
        return positions;
    }
}
