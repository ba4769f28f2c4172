package hocket.rl.replay;

import hocket.programs.BoundProgram;
import hocket.programs.Value;
import hocket.rl.actors.Policy;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Asks a program of {@code observation}, {@code action} or both for numbers, one a row.
 *
 * @param bound the program on a store
 * @param observationWidth numbers of an observation
 * @param actionWidth numbers of an action
 */
record Judge(BoundProgram bound, int observationWidth, int actionWidth) {
    /** The first target of so many rows. */
    void judge(float[] seen, float[] done, int count, float[] into) {
        List<Value> inputs = bound.program().inputs();
        for (int i = 0; i < inputs.size(); i++) {
            boolean isObservation = inputs.get(i).path().text().equals(Policy.OBSERVATION);
            Rows.put(
                    isObservation ? seen : done,
                    0,
                    count * (isObservation ? observationWidth : actionWidth),
                    inputs.get(i).type(),
                    bound.feed(i, count),
                    0);
        }
        bound.run(count, 0, 0);
        copy(0, count, into);
    }

    /** Whether there is a second target. */
    boolean givesMore() {
        return bound.program().targets().size() > 1;
    }

    /** The second target of the rows that were judged last. */
    void more(int count, float[] into) {
        copy(1, count, into);
    }

    private void copy(int target, int count, float[] into) {
        ByteBuffer from = bound.result(target);
        for (int i = 0; i < count; i++) {
            into[i] = from.getFloat(i * Float.BYTES);
        }
    }

    /**
     * The first target of observations alone, a few at a time: they are a different number each time, and a program is made
     * ready for every number of rows that it is asked for.
     *
     * @param done any actions
     * @param atOnce rows
     */
    float[] values(float[] seen, float[] done, int count, int atOnce) {
        float[] values = new float[count];
        float[] some = new float[atOnce * observationWidth];
        float[] judged = new float[atOnce];
        for (int from = 0; from < count; from += atOnce) {
            int part = Math.min(atOnce, count - from);
            System.arraycopy(seen, from * observationWidth, some, 0, part * observationWidth);
            judge(some, done, atOnce, judged);
            System.arraycopy(judged, 0, values, from, part);
        }
        return values;
    }
}
