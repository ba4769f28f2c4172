package hocket.programs.jvm.kernels;

/** Functions of two numbers. */
public enum Binary {
    ADD,
    SUBTRACT,
    MULTIPLY,
    DIVIDE,
    /** NaN if either is. */
    MAXIMUM,
    /** NaN if either is. */
    MINIMUM,
    /** 1 or 0. */
    EQUAL,
    /** 1 or 0. */
    GREATER
}
