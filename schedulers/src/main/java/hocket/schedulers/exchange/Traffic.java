package hocket.schedulers.exchange;

import hocket.programs.Program;
import hocket.programs.Value;
import hocket.programs.operators.BatchNorm;
import hocket.scopes.Path;
import hocket.scopes.Shape;
import java.util.SortedSet;
import java.util.function.Function;

/**
 * The numbers that processes exchange for a turn: each sends this many and receives as many.
 *
 * @param gradients of the weights that the turn updates
 * @param figures metrics of the batch as a whole: loss, metrics, next values of running statistics
 * @param moments of batch norms whose running statistics the turn updates
 * @param rows observed values of all rows
 */
public record Traffic(long gradients, long figures, long moments, long rows) {
    /**
     * Counts the traffic of a program.
     *
     * @param moved the weights whose gradients it computes
     * @param shapes of parameters, by their paths in the store
     * @param batch rows of a turn, of all workers
     */
    public static Traffic of(Program program, SortedSet<Path> moved, Function<Path, Shape> shapes, int batch) {
        long gradients =
                moved.stream().mapToLong(path -> shapes.apply(path).size()).sum();
        long moments = program.batchNormsOwnedBy(moved).stream()
                .mapToLong(
                        norm -> 2L * norm.inputs().get(BatchNorm.MEAN).shape().size())
                .sum();
        long figures = 0;
        long rows = 0;
        for (Value target : program.with(program.runningOwnedBy(moved)).targets()) {
            if (target.batched()) {
                rows += (long) batch * target.shape().size();
            } else {
                figures += target.shape().size();
            }
        }
        return new Traffic(gradients, figures, moments, rows);
    }

    /** Returns the number of numbers. */
    public long numbers() {
        return gradients + figures + moments + rows;
    }
}
