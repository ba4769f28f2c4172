package hocket.programs.jvm.dense;

import hocket.scopes.Shape;
import java.util.List;

/** Where the elements of a result come from that only stand in another order, or repeated, in an operand. */
public final class GatherIndices {
    private GatherIndices() {}

    /** The places of a walk over extents, the last the fastest, each axis with its step. */
    static int[] walk(int[] extents, int[] steps) {
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

    /** Of an operand with its axes in another order: axis i of the result is axis order[i] of the operand. */
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

    /** Of an operand whose extents are aligned with the result's at the end, 1 being repeated. */
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
