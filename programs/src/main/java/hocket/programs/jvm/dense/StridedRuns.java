package hocket.programs.jvm.dense;

import hocket.programs.Value;
import hocket.programs.jvm.GatherIndices;
import java.util.ArrayList;
import java.util.List;

/**
 * The walk of elementwise loops over feature-major values: the longest possible runs in which each operand advances
 * with the result or stays constant.
 *
 * @param at starts of the runs in the result
 * @param count their lengths
 * @param from starts of the runs in each operand
 * @param step 1 where an operand advances, 0 where it stays
 */
record StridedRuns(int[] at, int[] count, int[][] from, int[][] step) {
    /** A run that is still growing. */
    private static final class Run {
        final int at;
        final int[] from;
        final int[] step;
        int count;

        Run(int at, int count, int[] from, int[] step) {
            this.at = at;
            this.count = count;
            this.from = from;
            this.step = step;
        }

        /** Returns whether another run continues this one and can be merged. */
        boolean takes(Run next) {
            if (next.at != at + count) {
                return false;
            }
            int[] both = new int[from.length];
            for (int i = 0; i < from.length; i++) {
                boolean stays = next.from[i] == from[i]
                        && (count == 1 || step[i] == 0)
                        && (next.count == 1 || next.step[i] == 0);
                boolean goesOn = next.from[i] == from[i] + count
                        && (count == 1 || step[i] == 1)
                        && (next.count == 1 || next.step[i] == 1);
                if (!stays && !goesOn) {
                    return false;
                }
                both[i] = stays ? 0 : 1;
            }
            System.arraycopy(both, 0, step, 0, both.length);
            count += next.count;
            return true;
        }
    }

    /**
     * Returns the runs of operands that are broadcast to the result.
     *
     * @param stride elements from one feature of a batched value to the next
     */
    static StridedRuns of(Value result, List<Value> operands, int stride) {
        int features = result.shape().size();
        int[][] places = new int[operands.size()][];
        for (int i = 0; i < places.length; i++) {
            places[i] = GatherIndices.repeated(result.shape(), operands.get(i).shape());
        }
        int length = result.batched() ? stride : 1;
        List<Run> runs = new ArrayList<>();
        for (int f = 0; f < features; f++) {
            int[] from = new int[places.length];
            int[] step = new int[places.length];
            for (int i = 0; i < places.length; i++) {
                boolean batched = operands.get(i).batched();
                from[i] = batched ? places[i][f] * stride : places[i][f];
                step[i] = batched || !result.batched() ? 1 : 0;
            }
            Run next = new Run(f * length, length, from, step);
            if (runs.isEmpty() || !runs.get(runs.size() - 1).takes(next)) {
                runs.add(next);
            }
        }
        return new StridedRuns(
                runs.stream().mapToInt(run -> run.at).toArray(),
                runs.stream().mapToInt(run -> run.count).toArray(),
                table(runs, places.length, true),
                table(runs, places.length, false));
    }

    private static int[][] table(List<Run> runs, int operands, boolean from) {
        int[][] table = new int[operands][];
        for (int i = 0; i < operands; i++) {
            int operand = i;
            table[i] = runs.stream()
                    .mapToInt(run -> from ? run.from[operand] : run.step[operand])
                    .toArray();
        }
        return table;
    }

    /** Returns the number of runs. */
    int size() {
        return at.length;
    }
}
