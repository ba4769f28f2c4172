package hocket.programs.jvm;

/** Functions of two numbers. */
enum Binary {
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
