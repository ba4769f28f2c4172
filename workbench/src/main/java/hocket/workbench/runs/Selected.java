package hocket.workbench.runs;

import hocket.programs.Program;
import hocket.schedulers.Definition;
import hocket.schedulers.Networks;
import hocket.schedulers.Setup;
import hocket.schedulers.exchange.Exchange;
import hocket.workbench.experiment.ExperimentFile;
import hocket.workbench.experiment.RememberedFeed;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/**
 * An experiment that was chosen, read and built.
 *
 * @param file what it says
 * @param definition what begins runs of it
 * @param setup what it computes and trains
 */
public record Selected(ExperimentFile file, Definition definition, Setup setup) {
    /**
     * Builds what a file says, which opens its data.
     *
     * @throws hocket.workbench.terminal.Refusal if something does not fit
     */
    public static Selected of(ExperimentFile file, String runner) {
        return again(file, file.definition(runner));
    }

    /**
     * Builds what a file says, to look at what was trained: where its data is gone, what is remembered of it stands for it.
     *
     * @throws hocket.workbench.terminal.Refusal if something does not fit
     */
    static Selected of(ExperimentFile file, Map<String, RememberedFeed> remembered) {
        return again(file, file.definition(file.usualRunner(), remembered));
    }

    /** The same among several processes. */
    public Selected among(Exchange processes) {
        return new Selected(file, definition, setup.among(processes));
    }

    /** The same with new parts, for another run: data and worlds are opened once more. */
    public Selected again() {
        return again(file, definition);
    }

    private static Selected again(ExperimentFile file, Definition definition) {
        return new Selected(file, definition, definition.setup());
    }

    /** What it computes. */
    public Networks networks() {
        return setup.networks();
    }

    /** By the usual runner. */
    public static Selected of(ExperimentFile file) {
        return of(file, file.usualRunner());
    }

    /** Programs that its turns of Java may run: all that an algorithm shows, for other files name what they run. */
    public Collection<Program> further() {
        return file.spec().algorithm().isPresent() ? networks().programs() : List.of();
    }

    public String name() {
        return file.name();
    }

    public String summary() {
        return file.spec().summary();
    }

    public long seed() {
        return file.spec().seed();
    }
}
