package hocket.programs.jvm;

import hocket.scopes.Shape;
import java.util.List;

/** Source indices of results that are a permutation or broadcast of an operand. */
public final class GatherIndices {
    private GatherIndices() {}

    /** The places of a walk over extents, the last the fastest, each axis with its step. */
    public static int[] walk(int[] extents, int[] steps) {
        int size = 1;
        for (int extent : extents) {
            size *= extent;
        }
        int[] places = new int[size];
        int[] index = new int[extents.length];
        int place = 0;
        for (int i = 0; i < size; i++) {
            places[i] = place;
            for (int axis = extents.length - 1; axis >= 0; axis--) {
                place += steps[axis];
                if (++index[axis] < extents[axis]) {
                    break;
                }
                place -= steps[axis] * extents[axis];
                index[axis] = 0;
            }
        }
        return places;
    }

    /** Returns the indices for an operand with permuted axes: axis i of the result is axis order[i] of the operand. */
    public static int[] transposed(Shape operand, List<Integer> order) {
        int[] rowSteps = new int[operand.rank()];
        int step = 1;
        for (int axis = rowSteps.length - 1; axis >= 0; axis--) {
            rowSteps[axis] = step;
            step *= operand.get(axis);
        }
        int[] extents = order.stream().mapToInt(operand::get).toArray();
        int[] steps = order.stream().mapToInt(axis -> rowSteps[axis]).toArray();
        return walk(extents, steps);
    }

    /** Returns the indices for an operand that is broadcast to the result. */
    public static int[] repeated(Shape result, Shape operand) {
        int rank = result.rank();
        int[] steps = new int[rank];
        int step = 1;
        for (int i = 1; i <= operand.rank(); i++) {
            int extent = operand.get(-i);
            steps[rank - i] = extent == 1 ? 0 : step;
            step *= extent;
        }
        return walk(result.extents(), steps);
    }
}
