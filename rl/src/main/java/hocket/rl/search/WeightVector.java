package hocket.rl.search;

import hocket.scopes.Declaration;
import hocket.scopes.Parameters;
import hocket.scopes.Selection;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;

/**
 * The weights of a selection as one vector, one weight after the other in path order.
 *
 * @param declarations of the weights
 */
public record WeightVector(List<Declaration> declarations) {
    public WeightVector {
        declarations = List.copyOf(declarations);
    }

    /**
     * Returns the weights of a selection.
     *
     * @throws IllegalArgumentException if it matches nothing; the message lists similar paths
     */
    public static WeightVector of(String selection, Collection<Declaration> declarations) {
        return new WeightVector(Selection.of(selection).of(declarations).values().stream()
                .filter(declaration -> declaration.kind() == Declaration.Kind.WEIGHT)
                .toList());
    }

    /** Returns how many numbers there are. */
    public int size() {
        return declarations.stream()
                .mapToInt(declaration -> declaration.shape().size())
                .sum();
    }

    /** Returns a copy of the numbers. */
    public double[] read(Parameters parameters) {
        double[] all = new double[size()];
        int at = 0;
        for (Declaration declaration : declarations) {
            double[] numbers = parameters.tensor(declaration.path().text()).doubles();
            System.arraycopy(numbers, 0, all, at, numbers.length);
            at += numbers.length;
        }
        return all;
    }

    /** Writes all numbers, each rounded to the type of its weight. */
    public void write(Parameters parameters, double[] all) {
        int at = 0;
        for (Declaration declaration : declarations) {
            int end = at + declaration.shape().size();
            parameters.set(declaration.path().text(), Arrays.copyOfRange(all, at, end));
            at = end;
        }
    }
}
