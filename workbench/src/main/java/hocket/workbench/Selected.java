package hocket.workbench;

import hocket.schedulers.Experiment;
import hocket.schedulers.Networks;
import hocket.workbench.experiment.ExperimentFile;

/**
 * An experiment that was chosen, read and built.
 *
 * @param file what it says
 * @param networks what it computes
 * @param experiment what it trains
 */
record Selected(ExperimentFile file, Networks networks, Experiment experiment) {
    /**
     * Builds what a file says, which opens its data.
     *
     * @throws hocket.workbench.experiment.Refused if something does not fit
     */
    static Selected of(ExperimentFile file, String runner) {
        ExperimentFile.Built built = file.build(runner);
        return new Selected(file, built.networks(), built.experiment());
    }

    /** By the usual runner. */
    static Selected of(ExperimentFile file) {
        return of(file, file.usualRunner());
    }

    String name() {
        return file.name();
    }

    String summary() {
        return file.spec().summary();
    }

    long seed() {
        return file.spec().seed();
    }
}
