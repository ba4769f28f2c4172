package hocket.programs.jvm.dense;

/** How products are divided, and which way weight gradients are summed. */
public final class ProductBlocking {
    private static final int FEW = 32;

    private ProductBlocking() {}

    /** Where a part begins, in multiples of a unit but for the end. */
    public static int first(int part, int parts, int count, int unit) {
        if (part == 0 || part == parts) {
            return part == 0 ? 0 : count; // the usual case of one part, which needs no divisions
        }
        int units = (count + unit - 1) / unit;
        return Math.min(count, (int) ((long) units * part / parts) * unit);
    }

    /** Whether a weight's gradient is summed by runs instead of by chains, since one side of it is so short. */
    public static boolean few(int outputs, int inputs) {
        return outputs < FEW || inputs < FEW;
    }
}
