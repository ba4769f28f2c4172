package hocket.workbench;

import hocket.programs.Program;
import hocket.programs.Session;
import hocket.programs.Session.Feeds;
import hocket.scopes.Parameters;
import hocket.scopes.Shape;
import hocket.scopes.Tensor;

/**
 * What an experiment's generator draws from noise. The noise follows from the store's seed alone, so the same store
 * gives the same samples, and one that trains shows the same points of the noise space as they come to be.
 *
 * @param program draws samples: its first target
 */
record Samples(Program program) {
    private static final int ROWS = 500;

    /** The shape of one. */
    Shape shape() {
        return program.targets().get(0).shape();
    }

    /** Whether samples can be seen: (channels, height, width) with one channel or three. */
    boolean areImages() {
        return shape().rank() == 3 && (shape().get(0) == 1 || shape().get(0) == 3);
    }

    /** A few, drawn at once. */
    Tensor few(Parameters parameters, int count) {
        try (Session session = Session.over(program.graph(), parameters)) {
            return session.run(program, Feeds.rows(count)).get(0);
        }
    }

    /**
     * Any number, drawn some at a time; row-major.
     *
     * @throws Refusal if so many do not fit into memory
     */
    float[] draw(Parameters parameters, int count) {
        int size = shape().size();
        long values = (long) count * size;
        if (values > Integer.MAX_VALUE - 8
                || values * Float.BYTES * 2 > Runtime.getRuntime().maxMemory()) {
            throw new Refusal("--count " + count + ": samples of " + size + " numbers each would need "
                    + values * Float.BYTES * 2 / 1_000_000 + " MB, and the JVM has "
                    + Runtime.getRuntime().maxMemory() / 1_000_000 + " MB");
        }
        float[] drawn = new float[(int) values];
        try (Session session = Session.over(program.graph(), parameters)) {
            for (int from = 0; from < count; from += ROWS) {
                int rows = Math.min(ROWS, count - from);
                float[] some = session.run(program, Feeds.rows(rows)).get(0).floats();
                System.arraycopy(some, 0, drawn, from * size, some.length);
            }
        }
        return drawn;
    }
}
