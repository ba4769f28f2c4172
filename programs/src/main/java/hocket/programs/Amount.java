package hocket.programs;

/**
 * How much of something, in two parts: a program's work and memory grow with the rows of its batch, but not all of them.
 *
 * @param perRow for each row
 * @param once for the whole batch, however many rows it has
 */
public record Amount(long perRow, long once) {
    /** Nothing at all. */
    public static final Amount NONE = new Amount(0, 0);

    /** So many for each element of what an operator gives. */
    static Amount each(Operator.Result result, long count) {
        long all = result.shape().size() * count;
        return result.batched() ? new Amount(all, 0) : new Amount(0, all);
    }

    /** Both together. */
    public Amount plus(Amount other) {
        return new Amount(perRow + other.perRow, once + other.once);
    }

    /** For a batch of that many rows. */
    public long of(long rows) {
        return rows * perRow + once;
    }
}
