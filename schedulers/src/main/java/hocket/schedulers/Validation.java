package hocket.schedulers;

import hocket.programs.Mode;
import hocket.programs.Program;
import hocket.scopes.Nearest;

/**
 * A figure over rows that no turn trains on: the mean of a program's metric over one epoch of a source.
 *
 * @param source gives the rows; nothing else draws from it
 * @param program an EVAL program that reads them
 * @param metric the name of one of its metrics, or {@code loss} for its first target
 */
public record Validation(Source source, Program program, String metric) {
    /** @throws IllegalArgumentException if the program trains, or has no such metric */
    public Validation {
        if (program.mode() != Mode.EVAL) {
            throw new IllegalArgumentException("validation: program " + program.name()
                    + " is compiled for TRAIN; validation takes an EVAL program");
        }
        if (!metric.equals("loss") && !program.metrics().containsKey(metric)) {
            throw new IllegalArgumentException("validation: program " + program.name() + " has no metric " + metric
                    + Nearest.among(metric, program.metrics().keySet()));
        }
    }
}
