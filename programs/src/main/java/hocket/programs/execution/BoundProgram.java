package hocket.programs.execution;

import hocket.programs.Program;
import hocket.programs.Value;
import hocket.programs.checks.Anomaly;
import hocket.programs.execution.Lowering.Binding;
import hocket.programs.operators.BatchNorm;
import hocket.programs.operators.Elementwise;
import hocket.programs.operators.FurtherResult;
import hocket.programs.operators.Leaf.Noise;
import hocket.programs.operators.Leaf.Redraw;
import hocket.programs.operators.Operator;
import hocket.scopes.Device;
import hocket.scopes.ElementType;
import hocket.scopes.Parameters;
import hocket.scopes.Path;
import hocket.scopes.Shape;
import hocket.scopes.SimilarNames;
import hocket.scopes.Stream;
import hocket.scopes.Tensor;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A program on a store: fed, run, read. It is bound for a number of rows when that number first comes, all of them in
 * one pool of working memory. A run of a number of rows that came before allocates next to nothing. Used by the thread
 * that owns the store; closing frees the executables.
 */
public final class BoundProgram implements AutoCloseable {
    /**
     * A running statistic.
     *
     * @param by the call that updates it: of a batch norm, towards the batch; else to what it computes
     * @param target index of what that computes for it
     * @param computed that of the last run
     */
    private record Moving(Value by, int target, Parameters.Cell cell, double[] computed) {
        /** Returns whether {@link #move} makes and leaves all numbers finite. */
        boolean isFinite() {
            for (double number : computed) {
                if (!Double.isFinite(number)) {
                    return false;
                }
            }
            return !(by.operator() instanceof BatchNorm)
                    || Anomaly.isFinite(cell.buffer(), cell.declaration().type());
        }

        void move() {
            ByteBuffer buffer = cell.buffer();
            ElementType type = cell.declaration().type();
            for (int i = 0; i < computed.length; i++) {
                double next = by.operator() instanceof BatchNorm norm
                        ? (1 - norm.momentum()) * type.get(buffer, i) + norm.momentum() * computed[i]
                        : computed[i];
                type.put(buffer, i, next);
            }
        }

        Path path() {
            return cell.declaration().path();
        }
    }

    private final Program program;
    private final Program executed;

    /** The executed program, with the moments of batch norms as further targets. */
    private final Program measured;

    private final Parameters parameters;
    private final Lowering lowering;
    private final int threads;
    private final SortedSet<Path> gradients;
    private final List<Value> inputs;
    private final List<Value> noises;
    private final Stream[] streams;

    /** The bounds of indices, of each element of a row; none for other inputs. */
    private final int[][] bounds;

    private final boolean[] fed;
    private final Map<String, Integer> positions;
    private final List<Moving> moving = new ArrayList<>();
    private final List<Parameters.Cell> statistics;
    private final Runnable moveAll = this::moveAll;
    private final Map<Integer, Executable> executables = new LinkedHashMap<>(16, 0.75f, true);
    private @Nullable Executable pool;
    private @Nullable Executable current;
    private int rows;
    private boolean ran;
    private boolean statisticsRead;
    private boolean closed;

    /**
     * Binds a program; it allocates nothing in the engine before the first feed or run.
     *
     * @param gradients stored paths whose gradients are computed; running statistics that they own are updated too
     * @param noise prefix of the paths of noises in stream names; empty in training
     * @throws IllegalArgumentException if a path is not in the store, or no gradient of the loss reaches it
     */
    public BoundProgram(
            Program program,
            Parameters parameters,
            Lowering lowering,
            int threads,
            SortedSet<Path> gradients,
            String noise) {
        this(program, parameters, lowering, threads, gradients, noise, program.batchNormsOwnedBy(gradients));
    }

    /**
     * Binds a TRAIN program whose batch norms are measured: {@link #computed} passes on each one's batch moments after a
     * run. No gradient is computed and no running statistic changes.
     *
     * @param noise prefix of the paths of noises in stream names
     * @throws IllegalArgumentException if a path is not in the store
     */
    public static BoundProgram measuring(
            Program program, Parameters parameters, Lowering lowering, int threads, String noise) {
        return new BoundProgram(program, parameters, lowering, threads, new TreeSet<>(), noise, program.batchNorms());
    }

    private BoundProgram(
            Program program,
            Parameters parameters,
            Lowering lowering,
            int threads,
            SortedSet<Path> gradients,
            String noise,
            List<Value> norms) {
        this.program = program;
        this.parameters = parameters;
        this.lowering = lowering;
        this.threads = threads;
        this.gradients = Collections.unmodifiableSortedSet(new TreeSet<>(gradients));
        this.inputs = program.inputs();
        this.noises = program.noises();
        this.streams = noises.stream()
                .map(value -> parameters.streams().at(noise + value.path()))
                .toArray(Stream[]::new);
        this.fed = new boolean[inputs.size() + noises.size()];
        this.bounds = inputs.stream()
                .map(program::indexBounds)
                .map(each -> Operator.least(each) > 0 ? each : new int[0])
                .toArray(int[][]::new);
        this.positions = Program.positions(program.feeds());
        check();
        List<Value> running = program.runningOwnedBy(gradients);
        this.executed = program.with(running);
        this.measured = executed.withMoments(norms);
        int target = executed.targets().size();
        for (Value norm : norms) {
            moving.add(moving(norm, BatchNorm.MEAN, target++));
            moving.add(moving(norm, BatchNorm.VARIANCE, target++));
        }
        for (Value value : running) {
            moving.add(moving(
                    value, Elementwise.Running.STATISTIC, executed.targets().indexOf(value)));
        }
        this.statistics = moving.stream().map(Moving::cell).toList();
    }

    private Moving moving(Value by, int position, int target) {
        Value statistic = by.inputs().get(position);
        Parameters.Cell cell = parameters.cell(program.stored(statistic.path()));
        return new Moving(by, target, cell, new double[statistic.shape().size()]);
    }

    private void check() {
        program.parameters().forEach((path, value) -> {
            Shape shape = parameters.declaration(path).shape();
            if (!shape.equals(value.shape()) || parameters.declaration(path).type() != value.type()) {
                throw new IllegalArgumentException("program " + program.name() + " reads " + path + " as "
                        + value.type() + value.shape() + ", the store has "
                        + parameters.declaration(path).type() + shape);
            }
        });
        if (gradients.isEmpty()) {
            return;
        }
        Value loss = program.targets().get(0);
        if (loss.batched() || loss.shape().size() != 1) {
            throw new IllegalArgumentException("program " + program.name()
                    + ": the first target is descended, so it must be a single number, was " + loss);
        }
        SortedSet<Path> missed = new TreeSet<>(gradients);
        missed.removeAll(program.reached());
        if (!missed.isEmpty()) {
            throw new IllegalArgumentException("program " + program.name() + ": the gradient of " + loss.path()
                    + " does not reach " + missed.first()
                    + (missed.size() == 1 ? "" : " and " + (missed.size() - 1) + " more"));
        }
    }

    public Program program() {
        return program;
    }

    /** Returns the stored paths whose gradients a run computes, in order. */
    public SortedSet<Path> gradients() {
        return gradients;
    }

    /**
     * The position of an input, or of a noise that is to be fed instead of drawn, for {@link #feed(int, int)}.
     *
     * @throws IllegalArgumentException if the program reads nothing of that name
     */
    public int position(String name) {
        Integer position = positions.get(name);
        if (position == null) {
            throw new IllegalArgumentException("program " + program.name() + " reads no input " + name
                    + SimilarNames.among(name, positions.keySet()));
        }
        return position;
    }

    /**
     * The buffer to write one feed into before a run of {@code rows} rows, position 0, limit the bytes of all rows. The
     * contents stay for further runs with the same number of rows; noise that is written this way is not sampled in the
     * next run.
     */
    public ByteBuffer feed(int position, int rows) {
        ByteBuffer buffer = at(rows).feed(position).buffer();
        fed[position] = true;
        return buffer;
    }

    /**
     * Writes feeds: all, or none if one is refused.
     *
     * @throws IllegalArgumentException if a name, type or shape of rows is not the program's, or they differ in their rows
     */
    public void feed(Map<String, Tensor> rows) {
        rows.forEach(this::check);
        requireAsManyRows(rows);
        rows.forEach(this::write);
    }

    private static void requireAsManyRows(Map<String, Tensor> feeds) {
        String first = "";
        int rows = -1;
        for (Map.Entry<String, Tensor> feed : feeds.entrySet()) {
            int now = feed.getValue().shape().get(0);
            if (rows >= 0 && now != rows) {
                throw new IllegalArgumentException(
                        "input " + feed.getKey() + " has " + now + " rows, " + first + " has " + rows);
            }
            first = feed.getKey();
            rows = now;
        }
    }

    /**
     * Feeds all that another binding of the same program ran on last, its noise included.
     *
     * @throws IllegalStateException if that has not run
     */
    public void feedAs(BoundProgram other) {
        Executable from = other.ran();
        for (int i = 0; i < fed.length; i++) {
            feed(i, other.rows).put(from.feed(i).buffer());
        }
    }

    /**
     * Writes one feed.
     *
     * @throws IllegalArgumentException if name, type or shape of the rows is not the program's
     */
    public void feed(String name, Tensor rows) {
        check(name, rows);
        write(name, rows);
    }

    private void write(String name, Tensor rows) {
        feed(position(name), rows.shape().get(0)).put(rows.buffer());
    }

    private void check(String name, Tensor rows) {
        int position = position(name);
        Value input = program.feeds().get(position);
        if (rows.type() != input.type()) {
            throw new IllegalArgumentException("input " + name + " is " + input.type() + ", got " + rows.type());
        }
        if (rows.shape().rank() != input.shape().rank() + 1
                || !rows.shape().equals(input.shape().prepend(rows.shape().get(0)))) {
            throw new IllegalArgumentException("input " + name + " needs rows " + input.shape() + " in a tensor "
                    + input.toString().substring(name.length() + 1) + ", got " + rows.shape());
        }
    }

    /**
     * Samples the noise and runs the program on the fed buffers.
     *
     * @param rows number of rows, as in the feeds
     * @param turn counter of noise that is drawn each turn
     * @param round counter of noise that is drawn each round
     * @throws IllegalArgumentException if an input was not fed with this number of rows, or a fed index is outside its
     *     table
     * @throws ProgramException if the engine fails
     */
    public void run(int rows, long turn, long round) {
        Executable executable = at(rows);
        try {
            requireInputs(executable, rows);
            draw(executable, rows, turn, round);
        } finally {
            Arrays.fill(fed, inputs.size(), fed.length, false); // of a refused run too: the next one draws
        }
        ran = false;
        statisticsRead = false;
        parameters.enter();
        try {
            executable.run();
        } finally {
            parameters.leave();
        }
        ran = true;
    }

    private void requireInputs(Executable executable, int rows) {
        for (int i = 0; i < bounds.length; i++) {
            if (!fed[i]) {
                throw new IllegalArgumentException("program " + program.name() + ": input "
                        + inputs.get(i).path() + " was not fed with " + rows + (rows == 1 ? " row" : " rows"));
            }
            if (bounds[i].length > 0) {
                checkIndices(inputs.get(i), bounds[i], executable.feed(i).buffer(), rows);
            }
        }
    }

    private void draw(Executable executable, int rows, long turn, long round) {
        for (int i = 0; i < streams.length; i++) {
            int position = inputs.size() + i;
            if (!fed[position]) {
                draw(noises.get(i), streams[i], executable.feed(position).buffer(), rows, turn, round);
            }
        }
    }

    private static void checkIndices(Value input, int[] bounds, ByteBuffer buffer, int rows) {
        int count = rows * bounds.length;
        for (int i = 0; i < count; i++) {
            Program.requireIndex(input, bounds, i, buffer.getLong(i * Long.BYTES));
        }
    }

    private static void draw(Value value, Stream stream, ByteBuffer out, int rows, long turn, long round) {
        Noise noise = (Noise) value.operator();
        long counter = noise.redraw() == Redraw.EACH_TURN ? turn : round;
        noise.distribution()
                .sample(stream, counter, out, value.type(), rows * value.shape().size());
    }

    /** The first target after a run, a single number. */
    public double loss() {
        return number(0);
    }

    /**
     * A target of one element after a run.
     *
     * @throws IllegalArgumentException if it has more
     */
    public double number(int target) {
        ByteBuffer buffer = result(target);
        Value value = program.targets().get(target);
        if (buffer.limit() != value.type().bytes()) {
            throw new IllegalArgumentException(
                    "program " + program.name() + ": target " + value + " is not a single number");
        }
        return value.type().get(buffer, 0);
    }

    /** A copy of a target after a run, with its batch axis where it has one. */
    public Tensor target(int index) {
        Value value = program.targets().get(index);
        Shape shape = value.batched() ? value.shape().prepend(rows) : value.shape();
        return Tensor.copyOf(shape, value.type(), result(index));
    }

    /** A target's elements after a run, in its program's memory: native order, from 0, valid until the next. */
    public ByteBuffer result(int index) {
        return ran().target(index).buffer();
    }

    /** Returns the first computed value of the last run, or next running statistic, with a non-finite element. */
    public Optional<Value> nonFinite() {
        for (int i = 0; i < executed.targets().size(); i++) {
            Value value = executed.targets().get(i);
            if (value.type().isFloating() && !Anomaly.isFinite(result(i), value.type())) {
                return Optional.of(value);
            }
        }
        return Optional.empty();
    }

    /**
     * Returns the first feed, noise or parameter of the last run with a non-finite element. Nothing is computed for it.
     *
     * @throws IllegalStateException if it has not run
     */
    public Optional<Anomaly> given() {
        ran();
        return Anomaly.given(executed, parameters, this::fed);
    }

    /**
     * Returns the first running statistic that {@link #moveStatistics} would make or leave non-finite.
     *
     * @throws IllegalStateException if it has not run
     */
    public Optional<Anomaly> statistic() {
        readStatistics();
        for (int i = 0; i < moving.size(); i++) {
            Moving each = moving.get(i);
            if (!each.isFinite()) {
                return Optional.of(Anomaly.statistic(each.cell, each.by, each.computed));
            }
        }
        return Optional.empty();
    }

    /**
     * Computes the last run again by the reference, from the same feeds, noise and parameters, with gradients, and
     * finds the first non-finite number. It takes the time of plain loops, and memory for every value.
     *
     * @throws IllegalStateException if it has not run
     * @throws ProgramException if there is not enough memory
     */
    public Optional<Anomaly> anomaly() {
        ran();
        return Anomaly.find(executed, parameters, gradients, rows, this::fed);
    }

    /**
     * Returns a copy of the rows of an input or noise in the last run.
     *
     * @throws IllegalStateException if it has not run
     */
    public Tensor fed(Value feed) {
        Shape shape = feed.shape().prepend(rows);
        Device.Array array =
                ran().feed(Objects.requireNonNull(positions.get(feed.path().text())));
        return Tensor.copyOf(shape, feed.type(), array.buffer().limit(shape.bytes(feed.type())));
    }

    /** The elements of a feed in the last run, in its program's memory: native order, from 0, valid until the next. */
    public ByteBuffer fedNumbers(int position) {
        return ran().feed(position).buffer();
    }

    /** The gradient by one of {@link #gradients}, after a run; valid until the next. */
    public Device.Array gradient(int index) {
        return ran().gradient(index);
    }

    /**
     * Updates the running statistics that are owned by {@link #gradients}: those of batch norms once a call in call
     * order, towards the last run's batch; others to the next values that the last run computed, all calls from the
     * stored ones.
     */
    public void moveStatistics() {
        if (gradients.isEmpty()) {
            return; // nothing is owned; a program that is measured leaves the running values
        }
        readStatistics();
        parameters.write(statistics, moveAll);
    }

    private void moveAll() {
        for (int i = 0; i < moving.size(); i++) {
            moving.get(i).move();
        }
    }

    /**
     * Reads what the last run computed for the running statistics, if this has not happened yet. A batch norm computes the
     * mean and the unbiased variance of the batch.
     */
    private void readStatistics() {
        Executable executable = ran();
        if (statisticsRead) {
            return;
        }
        for (int i = 0; i < moving.size(); i++) {
            Moving each = moving.get(i);
            Value computed = measured.targets().get(each.target);
            ByteBuffer buffer = executable.target(each.target).buffer();
            double factor = 1;
            if (computed.operator() instanceof FurtherResult result && result.index() == BatchNorm.BATCH_VARIANCE) {
                int n = rows * each.by.shape().size() / each.computed.length;
                factor = n / (n - 1.0);
            }
            for (int k = 0; k < each.computed.length; k++) {
                each.computed[k] = factor * computed.type().get(buffer, k);
            }
        }
        statisticsRead = true;
    }

    /**
     * Passes on what the last run computed for each running statistic, by its path, call after call: of a batch norm the
     * batch's mean and unbiased variance. The statistics are those owned by {@link #gradients}, or of the batch norms of
     * a program that is {@linkplain #measuring measured}. The numbers are valid until the next run.
     *
     * @throws IllegalStateException if it has not run
     */
    public void computed(BiConsumer<Path, double[]> to) {
        readStatistics();
        moving.forEach(each -> to.accept(each.path(), each.computed));
    }

    /** The stored paths of the statistics that {@link #moveStatistics} writes. */
    public SortedSet<Path> statistics() {
        SortedSet<Path> paths = new TreeSet<>();
        moving.forEach(each -> paths.add(each.path()));
        return paths;
    }

    private Executable ran() {
        requireOpen();
        Executable executable = current;
        if (executable == null || !ran) {
            throw new IllegalStateException("program " + program.name() + " has not run");
        }
        return executable;
    }

    private void requireOpen() {
        if (closed) {
            throw new IllegalStateException("program " + program.name() + " is closed");
        }
        parameters.touch();
    }

    private Executable at(int wanted) {
        requireOpen();
        if (current != null && rows == wanted) {
            return current;
        }
        if (wanted < 1) {
            throw new IllegalArgumentException("program " + program.name() + " needs at least 1 row, got " + wanted);
        }
        int key = program.batched() ? wanted : 1;
        Executable executable = executables.get(key);
        if (executable == null) {
            requireVariance(wanted);
            executable = lowering.bind(new Binding(measured, parameters, gradients, key, threads, 0, pool));
            executables.put(key, executable);
            drop(Executable::outgrown);
            pool = pool == null || pool.outgrown() ? executable : pool;
            dropOldest();
        }
        current = executable;
        rows = wanted;
        ran = false;
        Arrays.fill(fed, false);
        return executable;
    }

    /** Drops the least recently used executables, so that batches of varying sizes do not fill the memory. */
    private void dropOldest() {
        drop(oldest -> executables.size() > lowering.mostRowCounts()
                && !oldest.equals(pool)); // the others use the pool's memory
    }

    private void drop(Predicate<Executable> dropped) {
        long bytes = 0;
        for (Iterator<Map.Entry<Integer, Executable>> oldest =
                        executables.entrySet().iterator();
                oldest.hasNext(); ) {
            Map.Entry<Integer, Executable> next = oldest.next();
            if (dropped.test(next.getValue())) {
                oldest.remove();
                next.getValue().close();
                bytes += bytes(next.getKey());
            }
        }
        lowering.releaseMemory(bytes);
    }

    private void requireVariance(int wanted) {
        for (Value norm : program.batchNorms()) {
            if ((long) wanted * norm.shape().size() / norm.shape().get(0) < 2) {
                throw new IllegalArgumentException(norm.path()
                        + ": a batch norm in TRAIN mode needs more than one value a channel, got a batch of 1");
            }
        }
    }

    /** Returns the number of rows of the last run; empty before it. */
    public OptionalInt rows() {
        return ran ? OptionalInt.of(rows) : OptionalInt.empty();
    }

    /**
     * Frees the executables. Closing twice does nothing.
     *
     * @throws IllegalStateException if the store belongs to another thread, which may be running them
     */
    @Override
    public void close() {
        parameters.requireOwner();
        closed = true;
        ran = false;
        current = null;
        pool = null;
        drop(executable -> true);
    }

    /** Returns the bytes of all values of a number of rows. */
    private long bytes(int batch) {
        long bytes = 0;
        for (Value value : executed.values()) {
            bytes += (value.batched() ? (long) batch : 1)
                    * value.shape().size()
                    * value.type().bytes();
        }
        return bytes;
    }
}
