package hocket.schedulers.settings;

import hocket.programs.Graph;
import hocket.programs.Program;
import hocket.programs.Value;
import hocket.schedulers.Setup;
import hocket.schedulers.optimizers.GradientTransformation;
import hocket.scopes.Path;
import hocket.scopes.Selection;
import hocket.scopes.SimilarNames;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The result of a {@link NetworkDefinition}: a graph, and the programs by name for turns, samples and scores.
 * Immutable.
 */
public final class Networks {
    /**
     * A warning for an experiment that lacks something that its networks need.
     *
     * @param isMet whether the experiment has it
     * @param warning a sentence that names the problem and a remedy
     */
    public record Caution(Predicate<Setup> isMet, String warning) {}

    private final Graph graph;
    private final Map<String, Program> programs;
    private final List<Caution> cautions;
    private final Set<Value> ofNoRow;

    private Networks(Graph graph, Map<String, Program> programs, List<Caution> cautions, Set<Value> ofNoRow) {
        this.graph = graph;
        this.programs = Collections.unmodifiableMap(programs);
        this.cautions = List.copyOf(cautions);
        this.ofNoRow = Set.copyOf(ofNoRow);
    }

    /**
     * Programs of one graph, each under its own name.
     *
     * @throws IllegalArgumentException if two have one name, or one is of another graph
     */
    public static Networks of(Graph graph, Program... programs) {
        Map<String, Program> byName = new LinkedHashMap<>();
        for (Program program : programs) {
            if (program.graph() != graph) {
                throw new IllegalArgumentException("program " + program.name() + " is of another graph");
            }
            if (byName.put(program.name(), program) != null) {
                throw new IllegalArgumentException("two programs are called " + program.name());
            }
        }
        return new Networks(graph, byName, List.of(), Set.of());
    }

    public Graph graph() {
        return graph;
    }

    /** Returns all programs, in the given order. */
    public Collection<Program> programs() {
        return programs.values();
    }

    /**
     * Returns the program of a name.
     *
     * @throws IllegalArgumentException if there is none; the message names similar ones
     */
    public Program program(String name) {
        return SimilarNames.get(programs, name, "there is no program ");
    }

    /** Returns these networks with another program in place of that of the same name. */
    public Networks with(Program program) {
        Map<String, Program> changed = new LinkedHashMap<>(programs);
        changed.put(program.name(), program);
        return new Networks(graph, changed, cautions, ofNoRow);
    }

    /** Returns these networks with a warning, unless all optimizers of some weights have a transformation. */
    public Networks warnUnlessHeld(String selection, Class<? extends GradientTransformation> link, String warning) {
        Set<Path> weights = Selection.of(selection).of(graph.declarations()).keySet();
        return warnUnless(
                setup -> setup.descending().stream()
                        .flatMap(turn -> turn.updates().stream())
                        .filter(update -> weights.stream().anyMatch(update.selection()::matches))
                        .allMatch(update -> update.rule().links().stream().anyMatch(link::isInstance)),
                warning);
    }

    /** Returns these networks with a warning, unless an experiment has something. */
    public Networks warnUnless(Predicate<Setup> isMet, String warning) {
        List<Caution> more = new ArrayList<>(cautions);
        more.add(new Caution(isMet, warning));
        return new Networks(graph, programs, more, ofNoRow);
    }

    /**
     * Returns these networks, where the states that turns carry to some inputs belong to no row, so that rows need not continue
     * those of the draw before.
     */
    public Networks withStatesOfNoRow(Value... inputs) {
        return new Networks(graph, programs, cautions, Set.of(inputs));
    }

    /** Returns whether the state that a turn carries to an input belongs to the row that reads it. */
    public boolean isStateOfRow(Value input) {
        return !ofNoRow.contains(input);
    }

    /** Returns the warnings and their conditions. */
    public List<Caution> cautions() {
        return cautions;
    }
}
