package hocket.schedulers.inference;

import hocket.programs.Program;
import hocket.scopes.Snapshot;
import hocket.scopes.Tensor;
import java.util.List;

/**
 * A trained model in memory: the function that it computes, and parameters for it.
 *
 * @param title where it comes from, for messages
 * @param step turns of training that its parameters had taken
 * @param function what it computes
 * @param values the parameters by path; those that the function does not read are ignored
 * @param warnings remarks on how it was read, a line each, such as a newer checkpoint that is damaged
 */
public record TrainedModel(
        String title, long step, InferenceFunction function, Snapshot values, List<String> warnings) {
    /**
     * @throws IllegalArgumentException if a parameter that the function reads is missing, or has another shape or type; or if
     *     the function gives nothing for a row
     */
    public TrainedModel {
        warnings = List.copyOf(warnings);
        requireRows(function);
        for (Program program : function.programs()) {
            program.parameters().forEach((path, read) -> {
                Tensor value = values.tensor(path.text());
                if (!value.shape().equals(read.shape()) || value.type() != read.type()) {
                    throw new IllegalArgumentException(path + ": the program reads " + read.type() + read.shape()
                            + ", the parameters hold " + value.signature());
                }
            });
        }
    }

    /**
     * Refuses a function that computes numbers of the batch as a whole only.
     *
     * @throws IllegalArgumentException if it has no output
     */
    public static void requireRows(InferenceFunction function) {
        if (function.outputs().isEmpty()) {
            throw new IllegalArgumentException(
                    function.name() + " gives nothing for a row: what it computes is of a batch as a whole");
        }
    }
}
