package hocket.programs.layers;

import hocket.programs.operators.Operator.Result;
import java.util.List;

/**
 * Where the result of a {@link Scan} has what.
 *
 * @param steps number of steps
 * @param states the states
 * @param outputs the outputs of a step
 */
public record ScanLayout(int steps, List<Result> states, List<Result> outputs) {
    /** Returns the number of steps from one kept state to the next: the root of their number, rounded up. */
    public int interval() {
        return (int) Math.ceil(Math.sqrt(steps));
    }

    /** Returns whether the states after a step are kept. */
    public boolean isKept(int step) {
        return (step + 1) % interval() == 0 && step + 1 < steps;
    }

    /** Returns where the output of a step begins. */
    public int outputAt(int output, int step) {
        int at = 0;
        for (Result before : outputs.subList(0, output)) {
            at += steps * before.shape().size();
        }
        return at + step * outputs.get(output).shape().size();
    }

    /** Returns where a state after the last step begins. */
    public int stateAt(int state) {
        int at = 0;
        for (Result output : outputs) {
            at += steps * output.shape().size();
        }
        return at + size(states.subList(0, state));
    }

    /** Returns where a state after a step begins that is kept: number 1 is that after the first interval. */
    public int keptAt(int number, int state) {
        return stateAt(state) + number * size(states);
    }

    /** Returns the size of the result. */
    public int size() {
        return keptAt((steps - 1) / interval() + 1, 0);
    }

    private static int size(List<Result> all) {
        return all.stream().mapToInt(one -> one.shape().size()).sum();
    }
}
