package hocket.schedulers;

import hocket.programs.Graph;
import hocket.programs.Program;
import hocket.scopes.Nearest;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What an {@link NetworkDefinition} defines: a graph, and the programs by name that turns, samples and scores are made
 * of. Immutable.
 */
public final class Networks {
    private final Graph graph;
    private final Map<String, Program> programs;

    private Networks(Graph graph, Map<String, Program> programs) {
        this.graph = graph;
        this.programs = Collections.unmodifiableMap(programs);
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
        return new Networks(graph, byName);
    }

    public Graph graph() {
        return graph;
    }

    /** All programs, in the order in which they were given. */
    public Collection<Program> programs() {
        return programs.values();
    }

    /**
     * The program of a name.
     *
     * @throws IllegalArgumentException if there is none, naming what is near
     */
    public Program program(String name) {
        Program program = programs.get(name);
        if (program == null) {
            throw new IllegalArgumentException("there is no program " + name + Nearest.among(name, programs.keySet()));
        }
        return program;
    }

    /** These networks, with another program of the same name in its place. */
    public Networks with(Program program) {
        Map<String, Program> changed = new LinkedHashMap<>(programs);
        changed.put(program.name(), program);
        return new Networks(graph, changed);
    }
}
