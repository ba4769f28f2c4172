package hocket.workbench.plans;

import hocket.programs.Program;
import hocket.programs.execution.Lowering;
import hocket.schedulers.Setup;
import hocket.schedulers.Turn;
import java.util.Collection;
import java.util.stream.Collectors;

/** What runs programs here, as people are told. */
public final class Engines {
    private Engines() {}

    /**
     * What runs an experiment's turns, for example {@code mxnet 1.9.1}; several where one does not run all. Loads an engine
     * where one is asked.
     *
     * @throws IllegalStateException if something has nothing to run it, saying why
     */
    public static String of(Setup setup) {
        return of(setup.descending().stream().map(Turn.Descend::program).toList());
    }

    /** The same of some programs. */
    public static String of(Collection<Program> programs) {
        return programs.stream()
                .map(program -> Lowering.of(program).title())
                .distinct()
                .sorted()
                .collect(Collectors.joining(" and "));
    }
}
