package hocket.programs.jvm.kernels;

/** Two sums over the runs of a channel x, from which q is its mean's negative. */
public enum RunSums {
    /** Of x, and none. */
    INPUT,
    /** Of x + q, and of its square. */
    CENTRED,
    /** Of g, and of g times x + q. */
    GRADIENT
}
