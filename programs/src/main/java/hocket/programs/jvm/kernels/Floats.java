package hocket.programs.jvm.kernels;

/** Numbers of an array from a place on: an operand of a kernel, made when a program is planned. */
public record Floats(float[] values, int at) {
    /** Returns a range of the whole array. */
    public static Floats of(float[] values) {
        return new Floats(values, 0);
    }
}
