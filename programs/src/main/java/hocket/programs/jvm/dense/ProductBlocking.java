package hocket.programs.jvm.dense;

/** The division of products among threads, and the order in which weight gradients are summed. */
public final class ProductBlocking {
    private static final int FEW = 32;

    private ProductBlocking() {}

    /** Returns the start of a part, a multiple of a unit except for the end. */
    public static int first(int part, int parts, int count, int unit) {
        if (part == 0 || part == parts) {
            return part == 0 ? 0 : count; // the usual case of one part, which needs no divisions
        }
        int units = (count + unit - 1) / unit;
        return Math.min(count, (int) ((long) units * part / parts) * unit);
    }

    /** Returns whether a weight's gradient is summed by runs instead of chains, since one side is short. */
    public static boolean few(int outputs, int inputs) {
        return outputs < FEW || inputs < FEW;
    }
}
