package hocket.programs.jvm;

/** How work is divided: in runs of whole micro-panels, as even as can be. */
final class Parts {
    private static final int UNIT = 8;
    private static final int FEW = 32;

    private Parts() {}

    /** Where a part begins; part {@code parts} begins at the end. */
    static int first(int part, int parts, int count) {
        return first(part, parts, count, UNIT);
    }

    /** Where a part begins, in multiples of a unit but for the end. */
    static int first(int part, int parts, int count, int unit) {
        int units = (count + unit - 1) / unit;
        return Math.min(count, (int) ((long) units * part / parts) * unit);
    }

    /** Whether a weight's gradient is summed by runs instead of by chains, since one side of it is so short. */
    static boolean few(int outputs, int inputs) {
        return outputs < FEW || inputs < FEW;
    }
}
