package hocket.programs.execution;

import hocket.programs.Graph;
import hocket.programs.Graph.ModuleUse;
import hocket.programs.Mode;
import hocket.programs.Program;
import hocket.programs.Value;
import hocket.programs.execution.Rewriter.Replacement;
import hocket.programs.operators.Elementwise;
import hocket.programs.operators.Leaf;
import hocket.scopes.Path;
import hocket.scopes.SimilarNames;
import java.lang.reflect.RecordComponent;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The computation of one module of a graph as an EVAL program over a new graph without random draws: values that flow
 * into the module, including noise, are inputs. It is for exports.
 */
public final class Inference {
    /** A call of a module, or its scope: its results, and its inputs from outside. */
    private record Part(List<Value> outputs, Set<Value> flowing, boolean shown) {
        boolean isFed() {
            return flowing.stream().allMatch(Inference::isFeed);
        }

        /** The rank of a call: results of an EVAL program first, then values that read only inputs and noise. */
        static final Comparator<Part> ORDER =
                Comparator.comparing((Part part) -> !part.shown()).thenComparing(part -> !part.isFed());
    }

    private Inference() {}

    /** The modules of a graph from which something comes out, in the order of their paths. */
    public static SortedSet<Path> modules(Graph graph, Collection<Program> programs) {
        SortedSet<Path> modules = new TreeSet<>();
        for (ModuleUse use : graph.uses()) {
            if (!modules.contains(use.module())
                    && !outputs(graph, use, programs).isEmpty()) {
                modules.add(use.module());
            }
        }
        return modules;
    }

    /**
     * Makes the inference of a module: the result of a call, or the values that others read from its scope. Of several
     * calls the first that an EVAL program shows, else the first that reads nothing but inputs and noise. Values of
     * other modules that it reads are inputs with the same names.
     *
     * @param name of the program
     * @param programs the programs of the graph
     * @throws IllegalArgumentException if there is no such module; the message names similar ones
     */
    public static Program of(String name, Graph graph, Path module, Collection<Program> programs) {
        SortedSet<Path> modules = modules(graph, programs);
        SimilarNames.require(modules, module, "there is no module ");
        List<Part> parts = new ArrayList<>();
        for (ModuleUse use : graph.uses()) {
            List<Value> outputs = use.module().equals(module) ? outputs(graph, use, programs) : List.of();
            if (!outputs.isEmpty()) {
                Program whole = Program.compile(name, Mode.EVAL, outputs.toArray(Value[]::new));
                parts.add(new Part(outputs, flowing(whole, use.first()), shown(outputs, programs)));
            }
        }
        Part part = parts.stream().min(Part.ORDER).orElseThrow();
        return cut(Program.compile(name, Mode.EVAL, part.outputs().toArray(Value[]::new)), part.flowing());
    }

    /** A program in EVAL mode whose noise is an input, too. */
    public static Program of(Program program) {
        return cut(program.in(Mode.EVAL), Set.copyOf(program.in(Mode.EVAL).noises()));
    }

    /**
     * A program that draws some of its inputs as noise: {@link #of(Program)} makes them inputs again.
     *
     * @param noises by the paths of the inputs that they replace; others are ignored
     */
    public static Program drawing(Program program, Map<Path, Leaf.Noise> noises) {
        Map<Value, Replacement> drawn = new HashMap<>();
        for (Value value : Value.above(program.targets(), Value::inputs)) {
            Leaf.Noise noise = noises.get(value.path());
            if (noise != null && value.operator() instanceof Leaf.Input) {
                drawn.put(value, new Replacement(value.path(), noise));
            }
        }
        return Rewriter.cut(program, drawn);
    }

    /** @throws IllegalArgumentException unless a program is in EVAL mode and all that it reads is an input */
    public static void requireModel(Program program) {
        if (program.mode() != Mode.EVAL || !program.noises().isEmpty()) {
            throw new IllegalArgumentException("program " + program.name()
                    + " must be compiled for EVAL and draw nothing to become a model, it is compiled for "
                    + program.mode()
                    + " and draws " + program.noises());
        }
    }

    /** Returns the results of a call or a scope: those in EVAL programs, else those read or returned outside. */
    private static List<Value> outputs(Graph graph, ModuleUse use, Collection<Program> programs) {
        Set<Value> found = new LinkedHashSet<>();
        use.result().ifPresent(result -> flatten(result, found));
        found.removeIf(value -> value.id() < use.first());
        if (!found.isEmpty() || use.result().isPresent()) {
            return List.copyOf(found);
        }
        Set<Value> read = new LinkedHashSet<>();
        for (Program program : programs) {
            Set<Value> given = program.mode() == Mode.EVAL ? found : read;
            program.targets().stream()
                    .filter(value -> isInside(use, value) && value.graph() == graph)
                    .forEach(given::add);
            for (Value value : program.values()) {
                boolean outside = !isInside(use, value) && !value.path().text().startsWith("gradients#");
                value.inputs().stream()
                        .filter(input -> outside && isInside(use, input) && !isConstant(input))
                        .forEach(read::add);
            }
        }
        Set<Value> all = found.isEmpty() ? read : found;
        return all.stream().sorted(Comparator.comparingInt(Value::id)).toList();
    }

    private static boolean isInside(ModuleUse use, Value value) {
        return value.id() >= use.first() && value.path().isUnder(use.module());
    }

    private static void flatten(Object result, Set<Value> into) {
        if (result instanceof Value value) {
            into.add(value);
        } else if (result instanceof Record fields) {
            for (RecordComponent component : fields.getClass().getRecordComponents()) {
                try {
                    component.getAccessor().setAccessible(true); // of a record that only its network knows
                    Object part = component.getAccessor().invoke(fields);
                    flatten(part == null ? "" : part, into);
                } catch (ReflectiveOperationException e) {
                    throw new IllegalStateException(component + " of a record of values cannot be read", e);
                }
            }
        }
    }

    private static boolean shown(List<Value> outputs, Collection<Program> programs) {
        return programs.stream()
                .anyMatch(program ->
                        program.mode() == Mode.EVAL && program.values().containsAll(outputs));
    }

    /** Returns the values made before a number that a program reads; numbers equal for all rows are separate. */
    private static Set<Value> flowing(Program program, int first) {
        Set<Value> flowing = new LinkedHashSet<>();
        Set<Value> seen = new HashSet<>();
        Deque<Value> open = new ArrayDeque<>(program.targets());
        while (!open.isEmpty()) {
            Value value = open.pop();
            if (seen.add(value)) {
                boolean isOwn = value.id() >= first || value.operator() instanceof Elementwise.StopGradient;
                if (isFeed(value) || !isOwn && value.batched()) {
                    flowing.add(value);
                } else {
                    program.inputsOf(value).forEach(open::push);
                }
            }
        }
        return flowing;
    }

    private static boolean isFeed(Value value) {
        return value.operator() instanceof Leaf.Input || value.operator() instanceof Leaf.Noise;
    }

    private static boolean isConstant(Value value) {
        return value.operator() instanceof Leaf.Variable || value.operator() instanceof Leaf.Constant;
    }

    /** The program that is fed some of its values; they keep their paths if they are leaves. */
    private static Program cut(Program program, Set<Value> fed) {
        Set<Path> taken = new HashSet<>();
        Value.above(program.targets(), Value::inputs).forEach(value -> taken.add(value.path()));
        Map<Value, Replacement> inputs = new HashMap<>();
        for (Value value : fed) {
            Path name = isFeed(value) ? value.path() : name(value, taken);
            inputs.put(value, new Replacement(name, new Leaf.Input(value.shape(), value.type())));
        }
        return Rewriter.cut(program.over(program.targets()), inputs);
    }

    /** Takes a name for the input in place of a value: its last name, if that is free or its own. */
    private static Path name(Value value, Set<Path> taken) {
        String plain = value.path().withoutCalls().name();
        Path name = Path.of(plain);
        for (int i = 2; !taken.add(name) && !name.equals(value.path()); i++) {
            name = Path.of(plain + "_" + i);
        }
        return name;
    }
}
