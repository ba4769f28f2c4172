package hocket.schedulers.rings;

import hocket.programs.Program;
import hocket.programs.Session;
import hocket.programs.Session.Feeds;
import hocket.programs.Value;
import hocket.scopes.ElementType;
import hocket.scopes.Heap;
import hocket.scopes.Shape;
import hocket.scopes.Tensor;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;
import java.util.stream.LongStream;

/**
 * What an experiment's generator draws, from noise and, if it asks for one, a label. The noise follows from the store's
 * seed alone, so the same store gives the same samples, and one that trains shows the same points of the noise space as
 * they come to be.
 *
 * @param program draws samples: its first target
 * @param label the label of all samples; without one, each in its turn
 */
public record Samples(Program program, OptionalInt label) {
    private static final int ROWS = 500;

    /** @throws IllegalArgumentException if a label is given and none is read, or it is not one, or there is another input */
    public Samples {
        List<Value> inputs = program.inputs();
        Optional<Value> labels = labels(program);
        if (inputs.size() > (labels.isPresent() ? 1 : 0)) {
            throw new IllegalArgumentException("program " + program.name() + " reads " + inputs
                    + ", and samples are drawn from noise and" + " labels only");
        }
        if (label.isPresent()) {
            if (labels.isEmpty()) {
                throw new IllegalArgumentException(
                        "label: program " + program.name() + " draws from noise alone, and knows no labels");
            }
            int classes = program.indexBound(labels.get());
            if (label.getAsInt() < 0 || label.getAsInt() >= classes) {
                throw new IllegalArgumentException(
                        "label must be from 0 to " + (classes - 1) + ", was " + label.getAsInt());
            }
        }
    }

    /** Samples of every label in its turn. */
    public Samples(Program program) {
        this(program, OptionalInt.empty());
    }

    /** The input that asks for a label. */
    private static Optional<Value> labels(Program program) {
        return program.inputs().stream()
                .filter(input -> input.type() == ElementType.INT64 && program.indexBound(input) > 0)
                .findFirst();
    }

    /** How many labels there are; 0 without. */
    public int classes() {
        return labels(program).map(program::indexBound).orElse(0);
    }

    /** The shape of one. */
    public Shape shape() {
        return program.targets().get(0).shape();
    }

    /** Whether samples can be seen: (channels, height, width) with one channel or three. */
    public boolean areImages() {
        return shape().rank() == 3 && (shape().get(0) == 1 || shape().get(0) == 3);
    }

    /** Whether samples are points in the plane: (2). */
    public boolean arePoints() {
        return isPoint(shape());
    }

    /** Whether a shape is that of a point in the plane. */
    public static boolean isPoint(Shape shape) {
        return shape.rank() == 1 && shape.get(0) == 2;
    }

    /** A few, drawn at once. */
    public Tensor few(Session session, int count) {
        return session.run(program, feeds(0, count)).get(0);
    }

    private Feeds feeds(int from, int rows) {
        Optional<Value> input = labels(program);
        if (input.isEmpty()) {
            return Feeds.rows(rows);
        }
        int classes = classes();
        long[] asked = LongStream.range(from, (long) from + rows)
                .map(row -> label.orElse((int) (row % classes)))
                .toArray();
        Shape shape = input.get().shape().prepend(rows);
        return Feeds.of(input.get().path().text(), Tensor.of(shape, asked));
    }

    /**
     * Checks that so many can be held together, before they are drawn.
     *
     * @throws IllegalArgumentException if they do not fit into memory
     */
    public void requireRoom(int count) {
        int size = shape().size();
        long values = (long) count * size;
        String what = "count " + count + ": samples of " + size + " numbers each";
        Heap.require(what, (double) values * Float.BYTES * 2);
        if (values > Integer.MAX_VALUE - 8) {
            throw new IllegalArgumentException(what + " are more than one array holds, " + values + " elements");
        }
    }

    /** Any number, given some at a time, so that they need not be held together: whole samples, row-major. */
    public void draw(Session session, int count, Consumer<float[]> takes) {
        for (int from = 0; from < count; from += ROWS) {
            int rows = Math.min(ROWS, count - from);
            takes.accept(session.run(program, feeds(from, rows)).get(0).floats());
        }
    }
}
