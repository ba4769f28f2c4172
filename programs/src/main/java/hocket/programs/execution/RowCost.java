package hocket.programs.execution;

import hocket.programs.operators.Operator;

/**
 * An amount in two parts, one constant and one per row, since only part of a program's work and memory grows with its
 * batch.
 *
 * @param perRow for each row
 * @param once for the whole batch, however many rows it has
 */
public record RowCost(long perRow, long once) {
    /** No cost. */
    public static final RowCost NONE = new RowCost(0, 0);

    /** Returns an amount for each element of an operator's result. */
    public static RowCost each(Operator.Result result, long count) {
        long all = result.shape().size() * count;
        return result.batched() ? new RowCost(all, 0) : new RowCost(0, all);
    }

    /** Both together. */
    public RowCost plus(RowCost other) {
        return new RowCost(perRow + other.perRow, once + other.once);
    }

    /** Returns the cost of a batch. */
    public long of(long rows) {
        return rows * perRow + once;
    }
}
