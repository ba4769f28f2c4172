package hocket.schedulers.rings;

import hocket.programs.Program;
import hocket.programs.Session;
import hocket.programs.Session.Feeds;
import hocket.programs.Value;
import hocket.schedulers.Setup;
import hocket.schedulers.Source;
import hocket.schedulers.SourceDescription;
import hocket.schedulers.state.State;
import hocket.scopes.ElementType;
import hocket.scopes.Heap;
import hocket.scopes.Shape;
import hocket.scopes.Streams;
import hocket.scopes.Tensor;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * Samples of an experiment's generator, drawn from noise, from a label if it has one as input, and from columns of
 * feeds if it reads data, such as an image translator. The noise depends on the store's seed alone, so the same store
 * gives the same samples, and during training the samples show the same points of the noise space. Rows are the next
 * ones of their feed, whose cursor does not change.
 *
 * @param program the program whose first target is the samples
 * @param label the label of all samples; without one, all labels in turn
 * @param sources give the columns that the program reads
 */
public record Samples(Program program, OptionalInt label, List<? extends SourceDescription> sources) {
    /** The rows of a run of the program. */
    static final int ROWS = 500;

    /** @throws IllegalArgumentException if a label is given but not read or invalid, or no source gives an input */
    public Samples {
        sources = List.copyOf(sources);
        Optional<Value> labels = labels(program);
        for (Value input : program.inputs()) {
            if (!labels.equals(Optional.of(input))) {
                requireGiven(program, input, sources);
            }
        }
        if (label.isPresent()) {
            if (labels.isEmpty()) {
                throw new IllegalArgumentException("label: program " + program.name() + " reads no labels");
            }
            int classes = program.indexBound(labels.get());
            if (label.getAsInt() < 0 || label.getAsInt() >= classes) {
                throw new IllegalArgumentException(
                        "label must be from 0 to " + (classes - 1) + ", was " + label.getAsInt());
            }
        }
    }

    /** Samples of all labels in turn, without data. */
    public Samples(Program program) {
        this(program, OptionalInt.empty(), List.of());
    }

    /**
     * The samples of an experiment; empty where it has none.
     *
     * @throws IllegalArgumentException if they cannot be drawn
     */
    public static Optional<Samples> of(Setup setup) {
        return setup.samples().map(program -> new Samples(program, OptionalInt.empty(), sources(setup)));
    }

    /** Returns the columns that an experiment's samples may read. */
    public static List<SourceDescription> sources(Setup setup) {
        return setup.feeds().stream().map(Setup.Feed::source).toList();
    }

    private static void requireGiven(Program program, Value input, List<? extends SourceDescription> sources) {
        List<Source.Column> columns =
                sources.stream().flatMap(source -> source.columns().stream()).toList();
        Source.Column given = columns.stream()
                .filter(column -> column.name().equals(input.path().text()))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("program " + program.name() + " reads " + input
                        + ", which no feed gives; samples are drawn from noise, labels and columns of feeds: "
                        + columns));
        if (!given.shape().equals(input.shape()) || given.type() != input.type()) {
            throw new IllegalArgumentException(
                    "program " + program.name() + " reads " + input + ", and the feeds give " + given);
        }
    }

    /** Returns these samples with open sources. */
    public Samples open() {
        return new Samples(
                program,
                label,
                sources.stream()
                        .filter(this::reads)
                        .map(SourceDescription::open)
                        .toList());
    }

    /** Returns whether a source gives a column that the program reads. */
    public boolean reads(SourceDescription source) {
        Optional<Value> labels = labels(program);
        return source.columns().stream()
                .map(column -> program.input(column.name()))
                .anyMatch(input -> input.isPresent() && !input.equals(labels));
    }

    /** Returns the label input. */
    private static Optional<Value> labels(Program program) {
        return program.inputs().stream()
                .filter(input -> input.type() == ElementType.INT64 && program.indexBound(input) > 0)
                .findFirst();
    }

    /** Returns the number of labels; 0 without. */
    public int classes() {
        return labels(program).map(program::indexBound).orElse(0);
    }

    /** Returns the shape of a sample. */
    public Shape shape() {
        return program.targets().get(0).shape();
    }

    /** Returns whether samples are images: (channels, height, width) with one channel or three. */
    public boolean areImages() {
        return shape().rank() == 3 && (shape().get(0) == 1 || shape().get(0) == 3);
    }

    /** Returns whether samples are points in the plane: (2). */
    public boolean arePoints() {
        return isPoint(shape());
    }

    /** Returns whether a shape is that of a point in the plane. */
    public static boolean isPoint(Shape shape) {
        return shape.rank() == 1 && shape.get(0) == 2;
    }

    /** Draws a few samples at once. */
    public Tensor few(Session session, int count) {
        return session.run(program, feeds(session, 0, count)).get(0);
    }

    /** Returns the labels, and columns of feeds, of some samples. */
    Feeds feeds(Session session, int from, int rows) {
        Map<String, Tensor> tensors = new LinkedHashMap<>();
        for (SourceDescription source : sources) {
            if (reads(source)) {
                tensors.putAll(next(source.open(), session.parameters().streams(), from, rows));
            }
        }
        labels(program)
                .ifPresent(input ->
                        tensors.put(input.path().text(), Tensor.of(input.shape().prepend(rows), labels(from, rows))));
        return new Feeds(tensors, rows);
    }

    /**
     * Returns the labels of the first samples.
     *
     * @throws IllegalArgumentException if the program reads none
     */
    public Tensor labels(int count) {
        if (classes() == 0) {
            throw new IllegalArgumentException("labels: program " + program.name() + " reads no labels");
        }
        return Tensor.of(Shape.of(count), labels(0, count));
    }

    private long[] labels(int from, int rows) {
        int classes = classes();
        return LongStream.range(from, (long) from + rows)
                .map(row -> label.orElse((int) (row % classes)))
                .toArray();
    }

    /** Returns the next rows of a source, after some. */
    private Map<String, Tensor> next(Source source, Streams streams, int from, int rows) {
        State before = source.save();
        try {
            Map<String, Tensor> some = new LinkedHashMap<>();
            int draws = (int) (((long) from + rows + source.batch() - 1) / source.batch());
            source.draw(program, streams, draws)
                    .tensors()
                    .forEach((column, drawn) -> some.put(column, rows(drawn, from, rows)));
            return some;
        } finally {
            source.restore(before);
        }
    }

    private static Tensor rows(Tensor all, int from, int rows) {
        return rows(all, IntStream.range(from, from + rows).toArray());
    }

    /** Returns rows of a tensor by their numbers. */
    static Tensor rows(Tensor all, int[] numbers) {
        int bytes = all.shape().bytes(all.type()) / all.shape().get(0);
        ByteBuffer some =
                ByteBuffer.allocate(numbers.length * bytes).order(all.buffer().order());
        for (int number : numbers) {
            some.put(all.buffer().slice(number * bytes, bytes));
        }
        return Tensor.copyOf(all.shape().with(0, numbers.length), all.type(), some.flip());
    }

    /**
     * Checks that a number of samples fits in memory, before they are drawn.
     *
     * @throws IllegalArgumentException if they do not fit
     */
    public void requireRoom(long count) {
        int size = shape().size();
        double values = (double) count * size;
        String what = "count " + count + ": samples of " + size + " numbers each";
        Heap.require(what, values * Float.BYTES * 2);
        if (values > Integer.MAX_VALUE - 8) {
            throw new IllegalArgumentException(what + " are more than one array holds, " + (long) values + " elements");
        }
    }

    /** Draws any number of samples in parts, so that they need not fit in memory together: whole samples, row-major. */
    public void draw(Session session, int count, Consumer<float[]> takes) {
        for (int from = 0; from < count; from += ROWS) {
            int rows = Math.min(ROWS, count - from);
            takes.accept(session.run(program, feeds(session, from, rows)).get(0).floats());
        }
    }
}
