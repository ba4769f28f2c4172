package hocket.workbench.runs;

import hocket.programs.Program;
import hocket.schedulers.Experiment;
import hocket.schedulers.Networks;
import hocket.workbench.experiment.ExperimentFile;
import java.util.Collection;
import java.util.List;

/**
 * An experiment that was chosen, read and built.
 *
 * @param file what it says
 * @param networks what it computes
 * @param experiment what it trains
 */
public record Selected(ExperimentFile file, Networks networks, Experiment experiment) {
    /**
     * Builds what a file says, which opens its data.
     *
     * @throws hocket.workbench.experiment.Refused if something does not fit
     */
    public static Selected of(ExperimentFile file, String runner) {
        ExperimentFile.Built built = file.build(runner);
        return new Selected(file, built.networks(), built.experiment());
    }

    /** By the usual runner. */
    public static Selected of(ExperimentFile file) {
        return of(file, file.usualRunner());
    }

    /** Programs that its turns of Java may run: all that an algorithm shows, for other files name what they run. */
    public Collection<Program> further() {
        return file.spec().algorithm().isPresent() ? networks.programs() : List.of();
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
