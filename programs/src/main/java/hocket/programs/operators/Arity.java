package hocket.programs.operators;

/**
 * A number of inputs.
 *
 * @param least the fewest
 * @param most the most
 */
public record Arity(int least, int most) {
    public static final Arity NONE = new Arity(0, 0);
    public static final Arity ONE = new Arity(1, 1);
    public static final Arity TWO = new Arity(2, 2);
    public static final Arity THREE = new Arity(3, 3);

    /** A value, a weight, and perhaps a bias. */
    public static final Arity WITH_BIAS = new Arity(2, 3);

    public static final Arity ONE_OR_MORE = new Arity(1, Integer.MAX_VALUE);

    /** @throws IllegalArgumentException if an operator of this arity cannot have this number of inputs */
    void check(String kind, int inputs) {
        if (inputs < least || inputs > most) {
            String more = most == least ? "" : most == Integer.MAX_VALUE ? " or more" : " or " + most;
            throw new IllegalArgumentException(kind + " needs " + least + more + " inputs, has " + inputs);
        }
    }
}
