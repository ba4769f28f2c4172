package hocket.workbench.runs.plans;

import hocket.programs.Program;
import hocket.programs.Value;
import hocket.programs.operators.Leaf;
import hocket.schedulers.Setup;
import hocket.scopes.Declaration.Kind;
import hocket.scopes.Mapping;
import hocket.scopes.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The modules of an experiment. A module is a top-level scope, or a path that is used like one, such as {@code
 * critic.at("target/critic")} and the copy {@code ema/generator}.
 */
public final class Modules {
    /**
     * A module's use of another module's values in a program, directly or through values outside of all modules.
     *
     * @param module the module that reads the values
     * @param from whose
     * @param gradient whether a gradient flows back to weights through one of them
     */
    record Taking(String module, String from, boolean gradient) {}

    /** A program's computation of a module with the parameters of another one. */
    record Reading(String module, String parameters) {}

    private final SortedSet<Path> nested = new TreeSet<>();

    /** @param programs all programs of the experiment */
    Modules(Setup setup, Collection<Program> programs) {
        setup.copies().forEach((to, from) -> {
            if (to.endsWith("/**")) {
                nested.add(Mapping.of(from, to).to());
            }
        });
        for (Program program : programs) {
            for (Value value : program.values()) {
                called(value.path()).ifPresent(nested::add);
            }
        }
    }

    /** Returns the path of the module whose first call contains this path. */
    private static Optional<Path> called(Path path) {
        int call = path.text().indexOf("#1/");
        return call < 0
                ? Optional.empty()
                : Optional.of(Path.of(path.text().substring(0, call)).withoutCalls());
    }

    /** Returns the module of a value or parameter; empty if it is outside of all. */
    Optional<String> of(Path path) {
        Path plain = path.withoutCalls();
        return plain.module().equals(plain.text())
                ? Optional.empty()
                : Optional.of(nested.stream()
                        .filter(plain::isUnder)
                        .reduce((first, longer) -> longer) // in alphabetical order, the longer comes later
                        .map(Path::text)
                        .orElse(plain.module()));
    }

    /** Returns which module reads whose values in a program, in the order of names. */
    List<Taking> takings(Program program) {
        Set<Value> trained = aboveWeights(program);
        Map<Value, Map<String, Boolean>> outside = new HashMap<>();
        TreeMap<String, TreeMap<String, Boolean>> all = new TreeMap<>();
        for (Value value : program.values()) {
            Map<String, Boolean> taken = new TreeMap<>();
            List<Value> inputs = program.inputsOf(value);
            for (int i = 0; i < inputs.size(); i++) {
                Value input = inputs.get(i);
                boolean open = value.operator().differentiable(i) && trained.contains(input);
                of(input.path())
                        .map(module -> Map.of(module, true))
                        .orElseGet(() -> outside.getOrDefault(input, Map.of()))
                        .forEach((module, before) -> taken.merge(module, before && open, Boolean::logicalOr));
            }
            Optional<String> own = of(value.path());
            if (own.isEmpty()) {
                outside.put(value, taken);
            } else {
                taken.remove(own.get());
                taken.forEach((from, gradient) -> all.computeIfAbsent(own.get(), key -> new TreeMap<>())
                        .merge(from, gradient, Boolean::logicalOr));
            }
        }
        List<Taking> takings = new ArrayList<>();
        all.forEach(
                (module, froms) -> froms.forEach((from, gradient) -> takings.add(new Taking(module, from, gradient))));
        return takings;
    }

    /** Returns the values whose gradient reaches a weight. */
    private static Set<Value> aboveWeights(Program program) {
        Set<Value> above = new HashSet<>();
        for (Value value : program.values()) {
            boolean weight = value.operator() instanceof Leaf.Variable parameter
                    && parameter.declaration().kind() == Kind.WEIGHT;
            List<Value> inputs = program.inputsOf(value);
            for (int i = 0; i < inputs.size() && !weight; i++) {
                weight = value.operator().differentiable(i) && above.contains(inputs.get(i));
            }
            if (weight) {
                above.add(value);
            }
        }
        return above;
    }

    /** Returns the modules that a program computes with the parameters of others. */
    List<Reading> readings(Program program) {
        List<Reading> readings = new ArrayList<>();
        program.parameters().forEach((stored, parameter) -> {
            if (!stored.equals(parameter.path())) {
                readings.add(new Reading(
                        of(parameter.path()).orElseThrow(), of(stored).orElseThrow()));
            }
        });
        return readings.stream().distinct().toList();
    }
}
