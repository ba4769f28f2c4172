package hocket.workbench.runs.plans;

import hocket.programs.Program;
import hocket.programs.execution.Lowering;
import hocket.schedulers.Setup;
import hocket.schedulers.Turn;
import java.util.Collection;
import java.util.stream.Collectors;

/** Names the implementations that run programs here, for people. */
public final class Engines {
    private Engines() {}

    /**
     * Returns the implementations of an experiment's turns, for example {@code jvm vector}; several if one does not
     * run all. Loads an engine if one is configured.
     *
     * @throws IllegalStateException if a program has no implementation, saying why
     */
    public static String of(Setup setup) {
        return of(setup.descending().stream().map(Turn.Descend::program).toList());
    }

    /** Returns the implementations of some programs. */
    public static String of(Collection<Program> programs) {
        return programs.stream()
                .map(program -> Lowering.of(program).title())
                .distinct()
                .sorted()
                .collect(Collectors.joining(" and "));
    }
}
