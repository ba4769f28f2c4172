package hocket.rl.replay;

import hocket.programs.Value;
import hocket.programs.execution.BoundProgram;
import hocket.rl.actors.Policy;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Evaluates a program of {@code observation}, {@code action}, {@code mask} or some of them, which gives one number a row.
 *
 * @param bound the program on a store
 */
record ProgramEvaluator(BoundProgram bound) {
    /**
     * Computes the first target of the first rows.
     *
     * @param masks of actions; none if the program reads none
     */
    void evaluate(float[] observations, float[] actions, float[] masks, int count, float[] into) {
        List<Value> inputs = bound.program().inputs();
        for (int i = 0; i < inputs.size(); i++) {
            Value input = inputs.get(i);
            float[] rows = switch (input.path().text()) {
                case Policy.OBSERVATION -> observations;
                case Policy.MASK -> masks;
                default -> actions;
            };
            RowBuffers.put(rows, 0, count * input.shape().size(), input.type(), bound.feed(i, count), 0);
        }
        bound.run(count, 0, 0);
        copy(0, count, into);
    }

    /** Returns whether the program has a second target. */
    boolean hasSecondTarget() {
        return bound.program().targets().size() > 1;
    }

    /** Copies the second target of the last evaluated rows. */
    void secondTarget(int count, float[] into) {
        copy(1, count, into);
    }

    private void copy(int target, int count, float[] into) {
        ByteBuffer from = bound.result(target);
        for (int i = 0; i < count; i++) {
            into[i] = from.getFloat(i * Float.BYTES);
        }
    }

    /**
     * Computes the first target of observations alone, a fixed number at a time, because a program is prepared for
     * every batch size it is run with.
     *
     * @param actions any actions
     * @param masks any masks
     * @param batch rows of a call of the program
     */
    float[] values(float[] observations, float[] actions, float[] masks, int count, int batch) {
        int width = bound.program()
                .input(Policy.OBSERVATION)
                .map(input -> input.shape().size())
                .orElse(0);
        float[] values = new float[count];
        float[] some = new float[batch * width];
        float[] evaluated = new float[batch];
        for (int from = 0; from < count; from += batch) {
            int part = Math.min(batch, count - from);
            System.arraycopy(observations, from * width, some, 0, part * width);
            evaluate(some, actions, masks, batch, evaluated);
            System.arraycopy(evaluated, 0, values, from, part);
        }
        return values;
    }
}
