package hocket.workbench.runs.exports;

import hocket.programs.Graph;
import hocket.programs.Mode;
import hocket.programs.Program;
import hocket.programs.execution.Inference;
import hocket.programs.operators.Leaf;
import hocket.schedulers.Setup;
import hocket.schedulers.Turn;
import hocket.schedulers.inference.ProgramInference;
import hocket.scopes.Mapping;
import hocket.scopes.Path;
import hocket.scopes.SimilarNames;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * The exportable parts of an experiment, by name: modules, kept copies such as {@code ema/generator}, and EVAL programs
 * such as {@code draw} whose name no module has.
 */
public final class Exportable {
    private final SortedMap<String, Supplier<Program>> modules = new TreeMap<>();
    private final SortedMap<String, Supplier<Program>> programs = new TreeMap<>();
    private final SortedMap<Path, Leaf.Noise> noises;

    public Exportable(Setup setup) {
        Set<Program> all = new LinkedHashSet<>(setup.networks().programs());
        setup.samples().ifPresent(all::add);
        setup.descending().stream().map(Turn.Descend::program).forEach(all::add);
        noises = ProgramInference.noises(setup.networks().programs());
        Graph graph = setup.graph();
        for (Path module : Inference.modules(graph, all)) {
            modules.put(module.text(), () -> Inference.of(fileName(module.text()), graph, module, all));
        }
        setup.copies().forEach((to, from) -> {
            Mapping mapping = Mapping.of(from, to);
            Supplier<Program> original = modules.get(mapping.from().text());
            if (original != null) {
                modules.putIfAbsent(
                        mapping.to().text(),
                        () -> original.get()
                                .reading(mapping.from().text(), mapping.to().text()));
            }
        });
        for (Program program : all) {
            if (program.mode() == Mode.EVAL && !modules.containsKey(program.name())) {
                programs.put(program.name(), () -> Inference.of(program));
            }
        }
    }

    /** Returns the name of a module's files: its last name. */
    public static String fileName(String module) {
        return module.substring(module.lastIndexOf('/') + 1);
    }

    /** Returns all names, modules first. */
    public List<String> names() {
        List<String> names = new ArrayList<>(modules.keySet());
        names.addAll(programs.keySet());
        return names;
    }

    /**
     * Returns the program that computes a part from explicit inputs.
     *
     * @throws IllegalArgumentException if no part has this name, naming the existing ones
     */
    public Program program(String name) {
        Supplier<Program> found = modules.containsKey(name) ? modules.get(name) : programs.get(name);
        if (found == null) {
            String near = SimilarNames.near(name, names())
                    .map(meant -> meant + " There are ")
                    .orElse("; there are ");
            throw new IllegalArgumentException("there is no module " + name + near + list());
        }
        return found.get();
    }

    /**
     * Returns the program as a function of a caller's rows; it samples the noise itself, as in training.
     *
     * @throws IllegalArgumentException if no part has this name, naming the existing ones
     */
    public ProgramInference function(String name) {
        return ProgramInference.of(name, program(name), noises);
    }

    /** Returns the list for people: {@code modules discriminator, ema/generator, generator; programs draw}. */
    public String list() {
        List<String> parts = new ArrayList<>();
        if (!modules.isEmpty()) {
            parts.add("modules " + String.join(", ", modules.keySet()));
        }
        if (!programs.isEmpty()) {
            parts.add("programs " + String.join(", ", programs.keySet()));
        }
        return parts.isEmpty() ? "none" : String.join("; ", parts);
    }
}
